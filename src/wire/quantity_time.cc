#include <array>
#include <limits>
#include <optional>
#include <string>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

constexpr std::int64_t kMostMs = 36'525LL * 86'400'000;  // a hundred years
const char* const kSlurmHint =
    "write MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS, DAYS-HOURS, DAYS-HOURS:MINUTES[:SECONDS] or UNLIMITED";
const char* const kDurationHint = "write numbers with units, such as 90s, 30m, 1h30m or 2d";

Error too_long(std::string_view text) {
  return {ErrorCode::invalid, shown(text) + " is more than a hundred years", "UNLIMITED asks for no limit"};
}

constexpr std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

struct Unit {
  std::string_view names;  // each between blanks
  std::int64_t ms;
};

constexpr std::array<Unit, 6> kUnits = {{{" ms millisecond milliseconds ", 1},
                                         {" s sec secs second seconds ", 1000},
                                         {" m min mins minute minutes ", 60'000},
                                         {" h hr hrs hour hours ", 3'600'000},
                                         {" d day days ", 86'400'000},
                                         {" w week weeks ", 604'800'000}}};

const Unit* unit_named(std::string_view name) {
  const std::string wanted = " " + to_lower(name) + " ";
  for (const Unit& unit : kUnits)
    if (unit.names.find(wanted) != std::string_view::npos) return &unit;
  return nullptr;
}

// One "1.5h" off the front of `rest`; its ms, or nullopt. Sets `unit`.
std::optional<std::int64_t> take_piece(std::string_view& rest, const Unit*& unit) {
  const std::size_t number_end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  std::string_view behind = rest.substr(number_end);
  while (!behind.empty() && behind.front() == ' ') behind.remove_prefix(1);
  std::size_t unit_end = 0;
  while (unit_end < behind.size() && is_letter(behind[unit_end])) ++unit_end;
  const auto amount = to_thousandths(rest.substr(0, number_end));
  unit = unit_named(behind.substr(0, unit_end));
  if (!amount || unit == nullptr) return std::nullopt;
  rest = behind.substr(unit_end);
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return saturating_multiply(*amount, unit->ms) / 1000;
}

// Seconds behind the parts of D-H[:M[:S]], H:M:S, M:S or M; -1 if a part is no number.
std::int64_t slurm_seconds(std::string_view text) {
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string_view::npos;
  const auto days = has_days ? to_number(text.substr(0, dash)) : std::optional<std::int64_t>(0);
  const auto parts = split(has_days ? text.substr(dash + 1) : text, ':');
  if (!days || parts.size() > 3) return -1;
  // Unit of the first part: hours behind days or with three parts, else minutes.
  std::int64_t unit = has_days || parts.size() == 3 ? 3600 : 60;
  std::int64_t total = saturating_multiply(*days, 86'400);
  for (const std::string_view part : parts) {
    const auto number = to_number(part);
    if (!number) return -1;
    total = Duration::saturating_add(total, saturating_multiply(*number, unit));
    unit /= 60;
  }
  return total;
}

}  // namespace

Result<Duration> parse_slurm_time(std::string_view text) {
  const std::string lower = to_lower(text);
  if (lower == "unlimited" || lower == "infinite") return kUnlimited;
  const std::int64_t total = slurm_seconds(text);
  if (total < 0) return not_a(text, "a time limit", kSlurmHint);
  if (total > kMostMs / 1000) return too_long(text);
  return total == 0 ? kUnlimited : seconds(total);
}

Result<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration{};
  if (to_thousandths(text)) return not_a(text, "a duration: it has no unit", kDurationHint);
  std::string_view rest = trimmed(text);
  const Unit* last = nullptr;
  std::int64_t total = 0;
  do {
    const Unit* unit = nullptr;
    const auto ms = take_piece(rest, unit);
    if (!ms || (last != nullptr && unit->ms >= last->ms)) return not_a(text, "a duration", kDurationHint);
    last = unit;
    total = Duration::saturating_add(total, *ms);
    if (total > kMostMs) return too_long(text);
  } while (!rest.empty());
  return Duration(total);
}

Result<Duration> parse_time_limit(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (is_letter(text[i]) && (is_digit(text[i - 1]) || text[i - 1] == ' ')) {
      auto duration = parse_duration(text);
      if (duration && *duration == Duration{}) return not_a(text, "a time limit", "UNLIMITED asks for no limit");
      return duration;
    }
  }
  return parse_slurm_time(text);
}

}  // namespace berth
