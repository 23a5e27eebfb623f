// JobWaiters: exchanges that wait until jobs have ended. Woken by publishes only; a publish costs each of them one look-up.
// Loop's thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "api/exchange.h"
#include "api/loop.h"
#include "api/news.h"
#include "base/ids.h"

namespace berth::api {

struct Services;

class JobWaiters {
 public:
  // Answers when all of `jobs` have ended, or at `until`.
  void add(Services& services, const ExchangePtr& exchange, std::vector<JobId> jobs, SteadyTime until);
  std::size_t size() const { return waiters_.size(); }

 private:
  struct Waiter {
    ExchangePtr exchange;
    std::vector<JobId> jobs;
    std::set<JobId> left;
    std::unique_ptr<Loop::Timer> timer;
  };
  void look(Services& services);
  void answer(Services& services, std::uint64_t number);
  void drop(std::uint64_t number);

  std::map<std::uint64_t, Waiter> waiters_;
  News::Subscription news_;
  std::uint64_t next_ = 1;
};

}  // namespace berth::api
