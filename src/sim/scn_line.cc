#include "sim/scn_line.h"

#include <algorithm>

namespace berth::scn {
namespace {

constexpr std::size_t kLongestLine = 10'000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

void Line::scan() {
  if (text_.size() > kLongestLine) return fail({"", 1}, "the line is too long", "at most 10000 characters");
  std::size_t i = 0;
  while (i < text_.size()) {
    if (is_blank(text_[i])) {
      ++i;
      continue;
    }
    if (text_[i] == '#' && (i == 0 || is_blank(text_[i - 1]))) break;
    Word word{"", static_cast<int>(i) + 1};
    bool quoted = false;
    for (; i < text_.size() && (quoted || !is_blank(text_[i])); ++i) {
      if (text_[i] == '"')
        quoted = !quoted;
      else
        word.text += text_[i];
    }
    if (quoted) fail(word, "a quotation mark is not closed", "end the value with \"");
    words_.push_back(std::move(word));
  }
  used_.assign(words_.size(), false);
}

std::string_view Line::key_of(const Word& word) const {
  const auto equals = word.text.find('=');
  return equals == std::string::npos ? std::string_view{} : std::string_view(word.text).substr(0, equals);
}

bool Line::more() const {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!used_[i] && key_of(words_[i]).empty()) return true;
  return false;
}

Word Line::take(std::string_view what) {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (used_[i] || !key_of(words_[i]).empty()) continue;
    used_[i] = true;
    return words_[i];
  }
  const Word end{"", static_cast<int>(text_.size()) + 1};
  fail(end, std::string(what) + " is missing", "say it here");
  return end;
}

bool Line::take_if(std::string_view word) {
  known_.emplace_back(word);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (used_[i] || !key_of(words_[i]).empty()) continue;
    if (words_[i].text != word) return false;
    used_[i] = true;
    return true;
  }
  return false;
}

bool Line::flag(std::string_view word) {
  known_.emplace_back(word);
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!used_[i] && words_[i].text == word) {
      used_[i] = true;
      return true;
    }
  return false;
}

std::vector<Word> Line::values(std::string_view key) {
  known_.push_back(std::string(key) + "=");
  std::vector<Word> found;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (used_[i] || key_of(words_[i]) != key) continue;
    used_[i] = true;
    found.push_back({words_[i].text.substr(key.size() + 1), words_[i].column + static_cast<int>(key.size()) + 1});
  }
  return found;
}

std::optional<Word> Line::value(std::string_view key) {
  auto all = values(key);
  if (all.empty()) return std::nullopt;
  if (all.size() > 1) fail(all[1], std::string(key) + "= is given twice", "give it once");
  return all.front();
}

std::optional<Duration> Line::span(std::string_view key) {
  return read(key, read_span, "write a span such as 90s, 60m or 2h30m");
}

std::optional<std::int64_t> Line::number(std::string_view key, std::int64_t low, std::int64_t high) {
  return read(
      key, [&](std::string_view text) { return read_number(text, low, high); },
      "write a whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

std::optional<std::int64_t> Line::milli(std::string_view key) {
  return read(key, read_milli, "write a number such as 8 or 0.5");
}

std::optional<Mib> Line::memory(std::string_view key) {
  return read(key, read_memory, "write an amount such as 512M, 20G or 1T");
}

std::optional<bool> Line::yes_no(std::string_view key) {
  const auto read_bool = [](std::string_view text) -> std::optional<bool> {
    if (text == "yes" || text == "on") return true;
    if (text == "no" || text == "off") return false;
    return std::nullopt;
  };
  return read(key, read_bool, "write yes or no");
}

std::string Line::text_of(std::string_view key, std::string otherwise) {
  const auto word = value(key);
  return word ? word->text : otherwise;
}

std::vector<std::string> Line::list(std::string_view key, char separator) {
  const auto word = value(key);
  if (!word) return {};
  auto parts = split(word->text, separator);
  if (std::find(parts.begin(), parts.end(), "") != parts.end())
    fail(*word, std::string(key) + "=" + word->text + " has an empty part", "separate the parts by one comma");
  return parts;
}

Duration Line::take_span(std::string_view what) {
  const auto word = take(what);
  const auto span = read_span(word.text);
  if (!span) fail(word, "\"" + word.text + "\" is not a time", "write a span from the start, such as 0s, 60m or 2h30m");
  return span.value_or(Duration{});
}

void Line::fail(const Word& at, std::string message, std::string hint) {
  if (error_) return;
  error_ = Error{ErrorCode::invalid,
                 *file_ + ":" + std::to_string(number_) + ":" + std::to_string(at.column) + ": " + std::move(message),
                 std::move(hint)};
}

std::optional<Error> Line::finish() {
  for (std::size_t i = 0; i < words_.size() && !error_; ++i) {
    if (used_[i]) continue;
    std::string all;
    for (const auto& known : known_) all += (all.empty() ? "" : " ") + known;
    fail(words_[i], "\"" + words_[i].text + "\" is not known here",
         all.empty() ? "leave it out" : "known here: " + all);
  }
  return error_;
}

}  // namespace berth::scn
