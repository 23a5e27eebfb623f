#include "wire/text.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>

namespace berth {
namespace {

// 1500 -> "1.5", 2000 -> "2": thousandths without trailing zeros.
std::string thousandths(std::int64_t milli) {
  const std::string sign = milli < 0 ? "-" : "";
  const std::int64_t whole = std::abs(milli / 1000);
  std::string fraction = fmt::format("{:03}", std::abs(milli % 1000));
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return sign + std::to_string(whole) + (fraction.empty() ? "" : "." + fraction);
}

std::string counted(std::int64_t milli, std::string_view one, std::string_view many) {
  const bool singular = milli == 1000 || (milli > 0 && milli < 1000);
  return fmt::format("{} {}", thousandths(milli), singular ? one : many);
}

struct WallClock {
  std::chrono::year_month_day date;
  std::int64_t day = 0;     // since the epoch
  std::int64_t second = 0;  // of the day
  std::int64_t ms = 0;      // of the second
};

// Times beyond the year 9999 are shown as its last second, so that printing is total.
WallClock wall_clock(Time at, std::int32_t offset_s) {
  constexpr std::int64_t kLast = 253'402'300'799'999;
  const std::int64_t shown = std::min(std::max(at.ms(), -kLast), kLast - 86'400'000) + std::int64_t{offset_s} * 1000;
  const std::int64_t day = shown >= 0 ? shown / 86'400'000 : -((-shown + 86'399'999) / 86'400'000);
  const std::int64_t in_day = shown - day * 86'400'000;
  const std::chrono::sys_days days{std::chrono::days{day}};
  return {std::chrono::year_month_day{days}, day, in_day / 1000, in_day % 1000};
}

std::string date_text(const WallClock& w) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(w.date.year()), static_cast<unsigned>(w.date.month()),
                     static_cast<unsigned>(w.date.day()));
}

std::string clock_text(const WallClock& w) {
  return fmt::format("{:02}:{:02}:{:02}", w.second / 3600, w.second / 60 % 60, w.second % 60);
}

struct StateWords {
  std::string_view code;
  std::string_view name;
};

constexpr std::array<StateWords, 8> kStates = {{{"PD", "PENDING"},
                                                {"CF", "CONFIGURING"},
                                                {"R", "RUNNING"},
                                                {"CG", "COMPLETING"},
                                                {"CD", "COMPLETED"},
                                                {"F", "FAILED"},
                                                {"CA", "CANCELLED"},
                                                {"TO", "TIMEOUT"}}};

bool same_without_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view slurm_code(JobState state) { return kStates.at(static_cast<std::size_t>(state)).code; }
std::string_view slurm_name(JobState state) { return kStates.at(static_cast<std::size_t>(state)).name; }

std::optional<JobState> state_from_any_name(std::string_view name) {
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    const auto state = static_cast<JobState>(i);
    for (const std::string_view known : {kStates[i].code, kStates[i].name, name_of(state)})
      if (same_without_case(name, known)) return state;
  }
  return std::nullopt;
}

std::string gpu_text(MilliGpu amount) { return counted(amount.value(), "GPU", "GPUs"); }
std::string cpu_text(MilliCpu amount) { return counted(amount.value(), "core", "cores"); }

std::string memory_text(Mib amount) {
  const std::int64_t mib = amount.value();
  if (mib < 1024 && mib > -1024) return fmt::format("{} MiB", mib);
  if (mib % 1024 == 0) return fmt::format("{} GiB", mib / 1024);
  return fmt::format("{:.1f} GiB", static_cast<double>(mib) / 1024);
}

std::string amount_text(std::string_view unit, std::int64_t value) {
  if (unit == "gpu") return gpu_text(MilliGpu(value));
  if (unit == "cpu") return cpu_text(MilliCpu(value));
  if (unit == "memory") return memory_text(Mib(value));
  if (unit.empty()) return std::to_string(value);
  const bool plural = unit.back() == 's';
  return fmt::format("{} {}", value, value == 1 && plural ? unit.substr(0, unit.size() - 1) : unit);
}

std::string duration_text(Duration duration) {
  if (duration >= kUnlimited) return "no limit";
  if (duration < Duration{}) return "-" + duration_text(Duration(-std::max(duration.ms(), -kUnlimited.ms() + 1)));
  const std::int64_t ms = duration.ms();
  if (ms < 10'000 && ms % 1000 != 0) return thousandths(ms) + "s";
  std::string text;
  const auto put = [&text](std::int64_t amount, char unit) {
    if (amount > 0) text += fmt::format("{}{}", amount, unit);
  };
  put(ms / 86'400'000, 'd');
  put(ms / 3'600'000 % 24, 'h');
  put(ms / 60'000 % 60, 'm');
  put(ms / 1000 % 60, 's');
  return text.empty() ? "0s" : text;
}

std::string slurm_duration(Duration duration) {
  if (duration >= kUnlimited) return "UNLIMITED";
  const std::int64_t s = std::max<std::int64_t>(duration.ms(), 0) / 1000;
  const std::int64_t days = s / 86'400;
  const std::int64_t hour = s / 3600 % 24;
  if (days > 0) return fmt::format("{}-{:02}:{:02}:{:02}", days, hour, s / 60 % 60, s % 60);
  if (hour > 0) return fmt::format("{}:{:02}:{:02}", hour, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60 % 60, s % 60);
}

std::string iso_utc(Time at) {
  const WallClock w = wall_clock(at, 0);
  return date_text(w) + "T" + clock_text(w) + (w.ms == 0 ? "" : fmt::format(".{:03}", w.ms)) + "Z";
}

std::string local_time(Time at, const Zone& zone) {
  const WallClock w = wall_clock(at, zone.offset_s(at));
  return date_text(w) + " " + clock_text(w);
}

std::string slurm_time(Time at, const Zone& zone) {
  if (at == Time{}) return "Unknown";
  if (at == kForever) return "N/A";
  const WallClock w = wall_clock(at, zone.offset_s(at));
  return date_text(w) + "T" + clock_text(w);
}

std::string local_time_near(Time at, Time now, const Zone& zone) {
  constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  const WallClock w = wall_clock(at, zone.offset_s(at));
  const WallClock today = wall_clock(now, zone.offset_s(now));
  const std::string clock = clock_text(w).substr(0, 5);
  if (w.day == today.day) return clock;
  if (w.day > today.day && w.day - today.day < 7) {
    const std::chrono::weekday weekday{std::chrono::sys_days{w.date}};
    return fmt::format("{} {}", kDays.at(weekday.c_encoding()), clock);
  }
  return date_text(w) + " " + clock;
}

}  // namespace berth
