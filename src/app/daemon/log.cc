#include "app/daemon/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace berth::log {
namespace {

spdlog::level::level_enum level_of(Level level) {
  switch (level) {
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

}  // namespace

void open() {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("berth"));
  spdlog::set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
}

void write(Level level, std::string_view line) { spdlog::log(level_of(level), "{}", line); }

}  // namespace berth::log
