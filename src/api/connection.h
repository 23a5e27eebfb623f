// Connection: one client. Reads requests one after the other (pipelined ones wait), hands each to `serve`, writes answers in
// order. Bounds on sizes and on time hold for every client. Owned by the server; the loop's thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/exchange.h"
#include "api/loop.h"
#include "api/parser.h"
#include "api/peer.h"
#include "api/stream.h"

namespace berth::api {

// How long a client may take.
struct Patience {
  std::chrono::milliseconds idle{75'000};     // between requests
  std::chrono::milliseconds header{10'000};   // from the first byte of a request to the end of its header
  std::chrono::milliseconds body{60'000};     // from there to the end of its body
  std::chrono::milliseconds stalled{30'000};  // while it takes nothing of what is sent
  std::chrono::milliseconds leaving{2'000};   // to close its side after the last answer
};

class Connection final : private Outlet {
 public:
  struct Host {
    std::function<void(const ExchangePtr&)> serve;
    std::function<void(Connection&)> closed;  // once; must not destroy it before the caller has returned
    std::function<void(const Exchange&, int status)> answered;  // for metrics; a failed parse has no route
    Patience patience;
  };

  Connection(Loop& loop, std::unique_ptr<Stream> stream, Peer peer, const Host& host);
  ~Connection() override;
  void start();
  // At once, without a word to the client.
  void shut();

 private:
  enum class Phase { reading, handling, leaving, closed };
  struct Part {
    Chunk chunk;
    std::size_t offset = 0;
  };

  void answer(const Response& response) override;
  void begin_stream(const Response& head) override;
  void push(Chunk chunk) override;
  void end_stream() override;
  void input_matters() override;
  const Caller& caller() override { return peer_.caller(); }
  bool over_tcp() const override { return peer_.is_tcp(); }

  void await_input();
  void take_input();
  void input_ended();
  void pump();
  bool parse_one();
  void refuse(int status, const Error& error);
  void queue(Chunk chunk);
  void flush();
  bool write_some();
  void announce_drained();
  void answer_is_out();
  void leave();
  void allow(std::chrono::milliseconds span);
  void allow_for_ever() { deadline_ = SteadyTime::max(); }
  void arm();
  void out_of_time();

  Loop& loop_;
  std::unique_ptr<Stream> stream_;
  Peer peer_;
  const Host& host_;
  std::unique_ptr<Loop::Timer> timer_;
  SteadyTime deadline_ = SteadyTime::max();
  SteadyTime armed_ = SteadyTime::max();
  Phase phase_ = Phase::reading;
  std::string in_;  // read; the first in_used_ bytes are parsed
  std::size_t in_used_ = 0;
  std::unique_ptr<Parser> parser_;  // of the request that is being read
  bool continued_ = false;
  ExchangePtr exchange_;  // that is being answered
  std::vector<Part> out_;
  bool keep_alive_ = true;
  bool chunked_ = false;
  bool complete_ = false;       // the answer is queued as a whole
  bool input_matters_ = false;  // the answer ends if the client ends its side
  bool input_ended_ = false;
  bool waiting_input_ = false;
  bool waiting_output_ = false;
  bool pumping_ = false;
  bool drain_announced_ = false;
  std::size_t drained_away_ = 0;
};

}  // namespace berth::api
