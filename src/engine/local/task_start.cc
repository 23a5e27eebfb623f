#include "engine/local/task_start.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>

#include "engine/local/shim_contract.h"

namespace berth {
namespace {

std::vector<std::string> shim_arguments(const TaskOrder& o) {
  std::vector<std::string> args{"berth-shim", "boot=" + o.boot};
  args.insert(args.end(), o.group_orders.begin(), o.group_orders.end());
  if (o.drop_to) {
    std::string groups;
    for (const gid_t group : o.drop_to->groups) groups += (groups.empty() ? "" : ",") + std::to_string(group);
    args.insert(args.end(),
                {"uid=" + std::to_string(o.drop_to->uid), "gid=" + std::to_string(o.drop_to->gid), "groups=" + groups});
  }
  args.push_back("cwd=" + o.workdir);
  if (o.logs.in != "/dev/null") args.push_back("in=" + o.logs.in);
  args.push_back("out=" + o.logs.out);
  if (o.logs.err != o.logs.out) args.push_back("err=" + o.logs.err);
  if (o.append) args.emplace_back("append=1");
  args.emplace_back("--");
  args.insert(args.end(), o.argv.begin(), o.argv.end());
  return args;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> list;
  list.reserve(strings.size() + 1);
  for (const std::string& s : strings) list.push_back(const_cast<char*>(s.c_str()));
  list.push_back(nullptr);
  return list;
}

// Above the numbers that the shim gets, so that moving one into place never closes the other.
Descriptor lifted(Descriptor fd) {
  constexpr int kFree = shim::kStatusFd + 1;
  if (fd.get() >= kFree) return fd;
  return Descriptor(fcntl(fd.get(), F_DUPFD_CLOEXEC, kFree));
}

class SpawnSettings {
 public:
  SpawnSettings(const std::string& dir, int lock, int status) {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID);  // signals are the shim's own affair
    posix_spawn_file_actions_addchdir_np(&actions_, dir.c_str());
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions_, 0, 1);
    posix_spawn_file_actions_adddup2(&actions_, 0, 2);
    posix_spawn_file_actions_adddup2(&actions_, lock, shim::kLockFd);
    posix_spawn_file_actions_adddup2(&actions_, status, shim::kStatusFd);
    posix_spawn_file_actions_addclosefrom_np(&actions_, shim::kStatusFd + 1);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  const posix_spawnattr_t* attributes() const { return &attributes_; }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

StartedShim start_shim(const TaskOrder& order, Descriptor lock, Nursery& nursery) {
  StartedShim started;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    started.error = errno;
    return started;
  }
  started.status = Descriptor(ends[0]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const Descriptor status_end = lifted(Descriptor(ends[1]));
  const Descriptor lock_end = lifted(std::move(lock));
  const auto arguments = shim_arguments(order);
  if (nursery.ask(order.dir, arguments, order.environment, lock_end.get(), status_end.get())) return started;
  const SpawnSettings settings(order.dir, lock_end.get(), status_end.get());
  started.error = posix_spawn(&started.pid, order.shim_path.c_str(), settings.actions(), settings.attributes(),
                              pointers(arguments).data(), pointers(order.environment).data());
  return started;
}

}  // namespace berth
