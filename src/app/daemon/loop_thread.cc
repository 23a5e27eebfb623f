#include "app/daemon/loop_thread.h"

#include <algorithm>
#include <optional>

#include "app/daemon/log.h"

namespace berth {
namespace {

constexpr Duration kWorthSaying = seconds(2);
// While the clock is off by so much, a long sleep would wake late by a tenth.
constexpr Duration kLongestSleepWhileOff = seconds(60);

Duration absolute(Duration d) { return std::max(d, Duration(-d.ms())); }

// Says once that the wall clock jumped, and once that the difference is taken up.
class JumpReport {
 public:
  void look(Duration behind) {
    const bool off = absolute(behind) >= kWorthSaying;
    if (off && !was_off_) {
      log::warning(
          "the wall clock jumped by {} ms; running times go on as before, and the difference is taken up slowly",
          behind.ms());
    } else if (!off && was_off_) {
      log::info("the clock agrees with the wall clock again");
    }
    was_off_ = off;
  }

 private:
  bool was_off_ = false;
};

}  // namespace

LoopThread::LoopThread(Controller& controller, Inbox& inbox, Clock& clock)
    : controller_(controller), inbox_(inbox), clock_(clock), thread_([this] { run(); }) {}

LoopThread::~LoopThread() {
  ends_ = true;
  inbox_.wake();
  thread_.join();
}

void LoopThread::run() {
  JumpReport jumps;
  while (!ends_) {
    const Time now = clock_.now();
    jumps.look(clock_.behind_wall());
    const Time due = controller_.step(now);
    if (ends_) return;
    std::optional<Duration> sleep;
    if (due != kForever) sleep = std::max(due - now, Duration());
    if (sleep && absolute(clock_.behind_wall()) >= kWorthSaying) sleep = std::min(*sleep, kLongestSleepWhileOff);
    inbox_.wait(sleep);
  }
}

}  // namespace berth
