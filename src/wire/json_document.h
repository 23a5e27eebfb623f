// JSON text to a value and back, within bounds. Refused at reading: more bytes or more depth than the bound, invalid
// UTF-8, anything after the value, a NUL inside a string or key. Never written: what would be refused at reading.
// For codecs, views and routes; include <boost/json.hpp> in the .cc that looks into the value.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth {

inline constexpr std::size_t kMaxJsonDepth = 32;
inline constexpr std::size_t kMaxRequestBytes = 16u << 20;                 // of what comes from outside
inline constexpr std::size_t kNoByteBound = static_cast<std::size_t>(-1);  // what berth itself has stored

// `what` names the document in messages: "the request", "event 12".
Result<boost::json::value> parse_json(std::string_view text, std::string_view what, std::size_t max_bytes);

// The text with every NUL and every byte that is not valid UTF-8 replaced by U+FFFD.
std::string clean_text(std::string_view text);

std::string to_text(const boost::json::value& value);
std::string to_text(const boost::json::object& object);
std::string to_text(const boost::json::array& array);

}  // namespace berth
