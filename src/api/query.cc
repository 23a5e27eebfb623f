#include "api/query.h"

#include <charconv>

namespace berth::api {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string Query::text(std::string_view name) const {
  for (const auto& [key, value] : request_.query)
    if (key == name) return value;
  return {};
}

bool Query::given(std::string_view name) const {
  for (const auto& [key, value] : request_.query)
    if (key == name) return true;
  return false;
}

std::int64_t Query::integer(std::string_view name, std::int64_t otherwise, std::int64_t low, std::int64_t high) {
  if (!given(name)) return otherwise;
  const std::string value = text(name);
  const auto number = whole_number(value);
  if (number && *number >= low && *number <= high) return *number;
  if (!error_) {
    error_ = Error{ErrorCode::invalid, "parameter '" + std::string(name) + "' has the value '" + value + "'",
                   "a whole number from " + std::to_string(low) + " to " + std::to_string(high)};
  }
  return otherwise;
}

bool Query::flag(std::string_view name) {
  if (!given(name)) return false;
  const std::string value = text(name);
  if (value == "true" || value == "1" || value.empty()) return true;
  if (value == "false" || value == "0") return false;
  if (!error_)
    error_ = Error{ErrorCode::invalid, "parameter '" + std::string(name) + "' has the value '" + value + "'",
                   "true or false"};
  return false;
}

std::vector<std::string> Query::list(std::string_view name) const {
  std::vector<std::string> items;
  for (const auto& [key, value] : request_.query) {
    if (key != name) continue;
    for (std::size_t from = 0; from <= value.size();) {
      const std::size_t to = std::min(value.find(',', from), value.size());
      if (to > from) items.push_back(value.substr(from, to - from));
      from = to + 1;
    }
  }
  return items;
}

}  // namespace berth::api
