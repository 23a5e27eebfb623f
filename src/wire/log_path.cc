#include "wire/log_path.h"

#include <algorithm>

#include "wire/quantity_scan.h"

namespace berth {
namespace {

std::string padded(std::int64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

// A name may hold a slash or be ".."; it must not lead elsewhere.
std::string as_file_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\0', '_');
  return name == ".." ? "__" : name;
}

// What the letter stands for; empty optional: nothing.
std::optional<std::string> expansion(char letter, std::size_t width, const LogNames& names) {
  const std::int32_t index = names.array ? names.array->index : 0;
  switch (letter) {
    case 'j':
    case 'J':
      return padded(names.job.value(), width);
    case 'A':
      return padded(names.array ? names.array->first.value() : names.job.value(), width);
    case 'a':
      return padded(index, width);
    case 'b':
      return padded(index % 10, width);
    case 't':
      return padded(names.task_rank, width);
    case 'n':
      return padded(names.node_rank, width);
    case 's':
      return "batch";
    case 'x':
      return as_file_name(names.job_name);
    case 'u':
      return as_file_name(names.user);
    case 'N':
      return as_file_name(names.node.substr(0, names.node.find('.')));
    case '%':
      return "%";
    default:
      return std::nullopt;
  }
}

std::string absolute(const std::string& path, const std::string& workdir) {
  if (path.starts_with('/') || workdir.empty()) return path;
  return workdir + (workdir.ends_with('/') ? "" : "/") + path;
}

}  // namespace

std::string expand_log_path(std::string_view pattern, const LogNames& names) {
  constexpr std::int64_t kMostWidth = 10;
  std::string path;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    std::size_t letter = i + 1;
    while (letter < pattern.size() && is_digit(pattern[letter])) ++letter;
    const auto width = pattern[i] == '%' ? to_number(pattern.substr(i + 1, letter - i - 1)) : std::nullopt;
    const auto expanded =
        pattern[i] == '%' && letter < pattern.size()
            ? expansion(pattern[letter], static_cast<std::size_t>(std::min(width.value_or(0), kMostWidth)), names)
            : std::nullopt;
    path += expanded ? *expanded : std::string(1, pattern[i]);
    if (expanded) i = letter;
  }
  return path;
}

LogPaths log_paths(const JobSpec& spec, const LogNames& names) {
  const auto place = [&](std::string_view pattern) { return absolute(expand_log_path(pattern, names), spec.workdir); };
  LogPaths paths;
  paths.out = place(!spec.stdout_path.empty() ? std::string_view(spec.stdout_path)
                    : names.array             ? kDefaultArrayLog
                                              : kDefaultLog);
  paths.err = spec.stderr_path.empty() ? paths.out : place(spec.stderr_path);
  paths.in = spec.stdin_path.empty() ? "/dev/null" : place(spec.stdin_path);
  return paths;
}

}  // namespace berth
