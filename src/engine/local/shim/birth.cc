#include "engine/local/shim/birth.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include "engine/local/shim/records.h"

namespace berth::shim {
namespace {

// Written by the child before it gives up, read by the parent after; shared memory, as both have their own copy of the rest.
struct Failure {
  Stage stage;
  int error;
};

[[noreturn]] void give_up(volatile Failure* failure, Stage stage) {
  failure->error = errno;
  failure->stage = stage;
  _exit(127);
}

bool become_user(const Orders& o) {
  gid_t groups[256];
  std::size_t count = 0;
  for (const char* p = o.groups; p != nullptr && *p != '\0' && count < 256;) {
    char* end = nullptr;
    groups[count++] = static_cast<gid_t>(std::strtoul(p, &end, 10));
    p = *end == ',' ? end + 1 : end;
  }
  return setgroups(count, groups) == 0 && setresgid(o.gid, o.gid, o.gid) == 0 && setresuid(o.uid, o.uid, o.uid) == 0;
}

// O_NONBLOCK, so that a fifo without a reader is an error instead of a job that hangs before it starts.
bool open_as(int target, const char* path, int flags) {
  const int fd = open(path, flags | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  if (fcntl(fd, F_SETFL, flags & O_APPEND) != 0) return false;
  return dup2(fd, target) == target;
}

void take_files(const Orders& o, volatile Failure* failure) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | (o.append ? 0 : O_TRUNC);
  if (!open_as(0, o.input, O_RDONLY)) give_up(failure, Stage::input);
  if (!open_as(1, o.output, flags)) give_up(failure, Stage::output);
  if (o.error_output != nullptr) {
    if (!open_as(2, o.error_output, flags)) give_up(failure, Stage::error_output);
  } else if (dup2(1, 2) != 2) {
    give_up(failure, Stage::error_output);
  }
}

void default_signals() {
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become_job(const Orders& o, volatile Failure* failure) {
  if (o.freezer != nullptr) {
    Line procs;
    if ((errno = write_to(procs.text(o.freezer).text("/cgroup.procs").c_str(), "0")) != 0)
      give_up(failure, Stage::cgroup);
  }
  // A session of its own: what the job does to its process group never reaches the shim.
  setsid();
  umask(022);
  if (o.drop_user && !become_user(o)) give_up(failure, Stage::user);
  if (o.workdir != nullptr && chdir(o.workdir) != 0) give_up(failure, Stage::directory);
  take_files(o, failure);
  default_signals();
  for (int tries = 0; tries < 20; ++tries) {
    execvp(o.argv[0], o.argv);
    if (errno != ETXTBSY) break;
    const timespec pause{0, 1'000'000};  // somebody still has the file open for writing: it passes
    nanosleep(&pause, nullptr);
  }
  give_up(failure, Stage::exec);
}

// A child that the parent waits for until it has exec'd, born inside the group if there is one. No CLONE_VM: the shim is so
// small that a copy costs little, and the child may then use the stack.
long clone_into(int group_fd) {
  clone_args args{};
  args.flags = CLONE_VFORK | (group_fd >= 0 ? CLONE_INTO_CGROUP : 0ULL);
  args.exit_signal = SIGCHLD;
  args.cgroup = group_fd >= 0 ? static_cast<std::uint64_t>(group_fd) : 0;
  return syscall(SYS_clone3, &args, sizeof args);
}

}  // namespace

Birth give_birth(const Orders& orders) {
  void* page = mmap(nullptr, sizeof(Failure), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return {-1, Stage::fork, errno};
  auto* failure = static_cast<volatile Failure*>(page);
  int group_fd = -1;
  if (orders.track != nullptr) {
    group_fd = open(orders.track, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (group_fd < 0) return {-1, Stage::cgroup, errno};
  }
  const long pid = clone_into(group_fd);
  if (pid == 0) become_job(orders, failure);
  if (pid < 0) return {-1, errno == EBUSY || errno == EOPNOTSUPP ? Stage::cgroup : Stage::fork, errno};
  if (group_fd >= 0) close(group_fd);
  Birth birth{static_cast<pid_t>(pid), failure->stage, failure->error};
  if (birth.stage != Stage::none) waitpid(birth.pid, nullptr, 0);
  return birth;
}

}  // namespace berth::shim
