// FileEvents: tells when an open file has grown, by one inotify descriptor that exists only while somebody watches.
// Loop's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "api/loop.h"

namespace berth::api {

class FileEvents {
 public:
  using Task = std::function<void()>;

  class Watch {
   public:
    Watch() = default;
    Watch(FileEvents* events, int wd, std::uint64_t number) : events_(events), wd_(wd), number_(number) {}
    Watch(Watch&& other) noexcept { *this = std::move(other); }
    Watch& operator=(Watch&& other) noexcept;
    ~Watch() { end(); }
    void end();
    explicit operator bool() const { return events_ != nullptr; }

   private:
    FileEvents* events_ = nullptr;
    int wd_ = -1;
    std::uint64_t number_ = 0;
  };

  explicit FileEvents(Loop& loop) : loop_(loop) {}
  // False if the system gives no watch; then look again now and then.
  Watch watch(int file, Task grown);

 private:
  void await();
  void take();
  void drop(int wd, std::uint64_t number);

  Loop& loop_;
  std::unique_ptr<Loop::Watch> inotify_;
  std::map<int, std::map<std::uint64_t, Task>> tasks_;  // by watch descriptor
  std::uint64_t next_ = 1;
};

}  // namespace berth::api
