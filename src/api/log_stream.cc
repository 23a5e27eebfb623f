#include "api/log_stream.h"

#include "api/services.h"

namespace berth::api {
namespace {

constexpr std::size_t kBlock = 64 * 1024;
constexpr auto kLookAgain = std::chrono::milliseconds(500);

}  // namespace

LogStream::LogStream(Services& services, ExchangePtr exchange, LogRequest request)
    : services_(services), exchange_(std::move(exchange)), request_(std::move(request)) {}

void LogStream::start() {
  Result<LogFile> file = LogFile::open(request_.path, request_.owner, request_.for_admin);
  const bool may_come = request_.follow && !job_has_ended();
  if (!file && !(file.error().code == ErrorCode::not_found && may_come)) return exchange_->respond(file.error());
  if (file) file_ = std::move(file).value();
  begin();
}

// The exchange holds this object by its tasks, and lets go of it when it closes.
void LogStream::begin() {
  Response head;
  head.content_type = "text/plain; charset=utf-8";
  exchange_->on_gone([self = shared_from_this()] {});
  if (request_.follow) subscribe();
  exchange_->begin(head, [self = shared_from_this()] {
    self->sending_ = false;
    self->advance();
  });
}

void LogStream::subscribe() {
  news_ = services_.news->subscribe([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->advance();
  });
}

bool LogStream::open_file() {
  if (file_.is_open()) return true;
  Result<LogFile> file = LogFile::open(request_.path, request_.owner, request_.for_admin);
  if (file) file_ = std::move(file).value();
  return file.ok();
}

void LogStream::advance() {
  if (sending_ || !exchange_->open()) return;
  const auto keep = shared_from_this();
  const bool last_look = !request_.follow || job_has_ended();  // before the read: what it wrote last is not missed
  std::string bytes;
  if (open_file()) {
    Result<std::string> read = file_.read(request_.offset, kBlock);
    if (!read) return exchange_->finish();
    bytes = std::move(read).value();
  }
  if (!bytes.empty()) {
    sending_ = true;
    exchange_->send(std::make_shared<const std::string>(std::move(bytes)));
  } else if (last_look) {
    exchange_->finish();
  } else {
    wait();
  }
}

// The file's watch tells of growth, the news of the job's start and end.
void LogStream::wait() {
  if (file_.is_open() && !grown_) {
    const auto again = [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->advance();
    };
    grown_ = services_.files.watch(file_.fd(), again);
    if (grown_) return again();  // it may have grown before the watch stood
    if (!look_again_) look_again_ = services_.loop.timer();
    look_again_->arm(std::chrono::steady_clock::now() + kLookAgain, again);
  }
}

bool LogStream::job_has_ended() const {
  return services_.view.read([&](const Snapshot& snapshot) {
    const auto job = snapshot.state.jobs.find(request_.job);
    return job == snapshot.state.jobs.end() || is_ended(job->second.state);
  });
}

}  // namespace berth::api
