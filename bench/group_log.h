// GroupLog: the floor of durable writing. Threads append records to one file; those that wait at the same time share one
// fdatasync. Nothing else is done, so no service that keeps its promises on the same disk is faster.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace berth::bench {

class GroupLog {
 public:
  explicit GroupLog(const std::string& path);
  ~GroupLog();
  GroupLog(const GroupLog&) = delete;
  GroupLog& operator=(const GroupLog&) = delete;

  // Returns when the record is on the disk. Any thread.
  void append(std::string_view record);

 private:
  void write_out(const std::string& bytes);

  int fd_ = -1;
  std::mutex mutex_;
  std::condition_variable durable_grew_;
  std::string waiting_;
  std::uint64_t taken_ = 0;    // records appended
  std::uint64_t durable_ = 0;  // of them on the disk
  bool writing_ = false;
};

}  // namespace berth::bench
