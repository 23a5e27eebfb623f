// Validity of UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). Any layer may use it.
#pragma once

#include <cstddef>
#include <string_view>

namespace berth {

// How many leading bytes are whole, valid characters other than NUL; text.size() if all are.
std::size_t utf8_prefix_without_nul(std::string_view text);

inline bool is_utf8_without_nul(std::string_view text) { return utf8_prefix_without_nul(text) == text.size(); }

}  // namespace berth
