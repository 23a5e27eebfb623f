#include "api/pending.h"

#include "api/services.h"

namespace berth::api {

// What the controller's thread gets knows a number only: the exchange that waits never leaves the loop's thread.
void Pending::post(Services& services, Command command, std::function<void(Result<Answer>)> replied) {
  const std::uint64_t number = next_++;
  waiting_.emplace(number, Entry{std::chrono::steady_clock::now(), std::move(replied)});
  services.inbox.post(std::move(command), [handover = services.handover, this, number](Result<Answer> result) {
    handover->bring([this, number, result = std::move(result)] { settle(number, result); });
  });
}

void Pending::settle(std::uint64_t number, Result<Answer> result) {
  auto node = waiting_.extract(number);
  if (node) node.mapped().replied(std::move(result));
}

std::chrono::milliseconds Pending::oldest() const {
  if (waiting_.empty()) return {};
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               waiting_.begin()->second.sent);
}

}  // namespace berth::api
