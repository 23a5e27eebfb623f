#include "store/last_row.h"

#include <algorithm>

#include "base/check.h"

namespace berth {
namespace {

class Fold {
 public:
  Fold(std::optional<Job> before, JobId id) : id_(id), job_(std::move(before)) {}

  void at(Time now) { now_ = now; }
  void operator()(const event::JobSubmitted& e) {
    const std::int64_t element = id_.value() - e.first.value();
    const std::int64_t count = e.spec->array ? static_cast<std::int64_t>(e.spec->array->indexes.size()) : 1;
    if (element < 0 || element >= count) return;
    job_.emplace();
    job_->id = id_;
    job_->spec = e.spec;
    job_->queue = e.queue;
    if (e.spec->array) {
      const std::int32_t index = e.spec->array->indexes[static_cast<std::size_t>(element)];
      job_->array = ArrayRef{e.first, index, e.spec->array->throttle};
    }
    if (e.spec->hold) job_->held_by = e.spec->user;
    job_->submitted = now_;
    job_->eligible = std::max(now_, e.spec->begin.value_or(now_));
  }
  void operator()(const event::JobHeld& e) {
    if (mine(e.job)) job_->held_by = e.by;
  }
  void operator()(const event::JobReleased& e) {
    if (!mine(e.job)) return;
    job_->held_by.clear();
    job_->launch_failures = 0;
  }
  void operator()(const event::JobEnded& e) {
    if (!mine(e.job)) return;
    job_->state = e.state;
    job_->ended = now_;
    job_->reason = e.reason;
  }
  void operator()(const event::JobRequeued& e) {
    if (!mine(e.job)) return;
    job_->eligible = e.eligible;
    job_->retries += e.spends_retry ? 1 : 0;
    job_->launch_failures = e.launch_failure ? job_->launch_failures + 1 : 0;
  }
  void operator()(const event::AttemptPlaced& e) {
    if (!mine(e.key.job)) return;
    job_->attempt = e.key.attempt;
    job_->started = Time{};
    job_->exit = {};
  }
  void operator()(const event::AttemptStarted& e) {
    if (!mine(e.key.job)) return;
    job_->started = now_;
    job_->launch_failures = 0;
  }
  void operator()(const event::AttemptEnded& e) {
    if (mine(e.key.job)) job_->exit = e.exit;
  }
  template <class Other>
  void operator()(const Other&) {}  // changes nothing that an ended job keeps

  Job take() {
    BERTH_CHECK(job_ && is_ended(job_->state), "a job left memory before it ended");
    return std::move(*job_);
  }

 private:
  bool mine(JobId id) const {
    BERTH_CHECK(id != id_ || job_, "an event about a job that the store does not know");
    return id == id_;
  }

  JobId id_;
  std::optional<Job> job_;
  Time now_;
};

}  // namespace

Job last_row(std::optional<Job> before, JobId id, const Events& events) {
  Fold fold(std::move(before), id);
  for (const Event& event : events) {
    fold.at(event.at);
    std::visit(fold, event.body);
  }
  return fold.take();
}

}  // namespace berth
