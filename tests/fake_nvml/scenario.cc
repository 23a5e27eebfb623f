#include "fake_nvml/scenario.h"

#include <signal.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace fake {
namespace {

Fields fields_of(const std::string& line) {
  Fields fields;
  std::stringstream parts(line);
  for (std::string part; std::getline(parts, part, '|');) {
    const std::size_t cut = part.find('=');
    if (cut != std::string::npos) fields[part.substr(0, cut)] = part.substr(cut + 1);
  }
  return fields;
}

bool lives(std::int64_t pid) { return kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM; }

void read_into(Scenario& s, const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::string word = line.substr(0, line.find('|'));
    const Fields fields = fields_of(line);
    if (word == "gpu") {
      s.gpus.push_back(fields);
    } else if (word == "refuse") {
      s.refusals.push_back(fields);
    } else if (word == "level") {
      s.levels.push_back(fields);
    } else if (word == "xid") {
      s.xids.push_back(fields);
    } else if (word == "process") {
      if (lives(number(fields, "pid", 0))) s.processes.push_back(fields);
    } else {
      s.settings.insert(fields.begin(), fields.end());
    }
  }
}

}  // namespace

std::int64_t number(const Fields& fields, const std::string& key, std::int64_t otherwise) {
  const auto found = fields.find(key);
  return found == fields.end() ? otherwise : std::strtoll(found->second.c_str(), nullptr, 10);
}

std::string text(const Fields& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? std::string{} : found->second;
}

Scenario load() {
  Scenario s;
  const char* path = std::getenv("BERTH_FAKE_NVML");
  if (path != nullptr) read_into(s, path);
  if (const std::string side = text(s.settings, "side"); !side.empty()) read_into(s, side);
  return s;
}

int verdict(const std::string& call, int gpu) {
  constexpr int kLost = 15;
  Scenario s = load();
  while (text(s.settings, "hang") == call || text(s.settings, "hang") == "all") {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    s = load();
  }
  if (gpu >= static_cast<int>(s.gpus.size())) return kLost;
  const std::string uuid = gpu < 0 ? "" : text(s.gpus[static_cast<std::size_t>(gpu)], "uuid");
  for (const Fields& refusal : s.refusals) {
    const std::string whom = text(refusal, "uuid");
    if (text(refusal, "call") == call && (whom.empty() || whom == uuid))
      return static_cast<int>(number(refusal, "code", 3));
  }
  return gpu >= 0 && number(s.gpus[static_cast<std::size_t>(gpu)], "lost", 0) != 0 ? kLost : 0;
}

}  // namespace fake
