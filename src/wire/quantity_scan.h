// What the readers of quantity.h share. Only quantity*.cc and the readers of options and files include it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth {

// The value between backquotes, fit to stand in a message: at most 60 bytes of it, without
// control characters and broken UTF-8.
std::string shown(std::string_view value);

// "`4x` is not a time" with a hint.
Error not_a(std::string_view value, std::string_view what, std::string hint);
Error unsupported(std::string message, std::string hint);

// Digits only, no sign, no overflow; nullopt otherwise.
std::optional<std::int64_t> to_number(std::string_view digits);
// "2", "0.5", "1.25": thousandths, at most three decimals, at most 10^12 in all; nullopt otherwise.
std::optional<std::int64_t> to_thousandths(std::string_view text);

// The pieces between separators, empty ones too; one empty piece for "".
std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trimmed(std::string_view text);
std::string to_lower(std::string_view text);
bool is_digit(char c);
bool is_letter(char c);

}  // namespace berth
