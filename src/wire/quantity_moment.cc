#include <array>
#include <chrono>
#include <optional>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

const char* const kHint =
    "write now+1hour, 16:00, tomorrow, noon, 2026-12-01, 2026-12-01T10:00 or MM/DD/YY; dates are in your time zone";

// A moment as clocks show it, as far as it was named.
struct Named {
  std::optional<std::int64_t> day;       // since the epoch
  std::optional<std::int64_t> second;    // of the day
  std::optional<std::int32_t> offset_s;  // "Z" or "+02:00"
  bool year_given = true;
};

std::optional<std::int64_t> day_number(std::int64_t year, std::int64_t month, std::int64_t day) {
  if (year < 1970 || year > 9998) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (month > 12 || day > 31 || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::int64_t year_of(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return static_cast<int>(date.year());
}

// YYYY-MM-DD, MM/DD[/YY], MM.DD[.YY] or MMDDYY. Without a year: this one, or the next if that is past.
std::optional<std::int64_t> parse_date(std::string_view text, std::int64_t today) {
  const char separator = text.find('-') != std::string_view::npos   ? '-'
                         : text.find('/') != std::string_view::npos ? '/'
                                                                    : '.';
  auto parts = split(text, separator);
  if (parts.size() == 1 && text.size() == 6) parts = {text.substr(0, 2), text.substr(2, 2), text.substr(4, 2)};
  std::array<std::int64_t, 3> n{};
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = to_number(parts[i]);
    if (!number || parts[i].size() > 4) return std::nullopt;
    n.at(i) = *number;
  }
  if (separator == '-') return parts.size() == 3 && parts[0].size() == 4 ? day_number(n[0], n[1], n[2]) : std::nullopt;
  if (parts.size() == 3) return day_number(n[2] < 100 ? 2000 + n[2] : n[2], n[0], n[1]);
  const auto this_year = day_number(year_of(today), n[0], n[1]);
  return this_year && *this_year < today ? day_number(year_of(today) + 1, n[0], n[1]) : this_year;
}

// HH:MM[:SS][AM|PM], 4pm.
std::optional<std::int64_t> parse_clock(std::string_view text) {
  const std::string lower = to_lower(text);
  const bool am = lower.ends_with("am");
  const bool pm = lower.ends_with("pm");
  const std::string_view digits = trimmed(am || pm ? text.substr(0, text.size() - 2) : text);
  const auto parts = split(digits, ':');
  if (parts.size() > 3 || (parts.size() == 1 && !am && !pm)) return std::nullopt;
  std::array<std::int64_t, 3> n{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = to_number(parts[i]);
    if (!number || parts[i].size() > 2) return std::nullopt;
    n.at(i) = *number;
  }
  if ((am || pm) && (n[0] < 1 || n[0] > 12)) return std::nullopt;
  if (am || pm) n[0] = n[0] % 12 + (pm ? 12 : 0);
  if (n[0] > 23 || n[1] > 59 || n[2] > 59) return std::nullopt;
  return n[0] * 3600 + n[1] * 60 + n[2];
}

bool parse_word(const std::string& word, std::int64_t today, Named& named) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kClock = {
      {{"midnight", 0}, {"noon", 12}, {"fika", 15}, {"teatime", 16}}};
  if (word == "today" || word == "tomorrow") {
    named.day = today + (word == "tomorrow" ? 1 : 0);
    return true;
  }
  for (const auto& [name, hour] : kClock) {
    if (word != name) continue;
    named.second = hour * 3600;
    return true;
  }
  return false;
}

// Takes "Z", "+02:00" or "-0530" off the end of a clock.
bool take_offset(std::string_view& clock, Named& named) {
  if (clock.ends_with('Z') || clock.ends_with('z')) {
    clock.remove_suffix(1);
    named.offset_s = 0;
    return true;
  }
  const std::size_t sign = clock.find_first_of("+-");
  if (sign == std::string_view::npos) return true;
  std::string digits(clock.substr(sign + 1));
  if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
  const auto number = digits.size() == 4 ? to_number(digits) : std::nullopt;
  if (!number || *number / 100 > 14 || *number % 100 > 59) return false;
  const auto east = static_cast<std::int32_t>(*number / 100 * 3600 + *number % 100 * 60);
  named.offset_s = clock[sign] == '-' ? -east : east;
  clock = clock.substr(0, sign);
  return true;
}

bool parse_piece(std::string_view piece, std::int64_t today, Named& named) {
  if (parse_word(to_lower(piece), today, named)) return true;
  if (const auto clock = parse_clock(piece)) {
    if (named.second) return false;
    named.second = *clock;
    return true;
  }
  const std::size_t t = piece.find_first_of("Tt");
  const auto day = parse_date(piece.substr(0, t), today);
  if (!day || named.day) return false;
  named.day = *day;
  if (t == std::string_view::npos) return true;
  std::string_view clock_part = piece.substr(t + 1);
  if (!take_offset(clock_part, named)) return false;
  const auto clock = parse_clock(clock_part);
  if (!clock || named.second) return false;
  named.second = *clock;
  return true;
}

Result<Time> parse_from_now(std::string_view text, Time now) {
  const std::string_view rest = trimmed(text.substr(3));
  if (rest.empty()) return now;
  if (rest[0] != '+') return not_a(text, "a moment", kHint);
  const std::string_view amount = trimmed(rest.substr(1));
  if (const auto count = to_number(amount)) {
    if (*count > 3'155'760'000) return not_a(text, "a moment within a hundred years", kHint);
    return now + seconds(*count);
  }
  const auto duration = parse_duration(amount);
  if (!duration) return not_a(text, "a moment", kHint);
  return now + *duration;
}

}  // namespace

Result<Time> parse_moment(std::string_view text, Time now, const Zone& zone) {
  const std::string lower = to_lower(text.substr(0, 3));
  if (lower == "now") return parse_from_now(text, now);
  const Time shown_now = now + seconds(zone.offset_s(now));
  const std::int64_t today = shown_now.ms() / 86'400'000;
  Named named;
  std::string joined;  // "4 PM" is one piece
  for (const std::string_view piece : split(trimmed(text), ' ')) {
    const std::string small = to_lower(piece);
    if (piece.empty()) continue;
    if (!joined.empty() && small != "am" && small != "pm") joined += ' ';
    joined += piece;
  }
  for (const std::string_view piece : split(joined, ' '))
    if (!parse_piece(piece, today, named)) return not_a(text, "a moment", kHint);
  const auto resolve = [&](std::int64_t day) {
    const Time wall = Time((day * 86'400 + named.second.value_or(0)) * 1000);
    return named.offset_s ? wall - seconds(*named.offset_s) : zone.to_utc(wall);
  };
  if (named.day) return resolve(*named.day);
  const Time at_today = resolve(today);
  return at_today < now ? resolve(today + 1) : at_today;
}

}  // namespace berth
