#include "wire/quantity.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "wire/quantity_scan.h"

namespace berth {
namespace {

constexpr std::int64_t kMostMib = std::int64_t{1} << 40;  // an exbibyte
constexpr std::string_view kMemoryHint = "write a number and a unit, such as 512M, 64G or 1T";

// KiB behind a suffix such as "G", "gb" or "GiB"; nullopt if it is none.
std::optional<std::int64_t> unit_kib(std::string_view suffix) {
  const std::string lower = to_lower(suffix);
  if (lower.size() > 1 && lower.substr(1) != "b" && lower.substr(1) != "ib") return std::nullopt;
  switch (lower.empty() ? ' ' : lower[0]) {
    case 'k':
      return 1;
    case 'm':
      return 1 << 10;
    case 'g':
      return 1 << 20;
    case 't':
      return 1 << 30;
    default:
      return std::nullopt;
  }
}

// `thousandths` of a unit, rounded up to whole MiB.
Result<Mib> to_mib(std::int64_t thousandths, std::int64_t kib_per_unit, std::string_view text) {
  std::int64_t kib_milli = 0;
  const bool overflow = __builtin_mul_overflow(thousandths, kib_per_unit, &kib_milli);
  const std::int64_t mib = kib_milli / 1'024'000 + (kib_milli % 1'024'000 == 0 ? 0 : 1);
  if (overflow || mib > kMostMib)
    return Error{ErrorCode::invalid, shown(text) + " is more memory than there can be", std::string(kMemoryHint)};
  return Mib(mib);
}

std::size_t end_of_number(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789."), text.size());
}

// Letters to add, drop, change, or swap with their neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;  // the row before the last
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, std::move(row));
  }
  return last.back();
}

}  // namespace

Error at(std::string_view where, Error error) {
  error.message = std::string(where) + ": " + error.message;
  return error;
}

Result<std::int64_t> parse_integer(std::string_view text, std::int64_t least, std::int64_t most) {
  const bool negative = text.size() > 1 && text[0] == '-' && least < 0;
  const auto number = to_number(negative ? text.substr(1) : text);
  const std::string range =
      "a whole number from " + std::to_string(least) + " to " + std::to_string(most) + " is expected";
  if (!number) return not_a(text, "a whole number", range);
  const std::int64_t value = negative ? -*number : *number;
  if (value < least || value > most) return Error{ErrorCode::invalid, shown(text) + " is out of range", range};
  return value;
}

Result<Mib> parse_slurm_memory(std::string_view text) {
  const std::size_t end = end_of_number(text);
  const auto number = to_number(text.substr(0, end));
  const auto kib = end == text.size() ? std::optional<std::int64_t>(1 << 10) : unit_kib(text.substr(end));
  if (!number || !kib || *number > 1'000'000'000'000)
    return not_a(text, "an amount of memory",
                 "write a whole number with K, M, G or T behind it, such as 64G; without a unit it is megabytes");
  return to_mib(*number * 1000, *kib, text);
}

Result<Mib> parse_memory(std::string_view text) {
  const std::size_t end = end_of_number(text);
  const std::string_view suffix = trimmed(text.substr(end));
  const auto thousandths = to_thousandths(text.substr(0, end));
  if (thousandths && suffix.empty())
    return not_a(text, "an amount of memory: it has no unit", std::string(kMemoryHint));
  const auto kib = unit_kib(suffix);
  if (!thousandths || !kib) return not_a(text, "an amount of memory", std::string(kMemoryHint));
  return to_mib(*thousandths, *kib, text);
}

Result<MilliCpu> parse_cpus(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const bool in_milli = !text.empty() && text.back() == 'm';
  const auto value = in_milli ? to_number(text.substr(0, text.size() - 1)) : to_thousandths(text);
  if (!value) return not_a(text, "a number of cores", "write 8, 0.5 or 500m");
  if (*value > kMost)
    return Error{ErrorCode::invalid, shown(text) + " is more cores than there can be", "write 8, 0.5 or 500m"};
  return MilliCpu(*value);
}

std::string nearest(std::string_view typed, const std::vector<std::string>& candidates) {
  typed = typed.substr(0, 64);
  const std::string wanted = to_lower(typed);
  std::size_t best_distance = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    const bool extends = wanted.size() >= 3 && candidate.starts_with(wanted);
    const std::size_t shorter = std::min(wanted.size(), candidate.size());
    if (!extends && std::max(wanted.size(), candidate.size()) - shorter >= best_distance) continue;
    const std::size_t distance = extends ? 1 : edit_distance(wanted, to_lower(candidate));
    if (distance >= best_distance || distance >= std::max(wanted.size(), candidate.size())) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace berth
