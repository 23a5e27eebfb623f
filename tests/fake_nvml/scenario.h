// Scenario: the machine that the fake NVML plays, read anew from its file at every call (README.md has the format).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fake {

using Fields = std::map<std::string, std::string>;

std::int64_t number(const Fields& fields, const std::string& key, std::int64_t otherwise);
std::string text(const Fields& fields, const std::string& key);

struct Scenario {
  Fields settings;  // driver, init, count, hang, ...
  std::vector<Fields> gpus;
  std::vector<Fields> refusals;
  std::vector<Fields> levels;
  std::vector<Fields> processes;  // of living processes only
  std::vector<Fields> xids;
};

Scenario load();
// What a call has to return before it does anything: blocks if the scenario says so. gpu < 0: not about a device.
int verdict(const std::string& call, int gpu);

}  // namespace fake
