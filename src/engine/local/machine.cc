#include "engine/local/machine.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/local/descriptor.h"

namespace berth {
namespace {

constexpr std::int32_t kFirstPort = 20'000;
constexpr std::int32_t kPortCount = 10'000;
constexpr std::int32_t kMostTries = 200;

bool is_free(std::int32_t port) {
  const Descriptor socket_fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  setsockopt(socket_fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return bind(socket_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

MilliCpu usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
  return MilliCpu(1000) * (known ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN));
}

Mib whole_memory() {
  return Mib(static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * (sysconf(_SC_PAGESIZE) / 1024) / 1024);
}

std::string host_name() {
  char name[256]{};
  gethostname(name, sizeof name - 1);
  const std::string whole = name;
  return whole.substr(0, whole.find('.'));
}

}  // namespace

std::int32_t Ports::take(AttemptKey key) {
  const auto first = static_cast<std::int32_t>((key.job.value() * 7 + key.attempt) % kPortCount);
  for (std::int32_t i = 0; i < kMostTries; ++i) {
    const std::int32_t port = kFirstPort + (first + i) % kPortCount;
    if (!taken_.contains(port) && is_free(port)) {
      taken_.insert(port);
      return port;
    }
  }
  return kFirstPort + first;
}

LocalOptions completed(LocalOptions options) {
  if (options.node_name.empty()) options.node_name = host_name();
  if (options.cpus == MilliCpu{}) options.cpus = usable_cpus();
  if (options.memory == Mib{}) options.memory = whole_memory();
  for (std::size_t i = 0; i < options.virtual_gpus.size(); ++i) {
    Gpu& gpu = options.virtual_gpus[i];
    gpu.is_virtual = true;
    if (gpu.uuid.empty()) gpu.uuid = "GPU-virtual-" + options.node_name + "-" + std::to_string(i);
  }
  return options;
}

std::string group_name(AttemptKey key, std::int32_t rank) {
  return std::to_string(key.job.value()) + "." + std::to_string(key.attempt) + "." + std::to_string(rank);
}

}  // namespace berth
