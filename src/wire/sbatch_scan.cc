#include "wire/sbatch_scan.h"

#include <fmt/core.h>

#include <algorithm>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/sbatch.h"
#include "wire/utf8.h"

namespace berth {
namespace {

constexpr std::size_t kMostHints = 5;

Error no_script(std::string_view file, std::string_view what) {
  return {ErrorCode::invalid, fmt::format("{} {}", file, what),
          "the first line must be #! and an interpreter, such as #!/bin/bash"};
}

std::size_t line_of(std::string_view text, std::size_t position) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

Result<void> check_bytes(std::string_view script, std::string_view file) {
  if (script.size() > kMaxScriptBytes)
    return Error{ErrorCode::too_large,
                 fmt::format("{} has {} bytes; a script may have {}", file, script.size(), kMaxScriptBytes),
                 "keep data in files of its own, and let the script read them"};
  if (trimmed(script).empty()) return no_script(file, script.empty() ? "is empty" : "holds nothing but blanks");
  if (const std::size_t nul = script.find('\0'); nul != std::string_view::npos)
    return Error{ErrorCode::invalid,
                 fmt::format("{}:{}: there is a NUL byte; this is no text", file, line_of(script, nul)),
                 "submit the script, not a binary; run binaries with `berth submit -- PROGRAM`"};
  if (is_utf8_without_nul(script)) return {};
  std::size_t line = 1;
  for (const std::string_view text : split(script, '\n')) {
    if (!is_utf8_without_nul(text)) break;
    ++line;
  }
  return Error{ErrorCode::invalid, fmt::format("{}:{}: the line is not valid UTF-8", file, line),
               "convert it, for instance with iconv -f latin1 -t utf8"};
}

// LF line ends and no byte order mark, with a word about it.
std::string normalized(std::string_view script, std::string_view file, std::vector<std::string>& warnings) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (script.starts_with(kMark)) {
    script.remove_prefix(kMark.size());
    warnings.push_back(fmt::format("{}: the byte order mark at its start is taken off", file));
  }
  std::string text;
  text.reserve(script.size());
  std::size_t ends = 0;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const bool crlf = script[i] == '\r' && i + 1 < script.size() && script[i + 1] == '\n';
    if (crlf)
      ++ends;
    else
      text += script[i];
  }
  if (ends > 0)
    warnings.push_back(fmt::format("{}: {} DOS line ends (CRLF) are read and run as Unix ones", file, ends));
  return text;
}

// Follows here-documents, in which nothing is a directive.
class HereDocuments {
 public:
  // True if the line is inside of one (its end too).
  bool inside(std::string_view line) {
    if (delimiter_.empty()) return false;
    std::string_view bare = line;
    while (strip_tabs_ && bare.starts_with('\t')) bare.remove_prefix(1);
    if (bare == delimiter_) delimiter_.clear();
    return true;
  }

  void look_for_start(std::string_view line) {
    const std::size_t at = line.find("<<");
    if (at == std::string_view::npos || line.substr(at).starts_with("<<<")) return;
    std::string_view rest = line.substr(at + 2);
    strip_tabs_ = rest.starts_with('-');
    if (strip_tabs_) rest.remove_prefix(1);
    rest = trimmed(rest);
    while (!rest.empty() && (rest[0] == '\'' || rest[0] == '"' || rest[0] == '\\')) rest.remove_prefix(1);
    std::size_t end = 0;
    while (end < rest.size() && (is_letter(rest[end]) || is_digit(rest[end]) || rest[end] == '_')) ++end;
    delimiter_ = rest.substr(0, end);
  }

 private:
  std::string delimiter_;
  bool strip_tabs_ = false;
};

class Scanner {
 public:
  Scanner(std::string_view file, ScannedScript& out) : file_(file), out_(out) {}

