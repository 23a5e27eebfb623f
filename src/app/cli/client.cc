#include "app/cli/client.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <boost/json.hpp>

#include "base/check.h"
#include "wire/errors.h"

namespace berth {
namespace {

struct Exchange {
  std::string body;  // all of it, or (streaming) that of an error
  const std::function<bool(std::string_view)>* take = nullptr;
  CURL* handle = nullptr;
};

long status_of(CURL* handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

std::size_t on_data(char* data, std::size_t, std::size_t size, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  if (exchange.take == nullptr || status_of(exchange.handle) >= 300) {
    exchange.body.append(data, size);
    return size;
  }
  return (*exchange.take)({data, size}) ? size : 0;
}

}  // namespace

struct Client::Connection {
  CURL* handle = curl_easy_init();
  curl_slist* json_header = curl_slist_append(nullptr, "Content-Type: application/json");
  char error[CURL_ERROR_SIZE] = {};

  Connection() { BERTH_CHECK(handle != nullptr && json_header != nullptr, "curl_easy_init"); }
  ~Connection() {
    curl_slist_free_all(json_header);
    curl_easy_cleanup(handle);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sends one request; `body` null: GET.
  CURLcode perform(const std::string& socket_path, const std::string& path, const std::string_view* body,
                   Exchange& exchange) {
    exchange.handle = handle;
    const std::string url = "http://berth" + path;
    curl_easy_reset(handle);
    curl_easy_setopt(handle, CURLOPT_UNIX_SOCKET_PATH, socket_path.c_str());
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, 10L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_data);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &exchange);
    error[0] = '\0';
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error);
    if (body != nullptr) {
      curl_easy_setopt(handle, CURLOPT_HTTPHEADER, json_header);
      curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body->data());
      curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body->size()));
    }
    return curl_easy_perform(handle);
  }

  Error transport_error(CURLcode code, const std::string& socket_path) const {
    if (code == CURLE_COULDNT_CONNECT) {
      return {ErrorCode::unavailable, fmt::format("cannot reach the daemon at {}", socket_path),
              "start it with: berth serve; or name its socket with --socket PATH or BERTH_SOCKET=PATH"};
    }
    return {
        ErrorCode::unavailable,
        fmt::format("the daemon at {} broke off: {}", socket_path, error[0] != '\0' ? error : curl_easy_strerror(code)),
        "look whether it still runs: berth version"};
  }
};

Client::Client(std::string socket_path)
    : socket_path_(std::move(socket_path)), connection_(std::make_unique<Connection>()) {}
Client::~Client() = default;

namespace {

Result<boost::json::value> parsed(const std::string& body) {
  boost::json::error_code failed;
  boost::json::value value = boost::json::parse(body, failed);
  if (failed)
    return Error{ErrorCode::io, "the daemon's answer is no JSON: " + failed.message(), "is it another program?"};
  return value;
}

}  // namespace

Result<boost::json::value> Client::get(const std::string& path) {
  Exchange exchange;
  const CURLcode code = connection_->perform(socket_path_, path, nullptr, exchange);
  if (code != CURLE_OK) return connection_->transport_error(code, socket_path_);
  const long status = status_of(connection_->handle);
  if (status >= 300) return error_from_json(exchange.body, static_cast<int>(status));
  return parsed(exchange.body);
}

Result<boost::json::value> Client::post(const std::string& path, std::string_view json_body) {
  Exchange exchange;
  const CURLcode code = connection_->perform(socket_path_, path, &json_body, exchange);
  const long status = code == CURLE_OK || code == CURLE_SEND_ERROR ? status_of(connection_->handle) : 0;
  if (status >= 300)
    return error_from_json(exchange.body, static_cast<int>(status));  // it may answer before it has read all
  if (code != CURLE_OK) return connection_->transport_error(code, socket_path_);
  return parsed(exchange.body);
}

Result<void> Client::stream(const std::string& path, const std::function<bool(std::string_view)>& take) {
  Exchange exchange;
  bool stopped = false;
  const std::function<bool(std::string_view)> counted = [&](std::string_view data) {
    stopped = !take(data);
    return !stopped;
  };
  exchange.take = &counted;
  const CURLcode code = connection_->perform(socket_path_, path, nullptr, exchange);
  if (code != CURLE_OK && !stopped) return connection_->transport_error(code, socket_path_);
  const long status = stopped ? 200 : status_of(connection_->handle);
  if (status >= 300) return error_from_json(exchange.body, static_cast<int>(status));
  return {};
}

std::string Client::escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace berth
