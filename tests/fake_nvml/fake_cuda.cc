// A job that "uses" GPUs: it appears in the fake NVML as a process on every device that it was given (README.md).
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace {

volatile sig_atomic_t told_to_end = 0;

// One write, so that lines of many jobs never mix.
void put_line(const std::string& path, const std::string& line) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return;
  (void)!write(fd, line.c_str(), line.size());
  close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  long mib = 1000, wait_s = 60, xid = 0, exit_code = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const long value = std::strtol(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--mib") == 0) mib = value;
    if (std::strcmp(argv[i], "--seconds") == 0) wait_s = value;
    if (std::strcmp(argv[i], "--xid") == 0) xid = value;
    if (std::strcmp(argv[i], "--exit") == 0) exit_code = value;
  }
  const char* side = std::getenv("BERTH_FAKE_NVML_SIDE");
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (side == nullptr || visible == nullptr || *visible == '\0') return 3;  // no CUDA-capable device
  signal(SIGTERM, [](int) { told_to_end = 1; });
  std::stringstream devices(visible);
  const std::string pid = std::to_string(getpid());
  for (std::string uuid; std::getline(devices, uuid, ',');) {
    put_line(side, "process|uuid=" + uuid + "|pid=" + pid + "|mib=" + std::to_string(mib) + "\n");
    if (xid != 0) put_line(side, "xid|id=" + pid + uuid + "|uuid=" + uuid + "|code=" + std::to_string(xid) + "\n");
  }
  for (long tenth = 0; tenth < wait_s * 10 && told_to_end == 0; ++tenth) usleep(100'000);
  return static_cast<int>(exit_code);
}
