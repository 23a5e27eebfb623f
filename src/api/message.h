// Request and Response: one HTTP message each way, free of sockets and of any library. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace berth::api {

enum class Method { get, head, post, del, options, other };

struct Request {
  Method method = Method::get;
  std::string target;  // as sent
  bool http_1_0 = false;
  bool keep_alive = true;
  std::string host;
  std::string origin;
  std::string content_type;  // lower case, without parameters
  std::string last_event_id;
  std::string body;
  // Filled by read_target(): decoded, in order.
  std::vector<std::string> path;
  std::vector<std::pair<std::string, std::string>> query;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// An error as every client sees it: {"error":{"code","message","hint"}}.
Response error_response(const Error& error);
Response error_response(int status, const Error& error);

std::string_view status_text(int status);
// The head of an answer. length < 0: a stream, chunked unless the client speaks HTTP/1.0.
std::string head_of(const Response& response, std::int64_t length, const Request& request);

// Splits request.target into path and query. The error says what is malformed.
Result<void> read_target(Request& request);

}  // namespace berth::api
