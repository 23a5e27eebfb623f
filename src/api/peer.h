// Peer: who is at the other end of a connection. On the Unix socket the kernel says it (SO_PEERCRED); on TCP loopback the
// owner of the other end of the connection is looked up in /proc/net/tcp. If nobody can be named, the caller only reads.
// The loop's thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace berth::api {

struct Caller {
  bool known = false;
  uid_t uid = 0;
  std::string user;    // name, or the number where there is no name
  bool admin = false;  // root, or the user that the daemon runs as

  // May change what belongs to `owner`.
  bool may_act_for(const std::string& owner) const { return known && (admin || user == owner); }
};

class Peer {
 public:
  // `fd` is an accepted socket; it is only looked at now.
  explicit Peer(int fd);
  bool is_tcp() const { return tcp_; }
  // Looked up at the first call.
  const Caller& caller();

 private:
  bool tcp_ = false;
  std::optional<uid_t> uid_;
  std::string address_;   // of the other end's row in /proc/net/tcp: "its:port ours:port", hexadecimal
  std::string address6_;  // the same in /proc/net/tcp6
  std::optional<Caller> caller_;
};

std::string user_name(uid_t uid);
// Empty if the machine does not know him.
std::string home_of(uid_t uid);
std::optional<uid_t> user_id(const std::string& name);
// The owner of the socket whose row in a text like /proc/net/tcp has these two addresses.
std::optional<uid_t> owner_in_table(const std::string& table, const std::string& addresses);

}  // namespace berth::api
