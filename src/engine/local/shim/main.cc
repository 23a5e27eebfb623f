// berth-shim: the parent of one task. It starts the job, waits for its end, sees that nothing of it is left, and puts
// down how it ended. It outlives the daemon, holds the task's lock for life, and does nothing slow before the exec.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/local/nursery_contract.h"
#include "engine/local/shim/birth.h"
#include "engine/local/shim/leftovers.h"
#include "engine/local/shim/limits.h"
#include "engine/local/shim/nursery.h"
#include "engine/local/shim/orders.h"
#include "engine/local/shim/records.h"
#include "engine/local/shim_contract.h"

namespace berth::shim {
namespace {

struct Ending {
  Stage stage = Stage::none;
  int error = 0;
  int status = 0;  // as wait gives it
  std::int64_t peak_mib = 0;
  std::int64_t oom_kills = 0;
};

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, kKillOrder);
  return set;
}

void block_all_signals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

void write_state(const Orders& o, int job_pid) {
  Line text;
  text.text("boot=").text(o.boot).text("\nshim=").number(getpid()).text(" ");
  text.number(static_cast<std::int64_t>(start_time(getpid())));
  text.text("\njob=").number(job_pid).text(" ").number(static_cast<std::int64_t>(start_time(job_pid))).text("\n");
  put_file(kStateFile, text, false);
}

void settle(const Orders& o, int job_pid) {
  write_state(o, job_pid);
  apply_late_limits(o, job_pid);
  write_to("/proc/self/oom_score_adj", "-500");  // refused without privilege; then so be it
}

// True once the job itself has ended. Orphans of it that ended too are reaped on the way.
bool reap(int job_pid, int& status) {
  bool ended = false;
  int each = 0;
  for (pid_t pid; (pid = waitpid(-1, &each, WNOHANG)) > 0;) {
    if (pid != job_pid) continue;
    status = each;
    ended = true;
  }
  return ended;
}

int wait_for_end(const Orders& o, int job_pid) {
  const sigset_t set = awaited_signals();
  const timespec young{0, kSettleMs * 1'000'000L};
  int status = 0;
  if (reap(job_pid, status)) return status;
  bool settled = false;
  for (;;) {
    siginfo_t info;
    const int got = settled ? sigwaitinfo(&set, &info) : sigtimedwait(&set, &info, &young);
    if (got == kKillOrder) kill_everything(o);
    if (reap(job_pid, status)) return status;
    if (got < 0 && errno == EAGAIN) {
      settle(o, job_pid);
      settled = true;
    }
  }
}

// With a daemon at the other end of the pipe the outcome is safe as soon as that has stored it. Without one, this file is
// all that there is, so it has to reach the disk.
bool daemon_is_gone() {
  pollfd status{kStatusFd, 0, 0};
  return poll(&status, 1, 0) != 0;
}

void put_down(const Ending& e) {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const std::int64_t cpu_ms =
      (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000 + (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000;
  const std::int64_t peak = e.peak_mib > 0 ? e.peak_mib : use.ru_maxrss / 1024;
  const int signal_number = WIFSIGNALED(e.status) ? WTERMSIG(e.status) : 0;
  Line text;
  text.text("stage=").number(static_cast<int>(e.stage)).text("\nerror=").number(e.error);
  text.text("\ncode=").number(signal_number != 0 ? 128 + signal_number : WEXITSTATUS(e.status));
  text.text("\nsignal=").number(signal_number).text("\ncpu_ms=").number(cpu_ms);
  text.text("\npeak_mib=").number(peak).text("\noom_kills=").number(e.oom_kills).text("\n");
  put_file(kExitFile, text, daemon_is_gone());
}

Ending live(const Orders& orders) {
  Ending ending;
  if (const int error = make_groups(orders)) {
    ending.stage = Stage::cgroup;
    ending.error = error;
    return ending;
  }
  const Birth birth = give_birth(orders);
  ending.stage = birth.stage;
  ending.error = birth.error;
  if (birth.stage == Stage::none) {
    const Started started{getpid(), birth.pid};
    (void)!write(kStatusFd, &started, sizeof started);
    ending.status = wait_for_end(orders, birth.pid);
    ending.peak_mib = peak_mib(orders);
    ending.oom_kills = oom_kills(orders);
  }
  end_leftovers(orders);
  return ending;
}

}  // namespace
}  // namespace berth::shim

namespace berth::shim {
namespace {

int run_shim(int argc, char** argv) {
  fcntl(kLockFd, F_SETFD, FD_CLOEXEC);
  fcntl(kStatusFd, F_SETFD, FD_CLOEXEC);
  block_all_signals();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Orders orders;
  if (!read_orders(argc, argv, orders)) {
    Ending wrong;
    wrong.stage = Stage::order;
    wrong.error = EINVAL;
    put_down(wrong);
    return 2;
  }
  put_down(live(orders));
  return 0;
}

}  // namespace
}  // namespace berth::shim

int main(int argc, char** argv) {
  using namespace berth::shim;
  if (argc == 2 && std::strcmp(argv[1], kNurseryArgument) == 0) return nurse(kNurserySocket, run_shim);
  return run_shim(argc, argv);
}
