#include "app/daemon/settings.h"

#include <fmt/core.h>
#include <sys/un.h>
#include <unistd.h>

#include "app/cli/job_input.h"
#include "app/cli/socket_path.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1;

Result<fs::path> make_data_dir(const std::string& named) {
  std::error_code failed;
  const fs::path path = fs::absolute(named, failed);
  if (!failed) fs::create_directories(path, failed);
  if (!failed && access(path.c_str(), W_OK | X_OK) != 0) failed = std::error_code(errno, std::generic_category());
  if (failed) {
    return Error{failed == std::errc::no_space_on_device ? ErrorCode::exhausted : ErrorCode::io,
                 fmt::format("the data directory {} cannot be used: {}", named, failed.message()),
                 "name another one with --data DIR"};
  }
  return path;
}

// The program itself, so that helpers of the same build are started whatever PATH says.
fs::path own_path() {
  std::error_code failed;
  const fs::path path = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path("berth") : path;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

std::string first_given(const std::string& a, const std::string& b, const std::string& c) {
  return !a.empty() ? a : !b.empty() ? b : c;
}

}  // namespace

Result<Config> read_config(const std::string& file) {
  Config config;
  if (!file.empty()) {
    const Result<std::string> text = read_file(file, kMaxConfigBytes, "configuration");
    if (!text)
      return Error{text.error().code, text.error().message,
                   "without --config, berth runs with one queue and what it finds"};
    Result<Config> parsed = parse_config(*text, file);
    if (!parsed) return parsed.error();
    config = *std::move(parsed);
  }
  if (config.queues.empty()) {
    QueueSpec queue;
    queue.name = "default";
    queue.is_default = true;
    config.queues.push_back(std::move(queue));
  }
  return config;
}

Result<Settings> read_settings(const ServeOptions& options) {
  Settings settings;
  std::error_code failed;
  if (!options.config.empty()) settings.config_file = fs::absolute(options.config, failed).string();
  Result<Config> config = read_config(settings.config_file);
  if (!config) return config.error();
  settings.config = *std::move(config);
  const ServerConfig& server = settings.config.server;
  Result<fs::path> data = make_data_dir(first_given(options.data, server.data, default_data_dir()));
  if (!data) return data.error();
  settings.data = *std::move(data);
  settings.socket =
      fs::absolute(first_given(options.socket, server.socket, (settings.data / kSocketName).string()), failed).string();
  if (settings.socket.size() > kMaxSocketPath) {
    return Error{ErrorCode::invalid,
                 fmt::format("the socket's path has {} bytes, and the system takes {}: {}", settings.socket.size(),
                             kMaxSocketPath, settings.socket),
                 "name a shorter one with --socket PATH, and tell clients by BERTH_SOCKET"};
  }
  settings.listen = first_given(options.listen, server.listen, "127.0.0.1:7474");
  return settings;
}

command::Configure configure_command(const Config& config) { return {config.queues, config.policy}; }

LocalOptions local_options(const Settings& settings) {
  const LocalConfig& local = settings.config.local;
  const fs::path program = own_path();
  LocalOptions options;
  options.run_dir = (settings.data / "run").string();
  options.shim_path = (program.parent_path() / "berth-shim").string();
  options.node_name = local.node.empty() ? host_name() : local.node;
  options.cpus = local.cpus.value_or(MilliCpu{});
  options.memory = local.memory.value_or(Mib{});
  options.features = local.features;
  if (local.gpus)
    options.virtual_gpus = virtual_gpus(*local.gpus, options.node_name);
  else
    options.probe_command = {program.string(), "gpu-probe"};
  return options;
}

}  // namespace berth
