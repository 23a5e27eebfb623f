// GET /v1/events.
#include "api/event_feed.h"

#include <vector>

#include "api/event_text.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/services.h"

namespace berth::api {
namespace {

constexpr std::size_t kBatch = 256;               // events
constexpr std::size_t kRecent = 16;               // batches
constexpr auto kBeat = std::chrono::seconds(15);  // so that both sides notice a dead connection

std::uint64_t newest(const View& view) {
  return view.read([](const Snapshot& snapshot) { return snapshot.state.sequence; });
}

Chunk comment(const std::string& text) { return std::make_shared<const std::string>(": " + text + "\n\n"); }

}  // namespace

void EventFeed::add(Services& services, const ExchangePtr& exchange, std::uint64_t after) {
  if (clients_.empty()) {
    news_ = services.news->subscribe([this, &services] { published(services); });
    heart_ = services.loop.timer();
    heart_->arm(std::chrono::steady_clock::now() + kBeat, [this, &services] { beat(services); });
  }
  const std::uint64_t number = next_++;
  clients_[number] = {exchange, after, true, false};
  services.metrics.set_watchers(clients_.size());
  exchange->on_gone([this, &services, number] { drop(services, number); });
  Response head;
  head.content_type = "text/event-stream";
  exchange->begin(head, [this, &services, number] { advance(services, number); });
  if (!exchange->open()) return drop(services, number);  // HEAD
  exchange->send(std::make_shared<const std::string>("retry: 1000\n: after " + std::to_string(after) + "\n\n"));
}

void EventFeed::published(Services& services) {
  std::vector<std::uint64_t> ready;
  for (const auto& [number, client] : clients_)
    if (!client.sending) ready.push_back(number);
  for (const std::uint64_t number : ready) advance(services, number);
}

// The client has taken all that was sent.
void EventFeed::advance(Services& services, std::uint64_t number) {
  const auto found = clients_.find(number);
  if (found == clients_.end()) return;
  Client& client = found->second;
  client.sending = false;
  if (client.at >= newest(services.view)) {
    client.up_to_date = true;
    return;
  }
  const Result<Batch> batch = batch_after(services, client.at);
  if (!batch) return cut_off(services, number, "the journal cannot be read: " + batch.error().message);
  if (batch->last == client.at) return;
  if (batch->from_store && client.up_to_date)
    return cut_off(services, number, "too slow; go on with after=" + std::to_string(client.at));
  send(client, *batch);
}

void EventFeed::send(Client& client, const Batch& batch) {
  client.at = batch.last;
  client.sending = true;
  const ExchangePtr exchange = client.exchange;
  exchange->send(batch.text);  // may drop the client
}

Result<EventFeed::Batch> EventFeed::batch_after(Services& services, std::uint64_t after) {
  for (auto batch = recent_.rbegin(); batch != recent_.rend(); ++batch)
    if (batch->after == after) return *batch;
  View::Tail tail = services.view.tail(after, kBatch);
  Batch batch{after, after, nullptr, !tail.complete};
  if (!tail.complete) {
    Result<std::vector<JournalRecord>> stored = services.store.journal(after, kBatch);
    if (!stored) return stored.error();
    tail.records = std::move(stored).value();
  }
  std::string text;
  for (const JournalRecord& record : tail.records) text += event_text(record);
  if (!tail.records.empty()) batch.last = tail.records.back().sequence;
  batch.text = std::make_shared<const std::string>(std::move(text));
  if (batch.from_store) return batch;
  recent_.push_back(batch);
  if (recent_.size() > kRecent) recent_.pop_front();
  return batch;
}

void EventFeed::cut_off(Services& services, std::uint64_t number, const std::string& why) {
  const ExchangePtr exchange = clients_.at(number).exchange;
  drop(services, number);
  exchange->send(comment(why));
  exchange->finish();
}

void EventFeed::drop(Services& services, std::uint64_t number) {
  clients_.erase(number);
  services.metrics.set_watchers(clients_.size());
  if (!clients_.empty()) return;
  news_.end();
  heart_.reset();
  recent_.clear();
}

void EventFeed::beat(Services& services) {
  const Chunk text = comment("beat");
  std::vector<ExchangePtr> idle;
  for (const auto& [number, client] : clients_)
    if (!client.sending) idle.push_back(client.exchange);
  for (const ExchangePtr& exchange : idle) exchange->send(text);
  if (heart_) heart_->arm(std::chrono::steady_clock::now() + kBeat, [this, &services] { beat(services); });
}

void get_events(Services& services, const ExchangePtr& exchange) {
  Query query(exchange->request());
  const std::uint64_t now = newest(services.view);
  std::uint64_t after =
      static_cast<std::uint64_t>(query.integer("after", static_cast<std::int64_t>(now), 0, INT64_MAX));
  if (query.error()) return exchange->respond(*query.error());
  const std::string& last = exchange->request().last_event_id;  // sent by a client that resumes; newer than its URL
  if (!last.empty()) {
    const auto sequence = whole_number(last);
    if (!sequence)
      return exchange->respond(
          Error{ErrorCode::invalid, "Last-Event-ID is '" + last.substr(0, 100) + "'", "the id of an event"});
    after = static_cast<std::uint64_t>(*sequence);
  }
  if (after > now) {
    return exchange->respond(
        Error{ErrorCode::conflict,
              "event " + std::to_string(after) + " has not happened; the newest is " + std::to_string(now),
              "start anew without after= and Last-Event-ID"});
  }
  services.feed.add(services, exchange, after);
}

}  // namespace berth::api
