#include "api/loop.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>

namespace berth::api {

namespace asio = boost::asio;

struct Loop::Asio {
  asio::io_context context{1};
};

namespace {

// A handler that Asio has already queued still runs after cancel() or destruction. It counts only if nothing of the kind
// happened since: then the number that it remembers is still the current one.
class Turn {
 public:
  ~Turn() { next(); }
  std::function<bool()> next() {
    return [turn = turn_, mine = ++*turn_] { return *turn == mine; };
  }

 private:
  std::shared_ptr<std::uint64_t> turn_ = std::make_shared<std::uint64_t>(0);
};

class AsioTimer final : public Loop::Timer {
 public:
  explicit AsioTimer(asio::io_context& context) : timer_(context) {}
  void arm(SteadyTime at, Loop::Task task) override {
    timer_.expires_at(at);
    timer_.async_wait([task = std::move(task), current = turn_.next()](const boost::system::error_code& error) {
      if (!error && current()) task();
    });
  }
  void cancel() override {
    turn_.next();
    timer_.cancel();
  }

 private:
  asio::steady_timer timer_;
  Turn turn_;
};

class AsioWatch final : public Loop::Watch {
 public:
  AsioWatch(asio::io_context& context, int fd) : descriptor_(context, fd) {}
  int fd() const override { return const_cast<asio::posix::stream_descriptor&>(descriptor_).native_handle(); }
  void readable(Loop::Task task) override { wait(asio::posix::stream_descriptor::wait_read, std::move(task)); }
  void writable(Loop::Task task) override { wait(asio::posix::stream_descriptor::wait_write, std::move(task)); }

 private:
  void wait(asio::posix::stream_descriptor::wait_type what, Loop::Task task) {
    descriptor_.async_wait(what, [task = std::move(task), alive = std::weak_ptr(alive_)](const auto& error) {
      if (error != asio::error::operation_aborted && !alive.expired()) task();
    });
  }
  asio::posix::stream_descriptor descriptor_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

Loop::Loop() : asio_(std::make_unique<Asio>()) {}
Loop::~Loop() = default;

std::unique_ptr<Loop::Timer> Loop::timer() { return std::make_unique<AsioTimer>(asio_->context); }
std::unique_ptr<Loop::Watch> Loop::watch(int fd) { return std::make_unique<AsioWatch>(asio_->context, fd); }
void Loop::post(Task task) { asio::post(asio_->context, std::move(task)); }
void Loop::run() {
  asio_->context.restart();
  asio_->context.run();
}

}  // namespace berth::api
