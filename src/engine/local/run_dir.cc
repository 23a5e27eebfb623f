#include "engine/local/run_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <map>

#include "engine/local/files.h"
#include "wire/names.h"

namespace berth {
namespace {

template <class Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <class Number>
Number number_at(const std::map<std::string, std::string>& keys, const char* key) {
  const auto found = keys.find(key);
  return found == keys.end() ? Number{} : number_of<Number>(found->second);
}

std::optional<AttemptKey> key_of(const std::string& name) {
  std::int64_t job = 0;
  std::int32_t attempt = 0;
  const char* end = name.data() + name.size();
  const auto first = std::from_chars(name.data(), end, job);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, attempt);
  if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
  return AttemptKey{JobId(job), attempt};
}

ProcessId process_of(const std::string& text) {
  ProcessId process;
  const std::size_t space = text.find(' ');
  process.pid = number_of<pid_t>(text.substr(0, space));
  if (space != std::string::npos) process.start = number_of<std::uint64_t>(text.substr(space + 1));
  return process;
}

int make_dir(const std::string& path) { return mkdir(path.c_str(), 0711) == 0 || errno == EEXIST ? 0 : errno; }

}  // namespace

RunDir::RunDir(std::string root) : root_(std::move(root)) {}

std::string RunDir::attempt_dir(AttemptKey key) const {
  return root_ + "/" + std::to_string(key.job.value()) + "." + std::to_string(key.attempt);
}
std::string RunDir::task_dir(AttemptKey key, std::int32_t rank) const {
  return rank == 0 ? attempt_dir(key) : attempt_dir(key) + "/" + std::to_string(rank);
}
std::string RunDir::interrupt_file(AttemptKey key) const { return attempt_dir(key) + "/interrupt"; }
std::string RunDir::script_file(AttemptKey key) const { return attempt_dir(key) + "/script"; }

int RunDir::make_attempt_dir(AttemptKey key) const { return make_dir(attempt_dir(key)); }
int RunDir::make_task_dir(AttemptKey key, std::int32_t rank) const {
  return rank == 0 ? 0 : make_dir(task_dir(key, rank));  // the first task's is the attempt's
}

// Lines that a shell can source and a program can split at '='.
int RunDir::write_interrupt(AttemptKey key, StopCause cause, Time deadline) const {
  const std::string text = "cause=" + std::string(name_of(cause)) +
                           "\ndeadline=" + std::to_string(deadline.ms() / 1000) +
                           "\ndeadline_ms=" + std::to_string(deadline.ms()) + "\n";
  return replace_file(interrupt_file(key), text, 0644);
}

std::vector<AttemptKey> RunDir::attempts() const {
  std::vector<AttemptKey> keys;
  for (const std::string& name : list_dir(root_))
    if (const auto key = key_of(name)) keys.push_back(*key);
  return keys;
}

std::vector<std::int32_t> RunDir::ranks(AttemptKey key) const {
  std::vector<std::int32_t> ranks{0};
  for (const std::string& name : list_dir(attempt_dir(key)))
    if (name.find_first_not_of("0123456789") == std::string::npos) ranks.push_back(number_of<std::int32_t>(name));
  return ranks;
}

std::optional<ExitRecord> RunDir::exit_record(AttemptKey key, std::int32_t rank) const {
  const auto keys = read_keys(task_dir(key, rank) + "/" + shim::kExitFile);
  if (!keys.contains("code")) return std::nullopt;
  ExitRecord record;
  record.stage = static_cast<shim::Stage>(number_at<std::int32_t>(keys, "stage"));
  record.error = number_at<int>(keys, "error");
  record.code = number_at<std::int32_t>(keys, "code");
  record.signal = number_at<std::int32_t>(keys, "signal");
  record.cpu_ms = number_at<std::int64_t>(keys, "cpu_ms");
  record.peak_mib = number_at<std::int64_t>(keys, "peak_mib");
  record.oom_kills = number_at<std::int64_t>(keys, "oom_kills");
  return record;
}

std::optional<StateRecord> RunDir::state_record(AttemptKey key, std::int32_t rank) const {
  const auto keys = read_keys(task_dir(key, rank) + "/" + shim::kStateFile);
  if (!keys.contains("job")) return std::nullopt;
  return StateRecord{keys.at("boot"), process_of(keys.at("shim")), process_of(keys.at("job"))};
}

Descriptor RunDir::take_lock(AttemptKey key, std::int32_t rank) const {
  Descriptor dir(open(task_dir(key, rank).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (dir && flock(dir.get(), LOCK_EX | LOCK_NB) != 0) dir.reset();
  return dir;
}

bool RunDir::is_locked(AttemptKey key, std::int32_t rank) const {
  const Descriptor dir(open(task_dir(key, rank).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return dir && flock(dir.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool RunDir::exists(AttemptKey key, std::int32_t rank) const {
  struct stat info {};
  return stat(task_dir(key, rank).c_str(), &info) == 0;
}

}  // namespace berth
