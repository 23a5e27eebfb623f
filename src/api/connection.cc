#include "api/connection.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace berth::api {
namespace {

constexpr std::size_t kScratch = 64 * 1024;
constexpr std::size_t kMaxAhead = 64 * 1024;           // pipelined bytes that wait while a request is handled
constexpr std::size_t kMaxDrained = 64 * 1024 * 1024;  // thrown away after a refusal, so that the client reads why
constexpr std::size_t kPartsAtOnce = 16;

Chunk chunk_of(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

Chunk chunk_head(std::size_t size) {
  std::array<char, 24> text{};
  const int n = std::snprintf(text.data(), text.size(), "%zx\r\n", size);
  return chunk_of(std::string(text.data(), static_cast<std::size_t>(n)));
}

Chunk line_end() {
  static const Chunk text = chunk_of("\r\n");
  return text;
}

Chunk last_chunk() {
  static const Chunk text = chunk_of("0\r\n\r\n");
  return text;
}

}  // namespace

Connection::Connection(Loop& loop, std::unique_ptr<Stream> stream, Peer peer, const Host& host)
    : loop_(loop), stream_(std::move(stream)), peer_(std::move(peer)), host_(host), timer_(loop.timer()) {}

Connection::~Connection() {
  if (exchange_) exchange_->detach(false);
}

void Connection::start() {
  allow(host_.patience.idle);
  await_input();
}

void Connection::shut() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  timer_->cancel();
  stream_.reset();
  out_.clear();
  if (const ExchangePtr exchange = std::move(exchange_)) {
    if (exchange->status() != 0) host_.answered(*exchange, exchange->status());
    exchange->detach(true);
  }
  host_.closed(*this);
}

// ---- input

void Connection::await_input() {
  if (waiting_input_ || input_ended_ || phase_ == Phase::closed) return;
  if (phase_ == Phase::handling && in_.size() > kMaxAhead) return;
  waiting_input_ = true;
  stream_->when_readable([this] {
    waiting_input_ = false;
    take_input();
  });
}

void Connection::take_input() {
  static thread_local std::array<char, kScratch> scratch;
  const IoResult got = stream_->read(scratch);
  if (got.state == IoState::broken) return shut();
  if (got.state == IoState::end) return input_ended();
  if (phase_ == Phase::leaving) {
    drained_away_ += got.bytes;
    if (drained_away_ > kMaxDrained) return shut();
  } else if (got.state == IoState::done) {
    if (in_.empty() && !parser_ && phase_ == Phase::reading) allow(host_.patience.header);
    in_.append(scratch.data(), got.bytes);
  }
  if (phase_ == Phase::reading) return pump();
  await_input();
}

void Connection::input_ended() {
  input_ended_ = true;
  const bool nothing_to_say = phase_ == Phase::reading || phase_ == Phase::leaving || input_matters_;
  if (nothing_to_say) shut();
}

// Serves what has been read. Answers given at once come back here through answer_is_out(): the loop takes the next, not the
// stack.
void Connection::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (phase_ == Phase::reading && parse_one()) {}
  pumping_ = false;
  in_.erase(0, in_used_);
  in_used_ = 0;
  if (phase_ == Phase::reading && input_ended_) return leave();
  await_input();
}

bool Connection::parse_one() {
  if (in_.empty()) return false;
  if (!parser_) parser_ = std::make_unique<Parser>();
  const bool had_head = parser_->head_done();
  const Parser::Step step = parser_->put(std::string_view(in_).substr(in_used_));
  in_used_ += step.used;
  if (in_used_ == in_.size()) in_.clear(), in_used_ = 0;
  if (step.state == Parser::State::failed) return refuse(step.status, step.error), false;
  if (step.state == Parser::State::more) {
    if (!had_head && parser_->head_done()) allow(host_.patience.body);
    if (parser_->wants_continue() && !continued_) {
      continued_ = true;
      queue(chunk_of("HTTP/1.1 100 Continue\r\n\r\n"));
      flush();
      allow(host_.patience.body);
    }
    return false;
  }
  exchange_ = std::make_shared<Exchange>(parser_->take(), static_cast<Outlet&>(*this));
  parser_.reset();
  continued_ = false;
  if (in_.empty() && in_.capacity() > kMaxHeader) in_.shrink_to_fit();
  phase_ = Phase::handling;
  complete_ = input_matters_ = chunked_ = drain_announced_ = false;
  keep_alive_ = exchange_->request().keep_alive;
  allow_for_ever();
  host_.serve(ExchangePtr(exchange_));
  return true;
}

// What cannot be read as a request: say why, then close, as nobody knows where the next one would begin.
void Connection::refuse(int status, const Error& error) {
  Request request;
  request.keep_alive = false;
  exchange_ = std::make_shared<Exchange>(std::move(request), static_cast<Outlet&>(*this));
  parser_.reset();
  in_ = {};
  in_used_ = 0;
  phase_ = Phase::handling;
  complete_ = input_matters_ = false;
  keep_alive_ = false;
  const ExchangePtr exchange = exchange_;
  exchange->respond(error_response(status, error));
}

