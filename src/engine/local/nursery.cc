#include "engine/local/nursery.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/local/nursery_contract.h"

namespace berth {
namespace {

std::string message_of(const std::string& dir, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment) {
  const shim::NurseryRequest header{static_cast<std::uint32_t>(arguments.size()),
                                    static_cast<std::uint32_t>(environment.size())};
  std::string text(reinterpret_cast<const char*>(&header), sizeof header);
  const auto add = [&text](const std::string& s) {
    text.append(s.c_str(), std::strlen(s.c_str()) + 1);
  };  // up to a NUL, as exec would
  add(dir);
  for (const std::string& s : arguments) add(s);
  for (const std::string& s : environment) add(s);
  return text;
}

bool send_with(int socket, const std::string& text, int first, int second) {
  const int descriptors[2] = {first, second};
  iovec part{const_cast<char*>(text.data()), text.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)]{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(rights), descriptors, sizeof descriptors);
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

}  // namespace

bool Nursery::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  Descriptor ours(ends[0]), theirs(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), shim::kNurserySocket);
  posix_spawn_file_actions_addclosefrom_np(&actions, shim::kNurserySocket + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // out of reach of what is typed at the daemon's terminal
  const char* argv[] = {"berth-shim", shim::kNurseryArgument, nullptr};
  char* empty[] = {nullptr};
  const int error = posix_spawn(&pid_, shim_path_.c_str(), &actions, &attributes, const_cast<char**>(argv), empty);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    pid_ = -1;
    return false;
  }
  socket_ = std::move(ours);
  return true;
}

void Nursery::close() {
  socket_.reset();  // it ends by itself then
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

bool Nursery::ask(const std::string& dir, const std::vector<std::string>& arguments,
                  const std::vector<std::string>& environment, int lock, int status) {
  if (arguments.size() > shim::kMostRequestTexts || environment.size() > shim::kMostRequestTexts) return false;
  const std::string message = message_of(dir, arguments, environment);
  if (message.size() > shim::kMostRequestBytes) return false;
  for (int tries = 0; tries < 2; ++tries) {
    if (!socket_ && !start()) return false;
    if (send_with(socket_.get(), message, lock, status)) return true;
    if (errno != EPIPE && errno != ECONNRESET) return false;
    close();  // it was killed; a new one
  }
  return false;
}

}  // namespace berth
