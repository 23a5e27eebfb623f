#include <csignal>

#include <array>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/text.h"

namespace berth {
namespace {

struct SignalName {
  std::string_view name;
  std::int32_t number;
};

constexpr std::array<SignalName, 23> kSignals = {{
    {"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"ILL", SIGILL},     {"TRAP", SIGTRAP}, {"ABRT", SIGABRT},
    {"BUS", SIGBUS},   {"FPE", SIGFPE},   {"KILL", SIGKILL}, {"USR1", SIGUSR1},   {"SEGV", SIGSEGV}, {"USR2", SIGUSR2},
    {"PIPE", SIGPIPE}, {"ALRM", SIGALRM}, {"TERM", SIGTERM}, {"CHLD", SIGCHLD},   {"CONT", SIGCONT}, {"STOP", SIGSTOP},
    {"TSTP", SIGTSTP}, {"URG", SIGURG},   {"XCPU", SIGXCPU}, {"WINCH", SIGWINCH}, {"IO", SIGIO},
}};

const char* const kWarningHint = "write [B:]SIGNAL[@SECONDS], such as TERM, USR1@120 or B:TERM@300";

}  // namespace

std::string signal_text(std::int32_t signal_number) {
  for (const SignalName& known : kSignals)
    if (known.number == signal_number) return "SIG" + std::string(known.name);
  return "signal " + std::to_string(signal_number);
}

Result<std::int32_t> parse_signal(std::string_view text) {
  if (const auto number = to_number(text)) {
    if (*number >= 1 && *number <= 64) return static_cast<std::int32_t>(*number);
    return not_a(text, "a signal", "signals are 1 to 64, or names such as TERM and USR1");
  }
  std::string name = to_lower(text);
  if (name.starts_with("sig")) name = name.substr(3);
  for (const SignalName& known : kSignals)
    if (to_lower(known.name) == name) return known.number;
  return not_a(text, "a signal", "write a name such as TERM, USR1 or SIGINT, or a number from 1 to 64");
}

Result<WarningSignal> parse_warning_signal(std::string_view text) {
  WarningSignal warning;
  std::string_view rest = text;
  if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
    const std::string flags = to_lower(rest.substr(0, colon));
    if (flags.find('r') != std::string::npos)
      return unsupported(shown(text) + ": overlap with reservations (R:) is not offered", kWarningHint);
    if (flags != "b") return not_a(text, "a warning signal", kWarningHint);
    warning.batch_only = true;
    rest.remove_prefix(colon + 1);
  }
  const std::size_t where = rest.find('@');
  const auto signal = parse_signal(rest.substr(0, where));
  if (!signal) return not_a(text, "a warning signal", kWarningHint);
  warning.signal = *signal;
  if (where == std::string_view::npos) return warning;
  const auto before = to_number(rest.substr(where + 1));
  if (!before || *before > 65'535)
    return not_a(text, "a warning signal",
                 "behind @ stand 0 to 65535 seconds before the limit: " + std::string(kWarningHint));
  warning.before = seconds(*before);
  return warning;
}

}  // namespace berth
