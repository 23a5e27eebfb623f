// What holds of every store, over random histories: folding the journal gives the rows; what was appended is what is
// loaded, also by the next process; history stays when jobs leave memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "conformance/random_history.h"
#include "conformance/rows_text.h"
#include "conformance/temporary_directory.h"
#include "store/memory_store.h"
#include "store/sqlite_store.h"
#include "wire/event_json.h"

namespace berth {
namespace {

struct Kind {
  std::string name;
  bool survives;  // a second open() finds what the first one kept
  std::function<std::unique_ptr<Store>(const std::filesystem::path&)> open;
};

std::unique_ptr<Store> open_sqlite(const std::filesystem::path& directory) {
  auto store = open_sqlite_store(directory);
  EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().message);
  return store.ok() ? std::move(*store) : nullptr;
}

class StoreConformance : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override { store_ = GetParam().open(directory_.path()); }
  void reopen() {
    if (!GetParam().survives) return;
    store_.reset();
    store_ = GetParam().open(directory_.path());
  }
  void append(RandomHistory& history, std::size_t count) {
    const Events events = history.take(count);
    const Result<void> appended = store_->append(events, history.state());
    ASSERT_TRUE(appended.ok()) << appended.error().message;
  }
  ClusterState loaded() {
    Result<ClusterState> state = store_->load();
    EXPECT_TRUE(state.ok()) << (state.ok() ? "" : state.error().message);
    return state.ok() ? std::move(*state) : ClusterState{};
  }
  ClusterState folded() {
    ClusterState state;
    for (;;) {
      const auto records = store_->journal(state.sequence, 100);
      EXPECT_TRUE(records.ok());
      if (!records.ok() || records->empty()) return state;
      for (const JournalRecord& record : *records) {
        EXPECT_EQ(record.sequence, state.sequence + 1);
        apply(state, record.event);
      }
    }
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Store> store_;
};

TEST_P(StoreConformance, BeginsEmpty) {
  EXPECT_EQ(rows_text(loaded()), rows_text(ClusterState{}));
  EXPECT_TRUE(store_->journal(0, 10)->empty());
  EXPECT_TRUE(store_->ended_jobs(std::nullopt, 10)->empty());
  EXPECT_FALSE(store_->find_job(JobId(1))->has_value());
}

TEST_P(StoreConformance, FoldOfTheJournalIsTheRows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TemporaryDirectory directory;
    store_ = GetParam().open(directory.path());
    RandomHistory history(seed);
    Prng sizes(seed);
    while (history.state().sequence < 600) {
      append(history, static_cast<std::size_t>(sizes.between(1, sizes.chance(1, 3) ? 40 : 3)));
      if (HasFatalFailure()) return;
    }
    ASSERT_EQ(rows_text(loaded()), rows_text(history.state()));
    ASSERT_EQ(rows_text(folded()), rows_text(history.state()));
    for (const auto& [id, job] : history.all_jobs()) {
      const auto found = store_->find_job(id);
      ASSERT_TRUE(found.ok() && found->has_value()) << id.value();
      ASSERT_TRUE(**found == job) << job_to_json(**found) << "\n" << job_to_json(job);
    }
    store_.reset();
  }
}

TEST_P(StoreConformance, IndexesBuiltOnLoadedRowsAreSound) {
  RandomHistory history(7);
  append(history, 300);
  ClusterState state = loaded();
  rebuild_indexes(state);
  EXPECT_THAT(broken_invariants(state), testing::IsEmpty());
}

TEST_P(StoreConformance, EachOpeningFindsWhatTheLastOneLeft) {
  if (!GetParam().survives) GTEST_SKIP() << "keeps nothing";
  RandomHistory history(3);
  for (int life = 0; life < 10; ++life) {
    ASSERT_EQ(rows_text(loaded()), rows_text(life == 0 ? ClusterState{} : history.state()));
    append(history, 25);
    reopen();
  }
  ASSERT_EQ(rows_text(folded()), rows_text(history.state()));
}

