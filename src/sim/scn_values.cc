#include "sim/scn_values.h"

#include <algorithm>
#include <charconv>

namespace berth::scn {
namespace {

constexpr std::int64_t kCentury = hours(24).ms() * 36'525;
constexpr std::int64_t kMostNames = 10'000;

struct Unit {
  std::string_view name;
  std::int64_t ms;
};
// Longer names first where one begins with another.
constexpr Unit kUnits[] = {{"ms", 1}, {"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}};

// Takes leading digits off `text`.
std::optional<std::int64_t> take_digits(std::string_view& text) {
  std::int64_t value = 0;
  const auto* end = text.data() + text.size();
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

std::optional<std::int64_t> take_unit(std::string_view& text) {
  for (const auto& unit : kUnits)
    if (take(text, unit.name)) return unit.ms;
  return std::nullopt;
}

// "n12" is ("n", 12).
std::optional<std::pair<std::string, std::int64_t>> split_number(std::string_view name) {
  const auto stem = name.find_last_not_of("0123456789");
  const auto start = stem == std::string_view::npos ? 0 : stem + 1;
  auto digits = name.substr(start);
  const auto number = take_digits(digits);
  if (!number) return std::nullopt;
  return std::pair{std::string(name.substr(0, start)), *number};
}

bool add_range(std::string_view text, std::vector<std::string>& names) {
  const auto dots = text.find("..");
  const auto first = split_number(text.substr(0, dots));
  const auto last = split_number(text.substr(dots + 2));
  if (!first || !last || first->first != last->first || first->second > last->second) return false;
  if (last->second - first->second >= kMostNames) return false;
  for (auto i = first->second; i <= last->second; ++i) names.push_back(first->first + std::to_string(i));
  return true;
}

bool add_indexes(std::string_view text, std::vector<std::int32_t>& indexes) {
  const auto first = take_digits(text);
  if (!first) return false;
  auto last = first;
  std::optional<std::int64_t> step = 1;
  if (take(text, "-")) last = take_digits(text);
  if (last && take(text, ":")) step = take_digits(text);
  if (!last || !step || !text.empty() || *step < 1 || *last < *first || *last >= kMostNames) return false;
  for (auto i = *first; i <= *last; i += *step) indexes.push_back(static_cast<std::int32_t>(i));
  return true;
}

}  // namespace

std::optional<std::int64_t> read_number(std::string_view text, std::int64_t low, std::int64_t high) {
  const bool negative = take(text, "-");
  auto number = take_digits(text);
  if (!number || !text.empty()) return std::nullopt;
  if (negative) number = -*number;
  return *number >= low && *number <= high ? number : std::nullopt;
}

std::optional<Duration> read_span(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  while (!text.empty()) {
    const auto number = take_digits(text);
    const auto unit = number ? take_unit(text) : std::nullopt;
    if (!unit || *number > kCentury / *unit) return std::nullopt;
    total += *number * *unit;
    if (total > kCentury) return std::nullopt;
  }
  return Duration(total);
}

std::optional<std::int64_t> read_milli(std::string_view text) {
  const auto whole = take_digits(text);
  if (!whole || *whole > 1'000'000'000) return std::nullopt;
  if (text.empty()) return *whole * 1000;
  if (!take(text, ".") || text.empty() || text.size() > 3) return std::nullopt;
  const std::string padded = std::string(text) + std::string(3 - text.size(), '0');
  const auto part = read_number(padded, 0, 999);
  return part ? std::optional(*whole * 1000 + *part) : std::nullopt;
}

std::optional<Mib> read_memory(std::string_view text) {
  const auto number = take_digits(text);
  if (!number || *number > 1'000'000'000) return std::nullopt;
  if (text == "M") return Mib(*number);
  if (text == "G") return Mib(*number * 1024);
  if (text == "T") return Mib(*number * 1024 * 1024);
  return std::nullopt;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> read_names(std::string_view text) {
  std::vector<std::string> names;
  for (const auto& part : split(text, ',')) {
    if (part.empty() || names.size() > kMostNames) return {};
    if (part.find("..") == std::string::npos)
      names.push_back(part);
    else if (!add_range(part, names))
      return {};
  }
  return names;
}

std::optional<ArraySpec> read_array(std::string_view text) {
  ArraySpec array;
  const auto percent = text.find('%');
  if (percent != std::string_view::npos) {
    const auto throttle = read_number(text.substr(percent + 1), 1, kMostNames);
    if (!throttle) return std::nullopt;
    array.throttle = static_cast<std::int32_t>(*throttle);
  }
  for (const auto& part : split(text.substr(0, percent), ','))
    if (!add_indexes(part, array.indexes) || array.indexes.size() > kMostNames) return std::nullopt;
  std::sort(array.indexes.begin(), array.indexes.end());
  if (std::adjacent_find(array.indexes.begin(), array.indexes.end()) != array.indexes.end()) return std::nullopt;
  return array;
}

std::string show_span(Duration span) {
  if (span == kUnlimited) return "never";
  std::int64_t rest = span.ms();
  if (rest == 0) return "0s";
  std::string text = rest < 0 ? "-" : "";
  rest = rest < 0 ? -rest : rest;
  for (const auto& unit : {kUnits[1], kUnits[2], kUnits[3], kUnits[4], kUnits[0]}) {
    if (rest >= unit.ms) text += std::to_string(rest / unit.ms) + std::string(unit.name);
    rest %= unit.ms;
  }
  return text;
}

std::string show_milli(std::int64_t milli) {
  const std::string sign = milli < 0 ? "-" : "";
  const auto size = milli < 0 ? -milli : milli;
  auto part = std::to_string(1000 + size % 1000).substr(1);
  while (!part.empty() && part.back() == '0') part.pop_back();
  return sign + std::to_string(size / 1000) + (part.empty() ? "" : "." + part);
}

std::string show_memory(Mib memory) {
  const auto mib = memory.value();
  return mib % 1024 == 0 ? std::to_string(mib / 1024) + "G" : std::to_string(mib) + "M";
}

}  // namespace berth::scn
