#include "store/data_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace berth {
namespace {

namespace fs = std::filesystem;

class DataLockTest : public testing::Test {
 protected:
  DataLockTest() {
    std::string pattern = (fs::temp_directory_path() / "data-lock-XXXXXX").string();
    dir_ = mkdtemp(pattern.data());
  }
  ~DataLockTest() override { fs::remove_all(dir_); }

  // The lock, as somebody else holds it who left this in the file.
  int hold(const std::string& text) const {
    const int fd = ::open((dir_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(::flock(fd, LOCK_EX | LOCK_NB), 0);
    EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    return fd;
  }

  fs::path dir_;
};

pid_t dead_process() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
  return pid;
}

TEST_F(DataLockTest, OneAtATime) {
  Result<DataLock> first = DataLock::take(dir_);
  ASSERT_TRUE(first.ok());
  const Result<DataLock> second = DataLock::take(dir_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  EXPECT_THAT(second.error().message, testing::HasSubstr(std::to_string(getpid())));
  *first = DataLock();
  EXPECT_TRUE(DataLock::take(dir_).ok());
}

TEST_F(DataLockTest, WaitsForTheLastBreathOfADeadHolder) {
  const int fd = hold(std::to_string(dead_process()) + "\n");
  std::thread later([fd] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::close(fd);
  });
  EXPECT_TRUE(DataLock::take(dir_).ok());
  later.join();
}

TEST_F(DataLockTest, DoesNotWaitForALiveHolder) {
  const int fd = hold(std::to_string(getppid()) + "\n");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(DataLock::take(dir_).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  ::close(fd);
}

}  // namespace
}  // namespace berth
