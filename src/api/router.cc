#include "api/router.h"

#include <algorithm>

namespace berth::api {
namespace {

std::string_view next_segment(std::string_view& pattern) {
  pattern.remove_prefix(1);  // the slash
  const std::string_view segment = pattern.substr(0, pattern.find('/'));
  pattern.remove_prefix(segment.size());
  return segment;
}

bool matches(std::string_view pattern, const std::vector<std::string>& path, std::vector<std::string>& arguments) {
  arguments.clear();
  for (const std::string& segment : path) {
    if (pattern.empty()) return false;
    const std::string_view wanted = next_segment(pattern);
    if (wanted.starts_with('{') && !segment.empty())
      arguments.push_back(segment);
    else if (wanted != segment)
      return false;
  }
  return pattern.empty();
}

std::string_view name_of(Method method) {
  switch (method) {
    case Method::get:
      return "GET";
    case Method::post:
      return "POST";
    case Method::del:
      return "DELETE";
    default:
      return "";
  }
}

void no_such_method(Exchange& exchange, const std::string& allowed) {
  Response response =
      error_response(405, {ErrorCode::unsupported, "this path does not take the method", "it takes " + allowed});
  if (exchange.request().method == Method::options) response = {204, {}, {}, {}};
  response.headers.emplace_back("Allow", allowed);
  exchange.respond(response);
}

std::optional<Error> unknown_parameter(const Route& route, const Request& request) {
  for (const auto& [name, value] : request.query) {
    if (std::find(route.query.begin(), route.query.end(), name) != route.query.end()) continue;
    std::string known;
    for (const auto& one : route.query) known += (known.empty() ? "" : ", ") + std::string(one);
    return Error{ErrorCode::invalid, "unknown query parameter '" + name + "'",
                 known.empty() ? "this path takes none" : "this path takes: " + known};
  }
  return std::nullopt;
}

bool is_local_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1) == "[::1]";
  host = host.substr(0, host.find(':'));
  return host == "localhost" || host.starts_with("127.") || host.empty();
}

// A web page elsewhere must not act through the browser of a user on this machine: neither by a name that it points to
// 127.0.0.1, nor by a request that the browser sends on its behalf.
std::optional<Error> foreign_page(const Exchange& exchange) {
  const Request& request = exchange.request();
  if (exchange.over_tcp() && !is_local_name(request.host)) {
    return Error{ErrorCode::denied, "the request is for the host '" + request.host + "', which is not this machine",
                 "call it by 127.0.0.1 or localhost"};
  }
  if (!request.origin.empty() && request.method != Method::get && request.origin != "http://" + request.host) {
    return Error{ErrorCode::denied, "a page of " + request.origin + " may not change anything here", ""};
  }
  return std::nullopt;
}

std::optional<Error> not_allowed(const Route& route, const Exchange& exchange) {
  if (auto error = unknown_parameter(route, exchange.request())) return error;
  const bool changes = route.method != Method::get;
  if (changes && !exchange.caller().known) {
    return Error{ErrorCode::denied, "nobody knows who is calling, so the call may only read", "use the Unix socket"};
  }
  return std::nullopt;
}

}  // namespace

void serve(Services& services, const ExchangePtr& exchange) {
  Request& request = exchange->request();
  exchange->route = "unknown";
  if (const auto read = read_target(request); !read) return exchange->respond(read.error());
  if (const auto error = foreign_page(*exchange)) return exchange->respond(*error);
  const Method method = request.method == Method::head ? Method::get : request.method;
  std::string allowed;
  for (const Route& route : routes()) {
    if (!matches(route.pattern, request.path, exchange->arguments)) continue;
    exchange->route = route.pattern;
    if (route.method == method) {
      if (const auto error = not_allowed(route, *exchange)) return exchange->respond(*error);
      return route.handler(services, exchange);
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(name_of(route.method)) +
               (route.method == Method::get ? ", HEAD" : "");
  }
  if (!allowed.empty()) return no_such_method(*exchange, allowed + ", OPTIONS");
  exchange->respond(Error{ErrorCode::not_found, "there is nothing at '" + request.target.substr(0, 200) + "'",
                          "see /v1/openapi.json"});
}

}  // namespace berth::api
