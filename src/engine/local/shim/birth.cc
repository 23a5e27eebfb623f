#include "engine/local/shim/birth.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include "engine/local/shim/records.h"

namespace berth::shim {
namespace {

// Written by the child before it gives up, read by the parent after.
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

// What the daemon was started with (nohup, a supervisor) must not reach the job.
void default_signals() {
  for (const int number :
       {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU})
    signal(number, SIG_DFL);
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

// The system call itself, inlined: with CLONE_VM the child runs on the parent's stack, so it must never return from a
// function that the parent has yet to return from.
[[gnu::always_inline]] inline long clone3(clone_args* args) {
#if defined(__x86_64__)
  long result = SYS_clone3;
  asm volatile("syscall" : "+a"(result) : "D"(args), "S"(sizeof *args) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_clone3;
  register long first asm("x0") = reinterpret_cast<long>(args);
  register long second asm("x1") = sizeof *args;
  asm volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
  return first;
#else
#error "berth-shim knows x86-64 and aarch64"
#endif
}

Birth failed(Stage stage, long error) { return {-1, stage, static_cast<int>(error)}; }

}  // namespace

// As vfork does it: the child borrows the memory, and the parent sleeps until it has exec'd or given up. What the child
// writes into `failure` is therefore there when the parent goes on.
Birth give_birth(const Orders& orders) {
  volatile Failure failure{Stage::none, 0};
  clone_args args{};
  args.flags = CLONE_VM | CLONE_VFORK;
  args.exit_signal = SIGCHLD;
  if (orders.track != nullptr) {
    const int group = open(orders.track, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (group < 0) return failed(Stage::cgroup, errno);
    args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = static_cast<std::uint64_t>(group);
  }
  const long pid = clone3(&args);
  if (pid == 0) become_job(orders, &failure);
  if (pid < 0) return failed(pid == -EBUSY || pid == -EOPNOTSUPP ? Stage::cgroup : Stage::fork, -pid);
  if (failure.stage == Stage::none) return {static_cast<pid_t>(pid), Stage::none, 0};
  waitpid(static_cast<pid_t>(pid), nullptr, 0);
  return failed(failure.stage, failure.error);
}

}  // namespace berth::shim
