#include <algorithm>
#include <limits>
#include <set>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

const char* const kArrayHint = "write indexes and ranges, such as 0-14%4, 1-7:2 or 1,3,5-9";
const char* const kNodesHint = "write names and ranges, such as n1,n2 or n[1-3,7]";

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
};

// "5", "1-7" or "1-7:2".
std::optional<Range> parse_range(std::string_view text) {
  Range range;
  const std::size_t dash = text.find('-');
  const std::size_t colon = text.find(':');
  const auto first = to_number(text.substr(0, std::min(dash, colon)));
  if (!first) return std::nullopt;
  range.first = range.last = *first;
  if (dash == std::string_view::npos) return colon == std::string_view::npos ? std::optional(range) : std::nullopt;
  if (colon < dash) return std::nullopt;
  const auto last = to_number(text.substr(dash + 1, colon == std::string_view::npos ? colon : colon - dash - 1));
  if (!last || *last < *first) return std::nullopt;
  range.last = *last;
  if (colon == std::string_view::npos) return range;
  const auto step = to_number(text.substr(colon + 1));
  if (!step || *step < 1) return std::nullopt;
  range.step = *step;
  return range;
}

Error too_many(std::string_view text, std::string_view what, std::int64_t most) {
  return {ErrorCode::too_large, shown(text) + " has more than " + std::to_string(most) + " " + std::string(what),
          "split it"};
}

// Numbers of a bracket, with the width of the first: "01-03" is 01, 02, 03.
Result<std::vector<std::string>> expand_bracket(std::string_view inside, std::string_view whole) {
  std::vector<std::string> numbers;
  for (const std::string_view item : split(inside, ',')) {
    const auto range = parse_range(item);
    if (!range || item.find(':') != std::string_view::npos) return not_a(whole, "a list of nodes", kNodesHint);
    if (range->last - range->first >= static_cast<std::int64_t>(kMaxNodeNames - numbers.size()))
      return too_many(whole, "nodes", kMaxNodeNames);
    const std::size_t width = std::min(item.find('-'), item.size());
    for (std::int64_t n = range->first; n <= range->last; ++n) {
      std::string digits = std::to_string(n);
      if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
      numbers.push_back(std::move(digits));
    }
  }
  return numbers;
}

bool is_node_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.'; });
}

// "r[1-2]n[1-4]": every combination, the last bracket fastest.
Result<std::vector<std::string>> expand_name(std::string_view item, std::string_view whole) {
  std::vector<std::string> names{""};
  while (!item.empty()) {
    const std::size_t open = std::min(item.find('['), item.size());
    if (!is_node_name(item.substr(0, open))) return not_a(whole, "a list of nodes", kNodesHint);
    for (std::string& name : names) name += item.substr(0, open);
    item.remove_prefix(open);
    if (item.empty()) break;
    const std::size_t close = item.find(']');
    if (close == std::string_view::npos) return not_a(whole, "a list of nodes: a bracket is left open", kNodesHint);
    auto numbers = expand_bracket(item.substr(1, close - 1), whole);
    if (!numbers) return numbers.error();
    if (names.size() * numbers->size() > kMaxNodeNames) return too_many(whole, "nodes", kMaxNodeNames);
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : *numbers) longer.push_back(name + number);
    names = std::move(longer);
    item.remove_prefix(close + 1);
  }
  return names;
}

// Pieces between commas that stand outside of brackets.
std::vector<std::string_view> split_outside_brackets(std::string_view text) {
  std::vector<std::string_view> items;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') inside = true;
    if (text[i] == ']') inside = false;
    if (text[i] != ',' || inside) continue;
    items.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  items.push_back(text.substr(begin));
  return items;
}

}  // namespace

Result<ArraySpec> parse_array(std::string_view text) {
  ArraySpec array;
  const std::size_t percent = text.find('%');
  if (percent != std::string_view::npos) {
    const auto throttle = to_number(text.substr(percent + 1));
    if (!throttle || *throttle < 1 || *throttle > std::numeric_limits<std::int32_t>::max())
      return not_a(text, "an array", "behind % stands how many may run at once, 1 or more: " + std::string(kArrayHint));
    array.throttle = static_cast<std::int32_t>(*throttle);
  }
  std::vector<std::int32_t>& indexes = array.indexes;
  for (const std::string_view item : split(text.substr(0, percent), ',')) {
    const auto range = parse_range(item);
    if (!range || range->last >= std::numeric_limits<std::int32_t>::max()) return not_a(text, "an array", kArrayHint);
    const std::int64_t count = (range->last - range->first) / range->step + 1;
    if (count + static_cast<std::int64_t>(indexes.size()) > kMaxArrayIndexes)
      return too_many(text, "indexes", kMaxArrayIndexes);
    for (std::int64_t i = 0; i < count; ++i)
      indexes.push_back(static_cast<std::int32_t>(range->first + i * range->step));
  }
  std::sort(indexes.begin(), indexes.end());
  indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
  return array;
}

Result<std::vector<std::pair<std::int32_t, std::int32_t>>> parse_exit_codes(std::string_view text) {
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
  for (const std::string_view item : split(text, ',')) {
    const auto range = parse_range(item);
    if (!range || item.find(':') != std::string_view::npos || range->last > 255)
      return not_a(text, "a list of exit codes", "write codes from 0 to 255 and ranges, such as 1-3,137");
    ranges.emplace_back(static_cast<std::int32_t>(range->first), static_cast<std::int32_t>(range->last));
  }
  return ranges;
}

Result<std::vector<std::string>> parse_node_list(std::string_view text) {
  if (text.find('/') != std::string_view::npos)
    return unsupported(shown(text) + " is a file of node names; these are not read", kNodesHint);
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::string_view item : split_outside_brackets(text)) {
    if (item.empty()) return not_a(text, "a list of nodes", kNodesHint);
    auto expanded = expand_name(item, text);
    if (!expanded) return expanded.error();
    if (names.size() + expanded->size() > kMaxNodeNames) return too_many(text, "nodes", kMaxNodeNames);
    for (std::string& name : *expanded)
      if (seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace berth
