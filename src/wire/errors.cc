#include "wire/errors.h"

#include <array>
#include <boost/json.hpp>

#include "wire/json_document.h"

namespace berth {
namespace {

namespace json = boost::json;

struct Row {
  ErrorCode code;
  std::string_view name;
  int http;
  int exit;
};

// By value of ErrorCode.
constexpr std::array kTable{
    Row{ErrorCode::invalid, "invalid", 400, kExitUsage},
    Row{ErrorCode::not_found, "not_found", 404, kExitNo},
    Row{ErrorCode::conflict, "conflict", 409, kExitNo},
    Row{ErrorCode::denied, "denied", 403, kExitNo},
    Row{ErrorCode::infeasible, "infeasible", 422, kExitNo},
    Row{ErrorCode::too_large, "too_large", 413, kExitUsage},
    Row{ErrorCode::exhausted, "exhausted", 507, kExitNo},
    Row{ErrorCode::corrupt, "corrupt", 500, kExitNo},
    Row{ErrorCode::unsupported, "unsupported", 501, kExitUsage},
    Row{ErrorCode::unavailable, "unavailable", 503, kExitUnreachable},
    Row{ErrorCode::timeout, "timeout", 504, kExitUnreachable},
    Row{ErrorCode::io, "io", 500, kExitNo},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].code) != i) return false;
  }
  return kTable.size() == static_cast<std::size_t>(ErrorCode::io) + 1;
}
static_assert(is_in_order());

const Row& row_of(ErrorCode code) { return kTable.at(static_cast<std::size_t>(code)); }

std::string text_field(const json::object& object, std::string_view name) {
  const json::value* field = object.if_contains(name);
  const json::string* text = field ? field->if_string() : nullptr;
  return text ? std::string(*text) : std::string();
}

ErrorCode code_of_status(int status) {
  for (const Row& row : kTable) {
    if (row.http == status) return row.code;
  }
  return status >= 400 && status < 500 ? ErrorCode::invalid : ErrorCode::unavailable;
}

constexpr std::size_t kShownOfBody = 200;

}  // namespace

std::string_view name_of(ErrorCode code) { return row_of(code).name; }
int http_status(ErrorCode code) { return row_of(code).http; }
int exit_status(ErrorCode code) { return row_of(code).exit; }

std::optional<ErrorCode> error_code_named(std::string_view name) {
  for (const Row& row : kTable) {
    if (row.name == name) return row.code;
  }
  return std::nullopt;
}

std::string error_to_json(const Error& error) {
  return to_text(json::object{{"error", json::object{{"code", name_of(error.code)},
                                                     {"message", clean_text(error.message)},
                                                     {"hint", clean_text(error.hint)}}}});
}

Error error_from_json(std::string_view body, int status) {
  const ErrorCode by_status = code_of_status(status);
  const Result<json::value> document = parse_json(body, "the answer", kMaxRequestBytes);
  const json::object* whole = document ? document->if_object() : nullptr;
  const json::value* field = whole ? whole->if_contains("error") : nullptr;
  const json::object* error = field ? field->if_object() : nullptr;
  if (error) {
    const ErrorCode code = error_code_named(text_field(*error, "code")).value_or(by_status);
    return Error{code, text_field(*error, "message"), text_field(*error, "hint")};
  }
  return Error{by_status, "status " + std::to_string(status) + ": " + clean_text(body.substr(0, kShownOfBody)),
               "is it really berth that answers there?"};
}

}  // namespace berth
