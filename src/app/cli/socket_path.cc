#include "app/cli/socket_path.h"

#include <unistd.h>

#include <cstdlib>

namespace berth {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string default_data_dir() {
  if (geteuid() == 0) return kMachineDataDir;
  const std::string data_home = environment("XDG_DATA_HOME");
  return data_home.empty() ? environment("HOME") + "/.local/share/berth" : data_home + "/berth";
}

std::string client_socket(const std::string& named) {
  if (!named.empty()) return named;
  const std::string from_environment = environment("BERTH_SOCKET");
  if (!from_environment.empty()) return from_environment;
  const std::string own = default_data_dir() + '/' + kSocketName;
  const std::string machine = std::string(kMachineDataDir) + '/' + kSocketName;
  return access(own.c_str(), F_OK) == 0 || access(machine.c_str(), F_OK) != 0 ? own : machine;
}

}  // namespace berth
