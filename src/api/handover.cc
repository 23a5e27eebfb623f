#include "api/handover.h"

#include <utility>

namespace berth::api {

void Handover::bring(Loop::Task task) {
  const std::lock_guard lock(mutex_);
  if (!loop_) return;
  tasks_.push_back(std::move(task));
  if (tasks_.size() == 1) loop_->post([self = shared_from_this()] { self->run_all(); });
}

void Handover::run_all() {
  std::vector<Loop::Task> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const Loop::Task& task : tasks) task();
}

void Handover::close() {
  const std::lock_guard lock(mutex_);
  loop_ = nullptr;
  tasks_.clear();
}

}  // namespace berth::api
