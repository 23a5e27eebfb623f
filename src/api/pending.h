// Pending: commands handed to the controller that have no reply yet, and how old the oldest is. A loop that stands still
// shows here, whatever its own figures say. Loop's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>

#include "api/loop.h"
#include "base/result.h"
#include "model/command.h"

namespace berth::api {

struct Services;

class Pending {
 public:
  // Posts the command; `replied` runs on the loop's thread, unless the server ends first.
  void post(Services& services, Command command, std::function<void(Result<Answer>)> replied);
  std::chrono::milliseconds oldest() const;
  std::size_t count() const { return waiting_.size(); }

 private:
  struct Entry {
    SteadyTime sent;
    std::function<void(Result<Answer>)> replied;
  };
  void settle(std::uint64_t number, Result<Answer> result);

  std::map<std::uint64_t, Entry> waiting_;  // in the order of sending
  std::uint64_t next_ = 1;
};

}  // namespace berth::api
