#include "engine/local/gpu/gpu_watch.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

namespace berth {
namespace {

constexpr Duration kLongestPause = minutes(5);
constexpr Duration kDriverAgain = minutes(1);  // while the driver is not loaded, or does not fit

Time wall_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return Time(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (const std::string& s : strings) list.push_back(const_cast<char*>(s.c_str()));
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> helper_environment(const std::vector<std::string>& added) {
  std::vector<std::string> all;
  for (char** e = environ; e != nullptr && *e != nullptr; ++e) all.emplace_back(*e);
  all.insert(all.end(), added.begin(), added.end());
  return all;
}

// 0 or errno. The helper gets the two pipe ends as its standard input and output.
int spawn_helper(const LocalOptions& options, int input, int output, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  const auto environment = helper_environment(options.probe_environment);
  const int error = posix_spawnp(&pid, options.probe_command.front().c_str(), &actions, &attributes,
                                 pointers(options.probe_command).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

GpuWatch::GpuWatch(const LocalOptions& options, EventLoop& loop, GpuInventory::IsOurs is_ours,
                   std::function<void()> changed)
    : options_(options),
      loop_(loop),
      is_ours_(std::move(is_ours)),
      changed_(std::move(changed)),
      inventory_(options.heal_after),
      pause_(options.probe_backoff) {}

GpuWatch::~GpuWatch() {
  if (timer_) loop_.cancel(*timer_);
  if (pid_ > 0) abandon();
  for (auto& [pid, pidfd] : abandoned_) {
    loop_.unwatch(pidfd.get());
    waitpid(pid, nullptr, WNOHANG);  // one that hangs in the driver is not waited for
  }
}

void GpuWatch::set_timer(Duration delay, void (GpuWatch::*work)()) {
  if (timer_) loop_.cancel(*timer_);
  timer_ = loop_.after(delay, [this, work] {
    timer_.reset();
    (this->*work)();
  });
}

void GpuWatch::start() { spawn(); }

void GpuWatch::spawn() {
  if (abandoned_.size() >= kMostAbandoned) return;  // the end of one of them starts the next
  int down[2], up[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, down) != 0) return retry_later();
  Descriptor input(down[0]), to(down[1]);
  if (pipe2(up, O_CLOEXEC) != 0) return retry_later();
  Descriptor from(up[0]), output(up[1]);
  if (const int error = spawn_helper(options_, input.get(), output.get(), pid_); error != 0) {
    pid_ = -1;
    inventory_.lose_sight("the GPU probe " + options_.probe_command.front() + " cannot be started (errno " +
                          std::to_string(error) + ")");
    tell();
    return retry_later();
  }
  to_ = std::move(to);
  from_ = std::move(from);
  fcntl(from_.get(), F_SETFL, O_NONBLOCK);
  unread_.clear();
  reader_ = {};
  want_links_ = true;
  loop_.watch(from_.get(), [this] { on_output(); });
  ask();
}

void GpuWatch::ask() {
  const char* order = want_links_ ? "links\n" : "read\n";
  // A socket, so that a helper that has just died gives an error and not SIGPIPE.
  (void)!send(to_.get(), order, want_links_ ? 6 : 5, MSG_NOSIGNAL);
  set_timer(options_.probe_timeout, &GpuWatch::on_hung);
}

void GpuWatch::on_output() {
  char buffer[16 * 1024];
  const ssize_t n = read(from_.get(), buffer, sizeof buffer);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return on_helper_gone();
  unread_.append(buffer, static_cast<std::size_t>(n));
  std::size_t at = 0;
  for (std::size_t end; (end = unread_.find('\n', at)) != std::string::npos; at = end + 1) {
    take_line(unread_.substr(at, end - at));
    if (pid_ <= 0) return;  // what the line said ended the helper
  }
  unread_.erase(0, at);
}

void GpuWatch::take_line(const std::string& line) {
  const auto message = reader_.take(line);
  if (!message) return;
  if (const auto* xid = std::get_if<XidEvent>(&*message)) {
    const auto before = inventory_.gpus();
    inventory_.take(*xid, wall_now());
    if (inventory_.gpus() != before) tell();
    return;
  }
  take_report(std::get<ProbeReport>(*message));
}

void GpuWatch::take_report(const ProbeReport& report) {
  const auto before = inventory_.gpus();
  const std::string trouble = inventory_.trouble();
  inventory_.take(report, is_ours_, wall_now());
  pause_ = options_.probe_backoff;
  want_links_ = inventory_.gpus().size() != before.size() && report.links.empty();
  const bool news = !has_answered_ || inventory_.gpus() != before || inventory_.trouble() != trouble;
  plan_next(report);
  if (news) tell();
}

void GpuWatch::plan_next(const ProbeReport& report) {
  if (!report.has_library) return abandon();  // a machine without NVIDIA's driver: nothing to watch
  const bool up = report.error == 0;
  set_timer(up ? options_.probe_interval
               : std::max(options_.probe_interval, std::min(kDriverAgain, options_.probe_interval * 12)),
            &GpuWatch::ask);
}

void GpuWatch::on_hung() {
  inventory_.lose_sight("NVML has not answered for " + std::to_string(options_.probe_timeout.ms() / 1000) + " s");
  abandon();
  retry_later();
  tell();
}

void GpuWatch::on_helper_gone() {
  inventory_.lose_sight("the GPU probe ended unexpectedly");
  abandon();
  retry_later();
  tell();
}

// Killed, and reaped whenever the kernel lets go of it.
void GpuWatch::abandon() {
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
  loop_.unwatch(from_.get());
  from_.reset();
  to_.reset();
  const pid_t pid = std::exchange(pid_, -1);
  Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  kill(pid, SIGKILL);
  if (!pidfd) return void(waitpid(pid, nullptr, 0));
  loop_.watch(pidfd.get(), [this, pid] {
    const auto found = abandoned_.find(pid);
    loop_.unwatch(found->second.get());
    waitpid(pid, nullptr, WNOHANG);
    const bool was_full = abandoned_.size() >= kMostAbandoned;
    abandoned_.erase(found);
    if (was_full && pid_ <= 0 && !timer_) retry_later();
  });
  abandoned_.emplace(pid, std::move(pidfd));
}

void GpuWatch::retry_later() {
  set_timer(pause_, &GpuWatch::spawn);
  pause_ = std::min(pause_ * 2, kLongestPause);
}

void GpuWatch::tell() {
  has_answered_ = true;
  changed_();
}

}  // namespace berth
