#include "api/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace berth::api {
namespace {

// As the kernel prints addresses there: 32-bit words in the machine's order.
std::string row_address(const unsigned char* bytes, std::size_t words, std::uint16_t port) {
  std::string text;
  std::array<char, 16> piece{};
  for (std::size_t i = 0; i < words; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes + i * 4, 4);
    std::snprintf(piece.data(), piece.size(), "%08X", word);
    text += piece.data();
  }
  std::snprintf(piece.data(), piece.size(), ":%04X", port);
  return text + piece.data();
}

std::string row_address4(const sockaddr_in& a) {
  return row_address(reinterpret_cast<const unsigned char*>(&a.sin_addr), 1, ntohs(a.sin_port));
}

// An IPv4 address as an IPv6 socket of the client would show it.
std::string row_address_mapped(const sockaddr_in& a) {
  std::array<unsigned char, 16> bytes{};
  bytes[10] = bytes[11] = 0xff;
  std::memcpy(bytes.data() + 12, &a.sin_addr, 4);
  return row_address(bytes.data(), 4, ntohs(a.sin_port));
}

std::string row_address6(const sockaddr_in6& a) {
  return row_address(reinterpret_cast<const unsigned char*>(&a.sin6_addr), 4, ntohs(a.sin6_port));
}

std::string whole_file(const char* path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::optional<uid_t> owner_in_table(const std::string& table, const std::string& addresses) {
  const std::size_t at = table.find(" " + addresses + " ");
  if (at == std::string::npos) return std::nullopt;
  // After the addresses: state, queues, timer, retransmits, uid, timeout, inode.
  const auto words =
      words_of(table.substr(at + addresses.size() + 2, table.find('\n', at) - at - addresses.size() - 2));
  // A socket that no process holds any more has inode 0, and its uid says nothing.
  if (words.size() < 7 || words[6] == "0") return std::nullopt;
  uid_t uid = 0;
  const auto [end, error] = std::from_chars(words[4].data(), words[4].data() + words[4].size(), uid);
  if (error != std::errc{} || *end != '\0') return std::nullopt;
  return uid;
}

std::string user_name(uid_t uid) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_name;
  return std::to_string(uid);
}

std::string home_of(uid_t uid) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_dir;
  return {};
}

std::optional<uid_t> user_id(const std::string& name) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_uid;
  uid_t uid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), uid);
  if (error == std::errc{} && end == name.data() + name.size()) return uid;
  return std::nullopt;
}

Peer::Peer(int fd) {
  sockaddr_storage ours{};
  sockaddr_storage theirs{};
  socklen_t ours_size = sizeof ours;
  socklen_t theirs_size = sizeof theirs;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&ours), &ours_size) != 0) return;
  if (ours.ss_family == AF_UNIX) {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0) uid_ = credentials.uid;
    return;
  }
  tcp_ = true;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&theirs), &theirs_size) != 0) return;
  if (ours.ss_family == AF_INET) {
    const auto& a = reinterpret_cast<const sockaddr_in&>(theirs);
    const auto& b = reinterpret_cast<const sockaddr_in&>(ours);
    address_ = row_address4(a) + " " + row_address4(b);
    address6_ = row_address_mapped(a) + " " + row_address_mapped(b);
  } else {
    address6_ = row_address6(reinterpret_cast<const sockaddr_in6&>(theirs)) + " " +
                row_address6(reinterpret_cast<const sockaddr_in6&>(ours));
  }
}

const Caller& Peer::caller() {
  if (caller_) return *caller_;
  caller_.emplace();
  if (!uid_ && !address_.empty()) uid_ = owner_in_table(whole_file("/proc/net/tcp"), address_);
  if (!uid_ && !address6_.empty()) uid_ = owner_in_table(whole_file("/proc/net/tcp6"), address6_);
  if (uid_) *caller_ = {true, *uid_, user_name(*uid_), *uid_ == 0 || *uid_ == ::geteuid()};
  return *caller_;
}

}  // namespace berth::api
