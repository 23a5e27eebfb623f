// The one table from ErrorCode to its stable name, HTTP status and exit status, and Error as JSON.
// Names stand in the API and in scripts of users: never change one. Any layer above wire may use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth {

// Exit status of every berth program.
inline constexpr int kExitDone = 0;
inline constexpr int kExitNo = 1;           // the answer is no: failed, not found, refused
inline constexpr int kExitUsage = 2;        // what was asked makes no sense
inline constexpr int kExitUnreachable = 3;  // the daemon cannot be reached

std::string_view name_of(ErrorCode code);  // "not_found"
std::optional<ErrorCode> error_code_named(std::string_view name);
int http_status(ErrorCode code);
int exit_status(ErrorCode code);

// {"error":{"code","message","hint"}}
std::string error_to_json(const Error& error);
// What the other side answered with a failing status. A body that is no such document becomes an Error too: the code
// follows from the status, the message shows the beginning of the body.
Error error_from_json(std::string_view body, int status);

}  // namespace berth
