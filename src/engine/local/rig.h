// Rig: what the tests of the local engine stand on: an engine in a directory of its own, jobs in few words, and waiting for
// what the engine says, with a bound. Whatever a test started is ended with it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/local/local_engine.h"

namespace berth {

inline std::string make_test_dir() {
  char path[] = "/tmp/berth-engine-XXXXXX";
  return mkdtemp(path);
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Time wall_now() {
  return Time(std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
                  .count());
}

// True as soon as `condition` is, false if it has not become so after `limit`.
inline bool soon(const std::function<bool()>& condition, std::chrono::milliseconds limit = std::chrono::seconds(20)) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

inline Launch make_launch(std::int64_t id, JobSpec spec, int tasks = 1) {
  Launch launch;
  launch.key = {JobId(id), 1};
  launch.ends_by = kForever;
  launch.queue = "main";
  spec.groups.front().count = tasks;
  launch.spec = std::make_shared<JobSpec>(std::move(spec));
  for (int rank = 0; rank < tasks; ++rank) launch.placement.push_back({rank, 0, NodeId(0), MilliCpu(1000), Mib{}, {}});
  launch.nodes[NodeId(0)].name = "here";
  return launch;
}

class Rig {
 public:
  explicit Rig(bool use_cgroups = true) : dir_(make_test_dir()) {
    options_.run_dir = dir_ + "/run";
    options_.shim_path = BERTH_TEST_SHIM;
    options_.node_name = "here";
    options_.use_cgroups = use_cgroups;
    open();
  }
  ~Rig() {
    if (!engine_) open();
    engine_->adopt({});
    for (const AttemptKey key : launched_) engine_->stop({key, StopCause::user, Time{}, 15});
    for (const AttemptKey key : launched_) ended(key);
    soon([&] { return !any_lives(); });
    engine_.reset();
    std::filesystem::remove_all(dir_);
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  LocalEngine& engine() { return *engine_; }
  LocalOptions& options() { return options_; }
  const std::string& dir() const { return dir_; }

  void close() { engine_.reset(); }
  void open() {
    const std::lock_guard lock(mutex_);
    seen_.clear();
    engine_ = std::make_unique<LocalEngine>(options_);
    engine_->attach([this](Observation o) {
      const std::lock_guard guard(mutex_);
      seen_.push_back(std::move(o));
      changed_.notify_all();
    });
  }

  JobSpec spec(const std::string& shell) const {
    JobSpec spec;
    spec.name = "test";
    spec.command = {"/bin/sh", "-c", shell};
    spec.workdir = dir_;
    spec.stdout_path = "out-%j";
    spec.interrupt.grace = seconds(5);
    return spec;
  }
  AttemptKey run(std::int64_t id, const std::string& shell, int tasks = 1) {
    return run(make_launch(id, spec(shell), tasks));
  }
  AttemptKey run(const Launch& launch) {
    launched_.insert(launch.key);
    engine_->start(launch);
    return launch.key;
  }
  std::string output(std::int64_t id) const { return text_of(dir_ + "/out-" + std::to_string(id)); }
  void stop(AttemptKey key, Duration left, std::int32_t first = 15, StopCause cause = StopCause::preempt) {
    engine_->stop({key, cause, wall_now() + left, first});
  }

  std::optional<observation::AttemptEnded> ended(AttemptKey key) {
    return wait<observation::AttemptEnded>([&](const auto& e) { return e.key == key; });
  }
  bool started(AttemptKey key) {
    return wait<observation::AttemptStarted>([&](const auto& e) { return e.key == key; }).has_value();
  }
  template <class Body>
  std::optional<Body> wait(const std::function<bool(const Body&)>& wanted,
                           std::chrono::seconds limit = std::chrono::seconds(20)) {
    std::unique_lock lock(mutex_);
    std::optional<Body> found;
    changed_.wait_for(lock, limit, [&] { return (found = find<Body>(wanted)).has_value(); });
    return found;
  }
  // Without waiting.
  template <class Body>
  std::size_t count(const std::function<bool(const Body&)>& wanted) {
    const std::lock_guard lock(mutex_);
    std::size_t n = 0;
    for (const Observation& o : seen_)
      if (const Body* body = std::get_if<Body>(&o.body)) n += wanted(*body);
    return n;
  }
  bool any_lives() {
    forget_reports();
    engine_->reconcile();
    const auto report = wait<observation::AttemptsReported>([](const auto&) { return true; });
    return report && !report->live.empty();
  }
  void forget_reports() {
    const std::lock_guard lock(mutex_);
    std::erase_if(seen_,
                  [](const Observation& o) { return std::holds_alternative<observation::AttemptsReported>(o.body); });
  }

 private:
  template <class Body>
  std::optional<Body> find(const std::function<bool(const Body&)>& wanted) const {
    for (const Observation& o : seen_) {
      const Body* body = std::get_if<Body>(&o.body);
      if (body != nullptr && wanted(*body)) return *body;
    }
    return std::nullopt;
  }

  std::string dir_;
  LocalOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Observation> seen_;
  std::set<AttemptKey> launched_;
  std::unique_ptr<LocalEngine> engine_;
};

}  // namespace berth
