#include "sim/event_queue.h"

#include <algorithm>

#include "base/check.h"

namespace berth {

void EventQueue::at(Time when, Action action) {
  waiting_.emplace(std::pair{std::max(when, now_), sequence_++}, std::move(action));
}

std::optional<Time> EventQueue::next() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.begin()->first.first;
}

int EventQueue::run_due() {
  int ran = 0;
  while (!waiting_.empty() && waiting_.begin()->first.first <= now_) {
    auto due = waiting_.extract(waiting_.begin());
    due.mapped()();
    ++ran;
  }
  return ran;
}

void EventQueue::advance(Time to) {
  BERTH_CHECK(to >= now_, "time goes back");
  BERTH_CHECK(!next() || *next() >= to, "time jumps over what is due");
  now_ = to;
}

}  // namespace berth
