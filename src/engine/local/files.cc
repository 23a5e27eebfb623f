#include "engine/local/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "engine/local/descriptor.h"

namespace berth {

std::string read_file(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  for (ssize_t n; file && (n = read(file.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

namespace {

int write_all(const Descriptor& file, std::string_view text) {
  if (!file) return errno;
  while (!text.empty()) {
    const ssize_t n = write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace

int write_file(const std::string& path, std::string_view text, mode_t mode) {
  return write_all(Descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)), text);
}

int write_existing(const std::string& path, std::string_view text) {
  return write_all(Descriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC)), text);
}

int replace_file(const std::string& path, std::string_view text, mode_t mode) {
  const std::string temporary = path + ".new";
  if (const int error = write_file(temporary, text, mode)) return error;
  return rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

namespace {

template <class Wanted>
std::vector<std::string> list(const std::string& path, Wanted wanted) {
  std::vector<std::string> names;
  DIR* dir = opendir(path.c_str());
  if (dir == nullptr) return names;
  while (const dirent* entry = readdir(dir)) {
    std::string name = entry->d_name;
    if (name != "." && name != ".." && wanted(*entry)) names.push_back(std::move(name));
  }
  closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::string> list_dir(const std::string& path) {
  return list(path, [](const dirent&) { return true; });
}

std::vector<std::string> list_dirs(const std::string& path) {
  return list(path, [](const dirent& entry) { return entry.d_type == DT_DIR; });
}

void remove_tree(const std::string& path) {
  std::error_code ignored;  // what cannot be removed now is tried again at the next adopt
  std::filesystem::remove_all(path, ignored);
}

std::map<std::string, std::string> read_keys(const std::string& path) {
  std::map<std::string, std::string> keys;
  const std::string text = read_file(path);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t cut = text.find('=', at);
    if (cut < end) keys[text.substr(at, cut - at)] = text.substr(cut + 1, end - cut - 1);
    at = end + 1;
  }
  return keys;
}

}  // namespace berth
