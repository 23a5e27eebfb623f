#include "control/inbox.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace berth {

void Inbox::post(Command command, Reply reply) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back({std::move(command), std::move(reply)});
  }
  filled_.notify_one();
}

void Inbox::post(Observation observation) {
  {
    const std::lock_guard lock(mutex_);
    observations_.push_back(std::move(observation));
  }
  filled_.notify_one();
}

Inbox::Batch Inbox::drain(std::size_t max_requests) {
  const std::lock_guard lock(mutex_);
  woken_ = false;
  Batch batch;
  batch.observations.swap(observations_);
  if (requests_.size() <= max_requests) {
    batch.requests.swap(requests_);
    return batch;
  }
  const auto end = requests_.begin() + static_cast<std::ptrdiff_t>(max_requests);
  batch.requests.assign(std::make_move_iterator(requests_.begin()), std::make_move_iterator(end));
  requests_.erase(requests_.begin(), end);
  return batch;
}

void Inbox::wait(std::optional<Duration> timeout) {
  std::unique_lock lock(mutex_);
  const auto something = [this] { return woken_ || !requests_.empty() || !observations_.empty(); };
  if (timeout)
    filled_.wait_for(lock, std::chrono::milliseconds(timeout->ms()), something);
  else
    filled_.wait(lock, something);
}

void Inbox::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  filled_.notify_one();
}

}  // namespace berth
