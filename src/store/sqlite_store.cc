#include "store/sqlite_store.h"

#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "store/data_lock.h"
#include "store/last_row.h"
#include "store/sqlite.h"
#include "store/sqlite_read.h"
#include "store/sqlite_schema.h"
#include "store/sqlite_write.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

class SqliteStore final : public Store {
 public:
  Result<void> open(const fs::path& data_dir) {
    if (auto r = assign(lock_, DataLock::take(data_dir)); !r) return r;
    if (auto r = assign(writing_, open_database(data_dir)); !r) return r;
    if (auto r = assign(writer_, RowWriter::prepare(writing_)); !r) return r;
    if (auto r = assign(reading_, open_database_for_reading(data_dir)); !r) return r;
    if (auto r = assign(reader_, RowReader::prepare(reading_)); !r) return r;
    return assign(sequence_, writing_.integer_of("SELECT sequence FROM meta"));
  }

  Result<ClusterState> load() override { return read_state(writing_); }

  Result<void> append(const Events& events, const ClusterState& after) override {
    if (events.empty()) return {};
    if (after.sequence != static_cast<std::uint64_t>(sequence_) + events.size()) return out_of_step(after, events);
    const TouchedRows touched = touched_rows(events, after);
    const Result<std::vector<Job>> last_rows = last_rows_of(touched, events);
    if (!last_rows) return last_rows.error();
    if (auto r = commit(events, after, touched, *last_rows); !r) {
      if (writing_.in_transaction()) (void)writing_.run("ROLLBACK");  // the first failure is the one to tell
      return r;
    }
    sequence_ = static_cast<std::int64_t>(after.sequence);
    return {};
  }

  Result<std::vector<JournalRecord>> journal(std::uint64_t after, std::size_t limit) override {
    const std::lock_guard lock(reading_mutex_);
    return reader_.journal(after, limit);
  }
  Result<std::optional<Job>> find_job(JobId id) override {
    const std::lock_guard lock(reading_mutex_);
    return reader_.find_job(id);
  }
  Result<std::vector<Job>> ended_jobs(std::optional<JobId> before, std::size_t limit) override {
    const std::lock_guard lock(reading_mutex_);
    return reader_.ended_jobs(before, limit);
  }

 private:
  template <class T>
  static Result<void> assign(T& to, Result<T> from) {
    if (!from) return from.error();
    to = std::move(*from);
    return {};
  }

  Result<std::vector<Job>> last_rows_of(const TouchedRows& touched, const Events& events) {
    std::vector<Job> rows;
    for (const JobId id : touched.last_seen) {
      Result<std::optional<Job>> before = find_job(id);
      if (!before) return before.error();
      rows.push_back(last_row(std::move(*before), id, events));
    }
    return rows;
  }

  Result<void> commit(const Events& events, const ClusterState& after, const TouchedRows& touched,
                      const std::vector<Job>& last_rows) {
    if (auto r = writing_.run("BEGIN IMMEDIATE"); !r) return r;
    if (auto r = writer_.write(events, after, touched, last_rows); !r) return r;
    return writing_.run("COMMIT");
  }

  Error out_of_step(const ClusterState& after, const Events& events) const {
    return {ErrorCode::conflict,
            "events up to " + std::to_string(after.sequence) + " (" + std::to_string(events.size()) +
                " of them) do not follow on " + std::to_string(sequence_),
            "load the state again before appending"};
  }

  // In this order: statements go before their connections, connections before the lock.
  DataLock lock_;
  Database writing_;  // the controller's thread
  RowWriter writer_;
  std::mutex reading_mutex_;  // any other
  Database reading_;
  RowReader reader_;
  std::int64_t sequence_ = 0;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const fs::path& data_dir) {
  std::error_code failure;
  fs::create_directories(data_dir, failure);
  if (failure) {
    return Error{failure == std::errc::no_space_on_device ? ErrorCode::exhausted : ErrorCode::io,
                 "cannot make the data directory " + data_dir.string() + ": " + failure.message(),
                 "a directory that this user can write (--data DIR)"};
  }
  auto store = std::make_unique<SqliteStore>();
  if (auto opened = store->open(data_dir); !opened) return opened.error();
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace berth
