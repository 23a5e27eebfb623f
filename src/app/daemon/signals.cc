#include "app/daemon/signals.h"

#include <pthread.h>
#include <signal.h>

namespace berth {
namespace {

sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  return set;
}

}  // namespace

void Signals::block() {
  const sigset_t set = awaited();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

Signals::Signals(std::function<void()> stop, std::function<void()> reload)
    : stop_(std::move(stop)), reload_(std::move(reload)), thread_([this] { run(); }) {}

Signals::~Signals() {
  ends_ = true;
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void Signals::run() {
  const sigset_t set = awaited();
  for (int number = 0; sigwait(&set, &number) == 0 && !ends_;) number == SIGHUP ? reload_() : stop_();
}

}  // namespace berth
