#include "app/cli/job_input.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "app/cli/screen.h"
#include "wire/job_toml.h"
#include "wire/json_document.h"

extern char** environ;  // NOLINT: POSIX names it

namespace berth {
namespace {

std::string user_name() {
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_name : fmt::format("{}", geteuid());
}

// As the shell shows it, if that is where we are; symbolic links in it are kept as in Slurm.
std::string current_directory() {
  struct stat here {
  }, shown{};
  const char* pwd = std::getenv("PWD");
  if (pwd != nullptr && pwd[0] == '/' && stat(".", &here) == 0 && stat(pwd, &shown) == 0 &&
      here.st_ino == shown.st_ino && here.st_dev == shown.st_dev) {
    return pwd;
  }
  std::array<char, 4096> buffer{};
  return getcwd(buffer.data(), buffer.size()) != nullptr ? buffer.data() : "/";
}

// What belongs to the job that we may be running in, not to the one that is submitted.
bool belongs_to_a_job(std::string_view name) {
  return name.starts_with("BERTH_") || name == "CUDA_VISIBLE_DEVICES" || name == "_" || name == "SHLVL" ||
         name == "OLDPWD";
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd > STDIN_FILENO) close(fd);
  }
};

Error cannot_read(std::string_view what, const std::string& path, int number) {
  const ErrorCode code = number == ENOENT ? ErrorCode::not_found : number == EACCES ? ErrorCode::denied : ErrorCode::io;
  return {code, fmt::format("cannot read the {} {}: {}", what, path, std::strerror(number)),
          number == ENOENT ? "a command goes behind --, as in: berth submit -- ./program argument" : ""};
}

Error too_long(std::string_view what, const std::string& path, std::size_t most) {
  return {ErrorCode::too_large, fmt::format("the {} {} is longer than {} MiB", what, path, most >> 20),
          "keep data in a file of its own and let the script read it"};
}

}  // namespace

SubmitContext submit_context(std::vector<std::string>& left_out) {
  SubmitContext context;
  context.user = user_name();
  context.cwd = current_directory();
  context.now = now();
  context.zone = Zone::of_process();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || belongs_to_a_job(text.substr(0, equals))) continue;
    if (clean_text(text) != text) {
      left_out.push_back(clean_text(text.substr(0, equals)));
    } else {
      context.env.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return context;
}

Result<std::string> read_file(const std::string& path, std::size_t most, std::string_view what) {
  const Descriptor file{path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return cannot_read(what, path, errno);
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t got = read(file.fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(what, path, errno);
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > most) return too_long(what, path, most);
  }
}

Result<ParsedJob> read_job(const SubmitLine& line, const SubmitContext& context, OptionFace face) {
  if (line.wrapped || !line.command.empty()) return parse_command_job(line.options, line.command, context, face);
  if (line.file.empty() && isatty(STDIN_FILENO) == 1) {
    return Error{
        ErrorCode::invalid, "nothing to submit: no job file, script or command",
        "as in: berth submit --gpus 1 -- python train.py; or berth submit job.toml; or berth submit script.sh"};
  }
  const std::string path = line.file.empty() ? "-" : line.file;
  const std::string shown = path == "-" ? "standard input" : path;
  const bool is_toml = face == OptionFace::berth && path.ends_with(".toml");
  const Result<std::string> text =
      read_file(path, std::max(kMaxScriptBytes, kMaxJobFileBytes), is_toml ? "job file" : "script");
  if (!text) return text.error();
  if (is_toml || (face == OptionFace::berth && path == "-" && !looks_like_script(*text))) {
    return parse_job_toml(*text, shown, line.options, context, face);
  }
  return parse_sbatch(*text, shown, line.options, context, face, line.args);
}

}  // namespace berth
