// Settings: what the daemon runs with: the command line over the configuration file over defaults, all paths absolute.
#pragma once

#include <filesystem>
#include <string>

#include "app/cli/command_line.h"
#include "base/result.h"
#include "engine/local/local_options.h"
#include "model/command.h"
#include "wire/config.h"

namespace berth {

struct Settings {
  std::filesystem::path data;  // exists
  std::string socket;
  std::string listen;
  std::string config_file;  // absolute; empty: none
  Config config;
};

// Makes the data directory. Errors name file and line, or the directory.
Result<Settings> read_settings(const ServeOptions& options);
// The configuration alone, once more; without a file, what goes without saying.
Result<Config> read_config(const std::string& file);

// What the configuration means to the loop and to the engine.
command::Configure configure_command(const Config& config);
LocalOptions local_options(const Settings& settings);

}  // namespace berth