TEST_P(StoreConformance, EndedJobsComeNewestFirstInPages) {
  RandomHistory history(11);
  append(history, 400);
  std::vector<JobId> expected;
  const auto all = history.all_jobs();
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    if (is_ended(at->second.state)) expected.push_back(at->first);
  }
  ASSERT_GT(expected.size(), 10u);
  std::vector<JobId> found;
  std::optional<JobId> before;
  for (;;) {
    const auto page = store_->ended_jobs(before, 3);
    ASSERT_TRUE(page.ok());
    if (page->empty()) break;
    for (const Job& job : *page) found.push_back(job.id);
    before = found.back();
  }
  EXPECT_EQ(found, expected);
}

TEST_P(StoreConformance, JournalGivesPagesAndEndsAtTheLastEvent) {
  RandomHistory history(5);
  const Events events = history.take(50);
  ASSERT_TRUE(store_->append(events, history.state()).ok());
  const auto page = store_->journal(10, 5);
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ((*page)[i].sequence, 11 + i);
    EXPECT_EQ(event_to_json((*page)[i].event), event_to_json(events[10 + i]));
  }
  EXPECT_EQ(store_->journal(0, 10'000)->size(), events.size());
  EXPECT_TRUE(store_->journal(events.size(), 5)->empty());
  EXPECT_TRUE(store_->journal(UINT64_MAX, 5)->empty());
}

TEST_P(StoreConformance, EventsThatDoNotFollowAreRefusedAndNothingIsWritten) {
  RandomHistory history(5);
  append(history, 10);
  const ClusterState before = history.state();
  (void)history.take(10);  // lost on the way
  const Events late = history.take(10);
  const Result<void> appended = store_->append(late, history.state());
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.error().code, ErrorCode::conflict);
  EXPECT_EQ(rows_text(loaded()), rows_text(before));
  EXPECT_EQ(rows_text(folded()), rows_text(before));
}

TEST_P(StoreConformance, NothingToAppendIsNoError) { EXPECT_TRUE(store_->append({}, ClusterState{}).ok()); }

TEST_P(StoreConformance, ElementsOfAnArrayShareTheirSpec) {
  ClusterState state;
  auto spec = std::make_shared<JobSpec>();
  spec->script = std::string(100'000, 'x');
  spec->array = ArraySpec{{0, 1, 2, 3}, 0};
  const Events events{{Time(1), event::QueueSet{QueueId(0), QueueSpec{}, ""}},
                      {Time(1), event::JobSubmitted{JobId(1), QueueId(0), spec}}};
  for (const Event& event : events) apply(state, event);
  ASSERT_TRUE(store_->append(events, state).ok());
  const ClusterState found = loaded();
  ASSERT_EQ(found.jobs.size(), 4u);
  for (const auto& [id, job] : found.jobs) EXPECT_EQ(job.spec.get(), found.jobs.begin()->second.spec.get());
}

TEST_P(StoreConformance, ReadersBesideTheWriterSeeWholeAppends) {
  std::atomic<bool> done{false};
  std::atomic<int> faults{0};
  std::thread reader([&] {
    while (!done) {
      const auto records = store_->journal(0, 100'000);
      const auto ended = store_->ended_jobs(std::nullopt, 50);
      const auto job = store_->find_job(JobId(1));
      if (!records.ok() || !ended.ok() || !job.ok() || records->size() % 20 != 0) ++faults;
    }
  });
  RandomHistory history(9);
  Events waiting;
  for (int i = 0; i < 60; ++i) {
    ClusterState state = loaded();
    rebuild_indexes(state);
    while (waiting.size() < 20) {
      for (Event& event : history.take(20)) waiting.push_back(std::move(event));
    }
    const Events batch(waiting.begin(), waiting.begin() + 20);
    waiting.erase(waiting.begin(), waiting.begin() + 20);
    for (const Event& event : batch) apply(state, event);
    ASSERT_TRUE(store_->append(batch, state).ok());
  }
  done = true;
  reader.join();
  EXPECT_EQ(faults, 0);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreConformance,
                         testing::Values(Kind{"memory", false, [](const auto&) { return make_memory_store(); }},
                                         Kind{"sqlite", true, open_sqlite}),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace berth
