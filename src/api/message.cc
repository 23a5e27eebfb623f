#include "api/message.h"

#include "wire/errors.h"

namespace berth::api {

Response error_response(const Error& error) { return error_response(http_status(error.code), error); }

Response error_response(int status, const Error& error) {
  Response response;
  response.status = status;
  response.body = error_to_json(error);
  return response;
}

std::string_view status_text(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 507:
      return "Insufficient Storage";
    default:
      return "Status";
  }
}

std::string head_of(const Response& response, std::int64_t length, const Request& request) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  head += status_text(response.status);
  head += "\r\nServer: berth\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff";
  if (response.status != 204) head += "\r\nContent-Type: " + response.content_type;
  if (length >= 0 && response.status != 204) head += "\r\nContent-Length: " + std::to_string(length);
  if (length < 0 && !request.http_1_0) head += "\r\nTransfer-Encoding: chunked";
  if (!request.keep_alive)
    head += "\r\nConnection: close";
  else if (request.http_1_0)
    head += "\r\nConnection: keep-alive";
  for (const auto& [name, value] : response.headers) {
    head += "\r\n" + name + ": ";
    head += value;
  }
  head += "\r\n\r\n";
  return head;
}

}  // namespace berth::api