// ---- output

void Connection::answer(const Response& response) {
  const ExchangePtr exchange = exchange_;
  const Request& request = exchange->request();
  queue(chunk_of(head_of(response, static_cast<std::int64_t>(response.body.size()), request)));
  if (request.method != Method::head && !response.body.empty()) queue(chunk_of(response.body));
  complete_ = true;
  flush();
}

void Connection::begin_stream(const Response& head) {
  const Request& request = exchange_->request();
  chunked_ = !request.http_1_0;
  if (!chunked_) keep_alive_ = exchange_->request().keep_alive = false;
  queue(chunk_of(head_of(head, -1, request)));
  flush();
}

void Connection::push(Chunk chunk) {
  if (chunked_) queue(chunk_head(chunk->size()));
  queue(std::move(chunk));
  if (chunked_) queue(line_end());
  flush();
}

void Connection::end_stream() {
  if (chunked_) queue(last_chunk());
  complete_ = true;
  input_matters_ = false;
  flush();
}

void Connection::input_matters() {
  input_matters_ = true;
  if (input_ended_)
    loop_.post([weak = std::weak_ptr<Exchange>(exchange_), this] {
      // The exchange lives only while its connection does.
      if (const auto exchange = weak.lock(); exchange && exchange->open()) shut();
    });
}

void Connection::queue(Chunk chunk) {
  if (out_.empty()) allow(host_.patience.stalled);
  out_.push_back({std::move(chunk), 0});
}

void Connection::flush() {
  if (waiting_output_) return;
  while (!out_.empty()) {
    if (!write_some()) return;
  }
  if (phase_ != Phase::handling) return;
  if (complete_) return answer_is_out();
  allow_for_ever();
  announce_drained();
}

// By way of the loop, so that a stream with much to send neither grows the stack nor keeps others waiting.
void Connection::announce_drained() {
  if (drain_announced_) return;
  drain_announced_ = true;
  loop_.post([weak = std::weak_ptr<Exchange>(exchange_), this] {
    const auto exchange = weak.lock();
    if (!exchange || !exchange->open()) return;  // then the connection may be gone too
    drain_announced_ = false;
    if (out_.empty()) exchange->drained();
  });
}

// False if the client takes no more now, or is gone.
bool Connection::write_some() {
  std::array<std::string_view, kPartsAtOnce> parts;
  const std::size_t count = std::min(out_.size(), parts.size());
  for (std::size_t i = 0; i < count; ++i) parts[i] = std::string_view(*out_[i].chunk).substr(out_[i].offset);
  const IoResult sent = stream_->write({parts.data(), count});
  if (sent.state == IoState::would_block) {
    waiting_output_ = true;
    stream_->when_writable([this] {
      waiting_output_ = false;
      flush();
    });
    return false;
  }
  if (sent.state != IoState::done) {
    shut();
    return false;
  }
  std::size_t left = sent.bytes;
  std::size_t whole = 0;
  for (; whole < count && left >= parts[whole].size(); ++whole) left -= parts[whole].size();
  if (whole < count) out_[whole].offset += left;
  out_.erase(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(whole));
  allow(host_.patience.stalled);
  return true;
}

void Connection::answer_is_out() {
  host_.answered(*exchange_, exchange_->status());
  exchange_.reset();
  complete_ = false;
  if (!keep_alive_) return leave();
  phase_ = Phase::reading;
  allow(in_.empty() ? host_.patience.idle : host_.patience.header);
  pump();
}

// Closing with unread input would make the kernel reset the connection, and the client might never read the answer.
void Connection::leave() {
  if (input_ended_) return shut();
  phase_ = Phase::leaving;
  stream_->end_writing();
  in_ = {};
  allow(host_.patience.leaving);
  await_input();
}

// ---- time

// The timer is moved only to an earlier time; when it rings too early it is set again. So a request costs no timer work.
void Connection::allow(std::chrono::milliseconds span) {
  deadline_ = std::chrono::steady_clock::now() + span;
  if (deadline_ < armed_) arm();
}

void Connection::arm() {
  armed_ = deadline_;
  timer_->arm(armed_, [this] {
    armed_ = SteadyTime::max();
    if (deadline_ == SteadyTime::max()) return;
    if (std::chrono::steady_clock::now() >= deadline_) return out_of_time();
    arm();
  });
}

void Connection::out_of_time() {
  if (phase_ != Phase::reading || (in_.empty() && !parser_) || !out_.empty()) return shut();
  refuse(408, {ErrorCode::timeout, "the request did not arrive in time", "send it in one go"});
}

}  // namespace berth::api
