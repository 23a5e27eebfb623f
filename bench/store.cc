// bench_store: durable events a second through the SQLite store, one submit an event, by how many stand in one append;
// and jobs a second when a daemon loads them. Floor: the same bytes into one table of SQLite, synced as often.
//   --seconds N (of each figure; 2), --jobs N (to load; 100000); the disk is that of TMPDIR
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/check.h"
#include "bench/report.h"
#include "core/decide.h"
#include "store/sqlite_store.h"
#include "wire/event_json.h"

namespace {

using namespace berth;
using namespace berth::bench;
namespace fs = std::filesystem;

class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "berth-bench-XXXXXX").string();
    BERTH_CHECK(::mkdtemp(name.data()) != nullptr, "no temporary directory");
    path_ = name;
  }
  ~Directory() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::shared_ptr<JobSpec> typical_spec() {
  auto spec = std::make_shared<JobSpec>();
  spec->name = "train-large";
  spec->user = "ann";
  spec->command = {"python", "train.py", "--config", "configs/large.yaml"};
  spec->workdir = "/home/ann/project";
  spec->env = {{"HOME", "/home/ann"}, {"LANG", "C.UTF-8"}, {"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"USER", "ann"}};
  spec->groups[0].gpus.count = 1;
  spec->time_limit = hours(4);
  return spec;
}

Events first_queue(ClusterState& state) {
  QueueSpec queue;
  queue.name = "default";
  Events events{{Time(1), event::QueueSet{QueueId(0), queue, ""}}};
  apply(state, events[0]);
  return events;
}

Events next_submits(ClusterState& state, const std::shared_ptr<JobSpec>& spec, std::int64_t count) {
  Events events;
  for (std::int64_t i = 0; i < count; ++i) {
    events.push_back({state.now + milliseconds(1), event::JobSubmitted{state.next_job, QueueId(0), spec}});
    apply(state, events.back());
  }
  return events;
}

// Runs `append` for so long and answers how many events a second that was; time outside of append is not counted.
template <class Append>
double events_per_second(std::int64_t seconds, std::int64_t batch, Append append) {
  ClusterState state;
  const auto spec = typical_spec();
  append(first_queue(state), state);
  std::int64_t spent = 0, done = 0;
  while (spent < seconds * 1'000'000'000) {
    const Events events = next_submits(state, spec, batch);
    const std::int64_t begin = now_ns();
    append(events, state);
    spent += now_ns() - begin;
    done += batch;
  }
  return static_cast<double>(done) * 1e9 / static_cast<double>(spent);
}

double through_store(std::int64_t seconds, std::int64_t batch) {
  const Directory directory;
  auto store = open_sqlite_store(directory.path());
  BERTH_CHECK(store.ok(), store.error().message);
  return events_per_second(seconds, batch, [&](const Events& events, const ClusterState& after) {
    const Result<void> appended = (*store)->append(events, after);
    BERTH_CHECK(appended.ok(), appended.error().message);
  });
}

double through_raw_sqlite(std::int64_t seconds, std::int64_t batch) {
  const Directory directory;
  sqlite3* connection = nullptr;
  sqlite3_stmt* insert = nullptr;
  const auto run = [&](const char* sql) { BERTH_CHECK(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr) == 0); };
  BERTH_CHECK(sqlite3_open((directory.path() / "raw.db").c_str(), &connection) == SQLITE_OK);
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  run("CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT");
  BERTH_CHECK(sqlite3_prepare_v2(connection, "INSERT INTO t (body) VALUES (?)", -1, &insert, nullptr) == SQLITE_OK);
  std::string body;
  const double rate = events_per_second(seconds, batch, [&](const Events& events, const ClusterState&) {
    if (body.size() < 100) body = event_to_json(events.back());
    run("BEGIN IMMEDIATE");
    for (std::size_t i = 0; i < events.size(); ++i) {
      sqlite3_bind_text(insert, 1, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
      BERTH_CHECK(sqlite3_step(insert) == SQLITE_DONE);
      sqlite3_reset(insert);
    }
    run("COMMIT");
  });
  sqlite3_finalize(insert);
  sqlite3_close(connection);
  return rate;
}

void measure_load(Report& report, std::int64_t jobs) {
  const Directory directory;
  ClusterState state;
  const auto spec = typical_spec();
  {
    auto store = open_sqlite_store(directory.path());
    BERTH_CHECK(store.ok() && (*store)->append(first_queue(state), state).ok());
    const Events events = next_submits(state, spec, jobs);
    BERTH_CHECK((*store)->append(events, state).ok());
  }
  const std::int64_t begin = now_ns();
  auto store = open_sqlite_store(directory.path());
  const std::int64_t opened = now_ns();
  BERTH_CHECK(store.ok() && (*store)->load().ok());
  const std::int64_t loaded = now_ns();
  report.row("open and load " + std::to_string(jobs) + " jobs",
             {{"open_ms", static_cast<double>(opened - begin) / 1e6},
              {"load_ms", static_cast<double>(loaded - opened) / 1e6}});
}

}  // namespace

int main(int argc, char** argv) {
  Report report("store: durable events a second, and loading", argc, argv);
  const std::int64_t seconds = option(argc, argv, "--seconds", 2);
  report.note("each event is a submit of 400 bytes; floor: the same bytes into one table, write-ahead log, synced");
  for (const std::int64_t batch : {1, 8, 64, 1000}) {
    const double floor = through_raw_sqlite(seconds, batch);
    const double store = through_store(seconds, batch);
    report.row(std::to_string(batch) + " an append",
               {{"floor", floor}, {"berth", store}, {"berth/floor", store / floor}});
  }
  measure_load(report, option(argc, argv, "--jobs", 100'000));
  report.print();
  return 0;
}
