// News: tells those who wait that the View has changed. Nobody waits: a publish costs one atomic read and wakes no thread.
// Subscribe first, then look at the View: then nothing is missed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "api/handover.h"

namespace berth::api {

class News : public std::enable_shared_from_this<News> {
 public:
  using Task = std::function<void()>;

  explicit News(std::shared_ptr<Handover> handover) : handover_(std::move(handover)) {}
  // Any thread; the controller calls it after each publish.
  void published();

  // Loop's thread. The task runs after publishes, until the subscription goes.
  class Subscription {
   public:
    Subscription() = default;
    Subscription(std::weak_ptr<News> news, std::uint64_t number) : news_(std::move(news)), number_(number) {}
    Subscription(Subscription&& other) noexcept : news_(std::move(other.news_)), number_(other.number_) {}
    Subscription& operator=(Subscription&& other) noexcept;
    ~Subscription() { end(); }
    void end();

   private:
    std::weak_ptr<News> news_;
    std::uint64_t number_ = 0;
  };
  Subscription subscribe(Task task);

 private:
  void tell();

  std::shared_ptr<Handover> handover_;
  std::atomic<std::int64_t> interested_{0};
  std::atomic<bool> under_way_{false};
  std::map<std::uint64_t, Task> tasks_;
  std::uint64_t next_ = 1;
};

}  // namespace berth::api
