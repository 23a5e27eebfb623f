// The daemon's log: lines to stderr with time and level. Any thread. Only this header is included; the library behind it is
// known to log.cc alone.
#pragma once

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace berth::log {

enum class Level { info, warning, error };

// Before the threads start.
void open();
void write(Level level, std::string_view line);

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace berth::log
