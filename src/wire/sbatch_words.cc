#include <cctype>
#include <optional>

#include "wire/quantity_scan.h"
#include "wire/sbatch_scan.h"

namespace berth {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Takes words off a line one at a time.
class WordReader {
 public:
  explicit WordReader(std::string_view line) : rest_(line) {}

  Result<std::optional<std::string>> next() {
    while (!rest_.empty() && is_blank(rest_[0])) rest_.remove_prefix(1);
    if (rest_.empty() || rest_[0] == '#') return std::optional<std::string>();
    std::string word;
    while (!rest_.empty() && !is_blank(rest_[0])) {
      if (rest_[0] == '#')
        return Error{ErrorCode::invalid, "an unquoted # stands inside " + shown(word + std::string(rest_)),
                     "Slurm drops such a word whole: quote it, or put a blank before the comment"};
      const bool taken = rest_[0] == '"' || rest_[0] == '\'' ? take_quoted(word) : take_plain(word);
      if (!taken)
        return Error{ErrorCode::invalid, "a quote is left open in " + shown(rest_), "close it on the same line"};
    }
    return std::optional(word);
  }

 private:
  bool take_plain(std::string& word) {
    if (rest_[0] == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
    word += rest_[0];
    rest_.remove_prefix(1);
    return true;
  }

  bool take_quoted(std::string& word) {
    const char quote = rest_[0];
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == quote) {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size()) ++i;
      word += rest_[i];
    }
    return false;
  }

  std::string_view rest_;
};

}  // namespace

Result<std::vector<std::string>> directive_words(std::string_view line) {
  std::vector<std::string> words;
  WordReader reader(line);
  while (true) {
    auto word = reader.next();
    if (!word) return word.error();
    if (!*word) return words;
    words.push_back(**std::move(word));
  }
}

}  // namespace berth
