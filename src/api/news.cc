#include "api/news.h"

#include <vector>

namespace berth::api {

void News::published() {
  if (interested_ == 0 || under_way_.exchange(true)) return;
  handover_->bring([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->tell();
  });
}

void News::tell() {
  under_way_ = false;
  std::vector<std::uint64_t> numbers;
  numbers.reserve(tasks_.size());
  for (const auto& [number, task] : tasks_) numbers.push_back(number);
  for (const std::uint64_t number : numbers) {
    const auto found = tasks_.find(number);  // it may have gone since
    if (found == tasks_.end()) continue;
    const Task task = found->second;
    task();
  }
}

News::Subscription News::subscribe(Task task) {
  const std::uint64_t number = next_++;
  tasks_.emplace(number, std::move(task));
  ++interested_;
  return {weak_from_this(), number};
}

News::Subscription& News::Subscription::operator=(Subscription&& other) noexcept {
  if (this != &other) {
    end();
    news_ = std::move(other.news_);
    number_ = other.number_;
  }
  return *this;
}

void News::Subscription::end() {
  const auto news = news_.lock();
  news_.reset();
  if (news && news->tasks_.erase(number_) > 0) --news->interested_;
}

}  // namespace berth::api
