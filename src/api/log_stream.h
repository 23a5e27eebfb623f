// LogStream: one answer to GET /v1/jobs/{id}/logs: the file from an offset on, as fast as the client takes it, and if it
// follows, all that comes until the job has ended. Kept alive by its exchange; the loop's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "api/exchange.h"
#include "api/file_events.h"
#include "api/log_file.h"
#include "api/loop.h"
#include "api/news.h"
#include "base/ids.h"

namespace berth::api {

struct Services;

struct LogRequest {
  JobId job;
  std::string path;
  std::optional<uid_t> owner;
  bool for_admin = false;
  std::uint64_t offset = 0;
  bool follow = false;
};

class LogStream : public std::enable_shared_from_this<LogStream> {
 public:
  LogStream(Services& services, ExchangePtr exchange, LogRequest request);
  void start();

 private:
  void begin();
  void subscribe();
  void advance();
  bool open_file();
  void wait();
  bool job_has_ended() const;

  Services& services_;
  ExchangePtr exchange_;
  LogRequest request_;
  LogFile file_;
  FileEvents::Watch grown_;
  News::Subscription news_;
  std::unique_ptr<Loop::Timer> look_again_;  // where the system gives no watch
  bool sending_ = false;
};

}  // namespace berth::api
