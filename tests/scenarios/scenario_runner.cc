// Plays scenario files: scenario_runner [--trace] FILE.scn...
// Exit status: 0 every story went as told, 1 one did not, 2 a file could not be read.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "sim/scenario.h"
#include "sim/scenario_run.h"

namespace {

enum ExitCode { kDone = 0, kNotAsTold = 1, kUnreadable = 2 };

int report(const std::string& file, const std::vector<berth::ScenarioFailure>& failures) {
  for (const auto& failure : failures) {
    std::cout << file;
    if (failure.line > 0) std::cout << ':' << failure.line;
    std::cout << ": expected: " << failure.expected << "\n    was: " << failure.was << "\n";
  }
  return failures.empty() ? kDone : kNotAsTold;
}

int play(const std::string& file, bool trace) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) {
    std::cerr << file << ": cannot be read\n";
    return kUnreadable;
  }
  const auto scenario = berth::parse_scenario(text.str(), file);
  if (!scenario.ok()) {
    std::cerr << scenario.error().message << "\n    " << scenario.error().hint << "\n";
    return kUnreadable;
  }
  berth::ScenarioRun run(*scenario);
  if (trace) run.trace_to([](const std::string& line) { std::cout << line << "\n"; });
  return report(file, run.play());
}

}  // namespace

int main(int argc, char** argv) {
  bool trace = false;
  int worst = kDone;
  int played = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--trace") {
      trace = true;
      continue;
    }
    worst = std::max(worst, play(argument, trace));
    ++played;
  }
  if (played > 0) return worst;
  std::cerr << "usage: scenario_runner [--trace] FILE.scn...\n";
  return kUnreadable;
}
