#include "engine/local/account.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <charconv>

namespace berth {
namespace {

constexpr std::size_t kBufferSize = 16 * 1024;

Account from_entry(const passwd& entry) {
  Account account{entry.pw_uid, entry.pw_gid, entry.pw_name, entry.pw_dir, entry.pw_shell, {}};
  int count = 0;
  getgrouplist(entry.pw_name, entry.pw_gid, nullptr, &count);
  account.groups.resize(static_cast<std::size_t>(count));
  getgrouplist(entry.pw_name, entry.pw_gid, account.groups.data(), &count);
  account.groups.resize(static_cast<std::size_t>(count));
  return account;
}

// A user that the machine has no entry for goes by number.
std::optional<Account> by_number(const std::string& name) {
  uid_t uid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), uid);
  if (error != std::errc{} || end != name.data() + name.size() || uid == 0) return std::nullopt;
  constexpr gid_t kNoGroup = 65534;
  return Account{uid, kNoGroup, name, "/", "/bin/sh", {}};
}

}  // namespace

std::optional<Account> find_account(const std::string& name) {
  std::vector<char> buffer(kBufferSize);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
    return by_number(name);
  return from_entry(entry);
}

Account own_account() {
  std::vector<char> buffer(kBufferSize);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return from_entry(entry);
  return Account{geteuid(), getegid(), std::to_string(geteuid()), "/", "/bin/sh", {}};
}

}  // namespace berth
