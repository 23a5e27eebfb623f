#include "api/parser.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>

namespace berth::api {

namespace http = boost::beast::http;

struct Parser::Beast {
  http::request_parser<http::string_body> parser;
};

namespace {

Method method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::get;
    case http::verb::head:
      return Method::head;
    case http::verb::post:
      return Method::post;
    case http::verb::delete_:
      return Method::del;
    case http::verb::options:
      return Method::options;
    default:
      return Method::other;
  }
}

std::string media_type(boost::beast::string_view value) {
  std::string type;
  for (const char c : value.substr(0, value.find(';'))) {
    if (c == ' ' || c == '\t') continue;
    type += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return type;
}

std::string text_of(boost::beast::string_view value) { return {value.data(), value.size()}; }

Parser::Step failure(const boost::beast::error_code& error) {
  Parser::Step step;
  step.state = Parser::State::failed;
  if (error == http::error::body_limit) {
    step.status = 413;
    step.error = {ErrorCode::too_large, "the body is larger than " + std::to_string(kMaxBody) + " bytes",
                  "send less at once; let a script read its data from files"};
  } else if (error == http::error::header_limit) {
    step.status = 431;
    step.error = {ErrorCode::too_large, "the header is larger than " + std::to_string(kMaxHeader) + " bytes",
                  "send fewer or shorter header fields"};
  } else {
    step.error = {ErrorCode::invalid, "not an HTTP/1.1 request: " + error.message(), "see /v1/openapi.json"};
  }
  return step;
}

}  // namespace

Parser::Parser() : beast_(std::make_unique<Beast>()) {
  beast_->parser.eager(true);
  beast_->parser.header_limit(kMaxHeader);
  beast_->parser.body_limit(kMaxBody);
}

Parser::~Parser() = default;

Parser::Step Parser::put(std::string_view bytes) {
  boost::beast::error_code error;
  Step step;
  step.used = beast_->parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (error == http::error::need_more) {
    // Beast asks for more before it looks at its limit, if the bytes at hand hold no end of the header.
    if (!head_done() && bytes.size() - step.used > kMaxHeader) return failure(http::error::header_limit);
    return step;
  }
  if (error) return failure(error);
  if (beast_->parser.is_done()) step.state = State::done;
  return step;
}

bool Parser::head_done() const { return beast_->parser.is_header_done(); }

bool Parser::wants_continue() const {
  return head_done() && boost::beast::iequals(beast_->parser.get()[http::field::expect], "100-continue");
}

Request Parser::take() {
  const bool keep_alive = beast_->parser.keep_alive();
  auto message = beast_->parser.release();
  Request request;
  request.method = method_of(message.method());
  request.target = text_of(message.target());
  request.http_1_0 = message.version() < 11;
  request.keep_alive = keep_alive;
  request.host = text_of(message[http::field::host]);
  request.origin = text_of(message[http::field::origin]);
  request.content_type = media_type(message[http::field::content_type]);
  request.last_event_id = text_of(message["Last-Event-ID"]);
  request.body = std::move(message.body());
  return request;
}

}  // namespace berth::api
