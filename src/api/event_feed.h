// EventFeed: all clients of GET /v1/events. Each has a place in the journal and takes the next batch when the one before has
// left: so a client costs one batch at most, those at the same place share it, and nobody loses an event. Older events
// come from the store. A client that was up to date and then fell so far behind that memory no longer has what it needs is
// cut off with a last comment; it can go on where it was. Loop's thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "api/exchange.h"
#include "api/loop.h"
#include "api/news.h"

namespace berth::api {

struct Services;

class EventFeed {
 public:
  // `after`: the last event that the client has.
  void add(Services& services, const ExchangePtr& exchange, std::uint64_t after);
  std::size_t size() const { return clients_.size(); }

 private:
  struct Client {
    ExchangePtr exchange;
    std::uint64_t at = 0;
    bool sending = true;
    bool up_to_date = false;
  };
  struct Batch {
    std::uint64_t after = 0;
    std::uint64_t last = 0;
    Chunk text;
    bool from_store = false;
  };

  void published(Services& services);
  void advance(Services& services, std::uint64_t number);
  Result<Batch> batch_after(Services& services, std::uint64_t after);
  void send(Client& client, const Batch& batch);
  void cut_off(Services& services, std::uint64_t number, const std::string& why);
  void drop(Services& services, std::uint64_t number);
  void beat(Services& services);

  std::map<std::uint64_t, Client> clients_;
  std::deque<Batch> recent_;  // the newest last
  News::Subscription news_;
  std::unique_ptr<Loop::Timer> heart_;
  std::uint64_t next_ = 1;
};

}  // namespace berth::api
