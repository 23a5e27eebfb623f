// kill -9 at random moments: what was acknowledged is there, and no append is there in part.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "conformance/random_history.h"
#include "conformance/rows_text.h"
#include "conformance/temporary_directory.h"
#include "store/sqlite_store.h"

namespace berth {
namespace {

constexpr std::uint64_t kSeed = 42;
constexpr int kLives = 25;

// The history up to `sequence`, in the batches in which every life of the writer appends it.
class Batches {
 public:
  Events next() {
    const Events events = history_.take(static_cast<std::size_t>(sizes_.between(1, 30)));
    return events;
  }
  const ClusterState& state() const { return history_.state(); }

 private:
  RandomHistory history_{kSeed};
  Prng sizes_{kSeed};
};

// Goes on where the store stands, telling each sequence number once its append was acknowledged.
[[noreturn]] void write_until_killed(const std::filesystem::path& directory, int acknowledged) {
  auto store = open_sqlite_store(directory);
  if (!store.ok()) ::_exit(3);
  const auto state = (*store)->load();
  if (!state.ok()) ::_exit(4);
  Batches batches;
  for (;;) {
    const Events events = batches.next();
    const std::uint64_t sequence = batches.state().sequence;
    if (sequence <= state->sequence) continue;
    if (!(*store)->append(events, batches.state()).ok()) ::_exit(5);
    if (::write(acknowledged, &sequence, sizeof sequence) != sizeof sequence) ::_exit(6);
  }
}

std::uint64_t last_acknowledged(int descriptor) {
  std::uint64_t last = 0, sequence = 0;
  while (::read(descriptor, &sequence, sizeof sequence) == sizeof sequence) last = sequence;
  return last;
}

TEST(SqliteCrash, AcknowledgedAppendsSurviveAndNoneIsThereInPart) {
  TemporaryDirectory directory;
  Prng moments(7);
  std::uint64_t acknowledged = 0;
  for (int life = 0; life < kLives; ++life) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) write_until_killed(directory.path(), ends[1]);
    ::close(ends[1]);
    // Every third life may be cut short while it still opens; the others get to append, however slow the machine is.
    std::uint64_t first = 0;
    if (life % 3 != 0) { ASSERT_EQ(::read(ends[0], &first, sizeof first), static_cast<ssize_t>(sizeof first)); }
    acknowledged = std::max(acknowledged, first);
    ::usleep(static_cast<useconds_t>(moments.between(0, 80'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself with " << WEXITSTATUS(status);
    acknowledged = std::max(acknowledged, last_acknowledged(ends[0]));
    ::close(ends[0]);

    auto store = open_sqlite_store(directory.path());
    ASSERT_TRUE(store.ok()) << store.error().message;
    const auto found = (*store)->load();
    ASSERT_TRUE(found.ok()) << found.error().message;
    ASSERT_GE(found->sequence, acknowledged);
    if (found->sequence == 0) continue;
    Batches batches;
    while (batches.state().sequence < found->sequence) (void)batches.next();
    ASSERT_EQ(rows_text(*found), rows_text(batches.state())) << "not the end of a whole append";
  }
  EXPECT_GE(acknowledged, static_cast<std::uint64_t>(kLives / 3 * 2));
}

}  // namespace
}  // namespace berth