  Result<void> line(std::string_view text) {
    ++number_;
    if (number_ == 1) return {};
    if (here_.inside(text)) return {};
    if (const std::size_t length = directive_length(text); length > 0) return directive(text, length);
    const std::string_view bare = trimmed(text);
    if (bare.starts_with('#')) {
      hint_if_meant(bare);
      return {};
    }
    if (bare.empty()) return {};
    seen_command_ = true;
    here_.look_for_start(text);
    return {};
  }

  void finish() {
    if (late_ == 0) return;
    out_.warnings.push_back(fmt::format("{}:{}: {} after the first command {} ignored, as in Slurm: move {} up", file_,
                                        first_late_, late_ == 1 ? "a directive" : fmt::format("{} directives", late_),
                                        late_ == 1 ? "is" : "are", late_ == 1 ? "it" : "them"));
  }

 private:
  // Length of the magic word, if the line is a directive.
  static std::size_t directive_length(std::string_view text) {
    for (const std::string_view magic : {"#SBATCH", "#BERTH"}) {
      if (!text.starts_with(magic)) continue;
      const char next = text.size() > magic.size() ? text[magic.size()] : ' ';
      if (next == ' ' || next == '\t' || next == '-') return magic.size();
    }
    return 0;
  }

  Result<void> directive(std::string_view text, std::size_t magic_length) {
    if (seen_command_) {
      if (late_++ == 0) first_late_ = number_;
      return {};
    }
    auto words = directive_words(text.substr(magic_length));
    if (!words) return at(fmt::format("{}:{}", file_, number_), words.error());
    if (!words->empty() && (words->front() == "hetjob" || words->front() == "packjob"))
      return unsupported(fmt::format("{}:{}: heterogeneous jobs ({}) are not offered", file_, number_, words->front()),
                         "write a TOML job file with one [[group]] for each part");
    out_.directives.push_back({number_, text.starts_with("#BERTH"), *std::move(words)});
    return {};
  }

  // "# SBATCH", "##SBATCH", "#sbatch" and a directive behind blanks look like directives and are comments.
  void hint_if_meant(std::string_view comment) {
    std::size_t start = 0;
    while (start < comment.size() && (comment[start] == '#' || comment[start] == ' ' || comment[start] == '\t'))
      ++start;
    const std::string word = to_lower(comment.substr(start, 7));
    if (seen_command_ || hints_ >= kMostHints) return;
    if (word.starts_with("pbs -"))
      out_.warnings.push_back(
          fmt::format("{}:{}: {} is a comment: #PBS lines are not read", file_, number_, shown(comment)));
    else if (word == "sbatch " || word == "sbatch-" || word == "sbatch\t")
      out_.warnings.push_back(
          fmt::format("{}:{}: {} is a comment, as in Slurm; a directive begins the line with #SBATCH", file_, number_,
                      shown(comment)));
    else
      return;
    ++hints_;
  }

  std::string_view file_;
  ScannedScript& out_;
  HereDocuments here_;
  std::size_t number_ = 0;
  std::size_t hints_ = 0;
  std::size_t late_ = 0;
  std::size_t first_late_ = 0;
  bool seen_command_ = false;
};

}  // namespace

Result<ScannedScript> scan_script(std::string_view script, std::string_view file_name) {
  const auto checked = check_bytes(script, file_name);
  if (!checked) return checked.error();
  ScannedScript out;
  out.text = normalized(script, file_name, out.warnings);
  const std::string_view first = std::string_view(out.text).substr(0, out.text.find('\n'));
  if (!first.starts_with("#!"))
    return no_script(file_name, "does not look like a batch script: line 1 is " + shown(first));
  if (trimmed(first.substr(2)).empty()) return no_script(file_name, "names no interpreter behind #!");
  Scanner scanner(file_name, out);
  for (const std::string_view line : split(out.text, '\n')) {
    const auto scanned = scanner.line(line);
    if (!scanned) return scanned.error();
  }
  scanner.finish();
  return out;
}

}  // namespace berth
