#include "app/cli/slurm/arguments.h"

#include <fmt/core.h>
#include <getopt.h>

namespace berth::slurm {
namespace {

constexpr int kFirstLongOnly = 256;  // values of options without a letter, above all letters

// argv and the tables in the form that getopt wants, all of which must live while it runs.
class GetoptCall {
 public:
  GetoptCall(const std::string& program, const std::vector<std::string>& words, const std::vector<OptionSpec>& table)
      : words_(words) {
    words_.insert(words_.begin(), program);
    for (auto& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
    letters_ = ":";
    for (std::size_t i = 0; i < table.size(); ++i) {
      names_.emplace_back(table[i].name);
      if (table[i].letter != 0) letters_ += std::string(1, table[i].letter) + (table[i].takes_value ? ":" : "");
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
      const int value = table[i].letter != 0 ? table[i].letter : kFirstLongOnly + static_cast<int>(i);
      longs_.push_back({names_[i].c_str(), table[i].takes_value ? required_argument : no_argument, nullptr, value});
    }
    longs_.push_back({nullptr, 0, nullptr, 0});
    opterr = 0;
    optind = 0;  // 0: glibc starts afresh
  }
  int next() { return getopt_long(argc(), argv_.data(), letters_.c_str(), longs_.data(), nullptr); }
  int argc() const { return static_cast<int>(words_.size()); }
  // The word that getopt has just read.
  std::string last_word() const {
    const int at = optind > 1 ? optind - 1 : 1;
    return at < argc() ? argv_[static_cast<std::size_t>(at)] : "";
  }
  std::vector<std::string> operands() const { return {argv_.begin() + optind, argv_.begin() + argc()}; }

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
  std::vector<std::string> names_;
  std::string letters_;
  std::vector<option> longs_;
};

std::string_view name_of_option(int found, const std::vector<OptionSpec>& table) {
  if (found >= kFirstLongOnly) return table[static_cast<std::size_t>(found - kFirstLongOnly)].name;
  for (const auto& option : table) {
    if (option.letter == found) return option.name;
  }
  return {};
}

Error refused(int found, const GetoptCall& call, const std::string& program) {
  const std::string word = optopt > 0 && optopt < kFirstLongOnly && found == '?'
                               ? fmt::format("-{}", static_cast<char>(optopt))
                               : call.last_word();
  if (found == ':') return {ErrorCode::invalid, fmt::format("{}: option {} needs a value", program, word), ""};
  return {ErrorCode::invalid, fmt::format("{}: option {} is not understood", program, word),
          fmt::format("it is not ignored, since that would hide what it asks for; see: {} --help", program)};
}

}  // namespace

Result<Arguments> Arguments::parse(const std::string& program, const std::vector<std::string>& words,
                                   const std::vector<OptionSpec>& table) {
  GetoptCall call(program, words, table);
  Arguments arguments;
  for (int found = call.next(); found != -1; found = call.next()) {
    if (found == '?' || found == ':') return refused(found, call, program);
    arguments.given_.emplace_back(name_of_option(found, table), optarg == nullptr ? "" : optarg);
  }
  arguments.operands_ = call.operands();
  return arguments;
}

std::optional<std::string> Arguments::value(std::string_view name) const {
  for (auto it = given_.rbegin(); it != given_.rend(); ++it) {
    if (it->first == name) return it->second;
  }
  return std::nullopt;
}

std::vector<std::string> Arguments::list(std::string_view name) const {
  const auto text = value(name);
  return text ? split(*text, ',') : std::vector<std::string>();
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace berth::slurm
