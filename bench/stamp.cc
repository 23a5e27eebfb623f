// bench_stamp FIFO: the job of bench_latency. Writes the time at which it began to run, as one line of text.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  if (argc != 2) return 2;
  char line[32];
  const int size = snprintf(line, sizeof line, "%lld%09ld\n", static_cast<long long>(t.tv_sec), t.tv_nsec);
  const int fd = open(argv[1], O_WRONLY);
  return fd < 0 || write(fd, line, static_cast<size_t>(size)) != size;
}
