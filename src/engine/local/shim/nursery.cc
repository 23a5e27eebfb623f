#include "engine/local/shim/nursery.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/local/nursery_contract.h"
#include "engine/local/shim/records.h"
#include "engine/local/shim_contract.h"

namespace berth::shim {
namespace {

constexpr int kDescriptors = 2;

struct Request {
  const char* dir = nullptr;
  int lock = -1;
  int status = -1;
  int argc = 0;
  char* argv[kMostRequestTexts + 1]{};
  char* envp[kMostRequestTexts + 1]{};
};

char buffer[kMostRequestBytes + 1];
Request request;

// Takes the next text out of the message; null if there is none.
char* next_text(char*& at, const char* end) {
  char* text = at;
  auto* nul = static_cast<char*>(std::memchr(at, '\0', static_cast<std::size_t>(end - at)));
  if (nul == nullptr) return nullptr;
  at = nul + 1;
  return text;
}

bool take_texts(char*& at, const char* end, std::uint32_t count, char** list) {
  if (count > kMostRequestTexts) return false;
  for (std::uint32_t i = 0; i < count; ++i)
    if ((list[i] = next_text(at, end)) == nullptr) return false;
  list[count] = nullptr;
  return true;
}

bool parse(std::size_t size) {
  NurseryRequest header{};
  if (size < sizeof header) return false;
  std::memcpy(&header, buffer, sizeof header);
  char* at = buffer + sizeof header;
  const char* end = buffer + size;
  if ((request.dir = next_text(at, end)) == nullptr) return false;
  request.argc = static_cast<int>(header.argument_count);
  return take_texts(at, end, header.argument_count, request.argv) &&
         take_texts(at, end, header.variable_count, request.envp);
}

// The size of the message, 0 once nobody is there any more.
std::size_t receive(int socket) {
  iovec part{buffer, kMostRequestBytes};
  alignas(cmsghdr) char control[CMSG_SPACE(kDescriptors * sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n = 0;
  while ((n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  const cmsghdr* rights = n > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  request.lock = request.status = -1;
  if (rights == nullptr || rights->cmsg_len != CMSG_LEN(kDescriptors * sizeof(int))) return n > 0 ? 1 : 0;
  int descriptors[kDescriptors];
  std::memcpy(descriptors, CMSG_DATA(rights), sizeof descriptors);
  request.lock = descriptors[0];
  request.status = descriptors[1];
  return static_cast<std::size_t>(n);
}

[[noreturn]] void become_shim(ShimMain shim) {
  setsid();
  signal(SIGCHLD, SIG_DFL);
  // The socket has the lowest number and the two have higher ones, in order: neither move closes what is still needed.
  dup2(request.lock, kLockFd);
  dup2(request.status, kStatusFd);
  close_range(kStatusFd + 1, ~0U, 0);
  environ = request.envp;
  _exit(chdir(request.dir) == 0 ? shim(request.argc, request.argv) : 1);
}

// The engine reads of it as of any task that could not be born.
void put_down_failure(int error) {
  Line text;
  text.text("stage=")
      .number(static_cast<int>(Stage::fork))
      .text("\nerror=")
      .number(error)
      .text("\ncode=127\nsignal=0\n");
  if (chdir(request.dir) == 0) put_file(kExitFile, text, false);
}

}  // namespace

int nurse(int socket, ShimMain shim) {
  signal(SIGCHLD, SIG_IGN);  // nobody waits for shims: they put their endings down
  while (const std::size_t size = receive(socket)) {
    if (parse(size) && request.lock >= 0) {
      const pid_t pid = fork();
      if (pid == 0) become_shim(shim);
      if (pid < 0) put_down_failure(errno);
    }
    close(request.lock);
    close(request.status);
  }
  return 0;
}

}  // namespace berth::shim
