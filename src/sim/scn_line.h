// Reading one line of a scenario: words with their columns, taken one by one; what is left over is an error.
// The first error of a line wins; until it is asked for, readers go on with harmless values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "sim/scn_values.h"

namespace berth::scn {

struct Word {
  std::string text;
  int column = 0;
};

class Line {
 public:
  Line(const std::string& file, int number, std::string text) : file_(&file), number_(number), text_(std::move(text)) {}

  int number() const { return number_; }
  const std::string& text() const { return text_; }
  bool empty() const { return words_.empty(); }
  // Splits the text into words. "..." keeps blanks together; # starts a comment.
  void scan();

  // The next word that is not key=value; `what` names it if there is none.
  Word take(std::string_view what);
  // The word if it comes next, else not.
  bool take_if(std::string_view word);
  bool more() const;
  // A bare word anywhere on the line.
  bool flag(std::string_view word);
  // The value of key=value; every one of several with values().
  std::optional<Word> value(std::string_view key);
  std::vector<Word> values(std::string_view key);

  // value() read by `read`; an error that says `right` if it does not parse.
  template <class Read>
  auto read(std::string_view key, Read&& read, std::string_view right) -> decltype(read(std::string_view{})) {
    const auto word = value(key);
    if (!word) return std::nullopt;
    auto result = read(std::string_view(word->text));
    if (!result) fail(*word, std::string(key) + "=" + word->text + " is not understood", std::string(right));
    return result;
  }
  std::optional<Duration> span(std::string_view key);
  std::optional<std::int64_t> number(std::string_view key, std::int64_t low, std::int64_t high);
  std::optional<std::int64_t> milli(std::string_view key);
  std::optional<Mib> memory(std::string_view key);
  std::optional<bool> yes_no(std::string_view key);
  std::string text_of(std::string_view key, std::string otherwise = "");
  std::vector<std::string> list(std::string_view key, char separator = ',');
  Duration take_span(std::string_view what);

  void fail(const Word& at, std::string message, std::string hint);
  // The first error; a word that nobody took is one.
  std::optional<Error> finish();

 private:
  std::string_view key_of(const Word& word) const;

  const std::string* file_;
  int number_ = 0;
  std::string text_;
  std::vector<Word> words_;
  std::vector<bool> used_;
  std::vector<std::string> known_;  // keys and flags that were asked for
  std::optional<Error> error_;
};

}  // namespace berth::scn
