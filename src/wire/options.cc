#include "wire/options.h"

#include <fmt/core.h>

#include <algorithm>

#include "wire/options_table.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/utf8.h"

namespace berth {
namespace {

const std::vector<OptionRow>& table() {
  static const std::vector<OptionRow> all = [] {
    std::vector<OptionRow> rows;
    for (const auto part : {resource_options(), schedule_options(), job_options(), noted_options(), refused_options()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

bool speaks_berth(OptionFace face) { return face == OptionFace::berth || face == OptionFace::berth_script; }

bool offered(const OptionRow& option, OptionFace face) { return option.owner == Owner::slurm || speaks_berth(face); }

std::string_view program(OptionFace face) { return face == OptionFace::sbatch ? "sbatch" : "berth submit"; }

// Reads one list of words, as getopt does.
class OptionReader {
 public:
  OptionReader(const std::vector<std::string>& words, OptionFace face, std::string_view where, Draft& draft)
      : words_(words), face_(face), where_(where), draft_(draft) {}

  Result<Operands> read() {
    while (next_ < words_.size()) {
      const std::string& word = words_[next_];
      if (word == "--") return operands(next_ + 1, true);
      if (word.size() < 2 || word[0] != '-') return operands(next_, false);
      ++next_;
      const auto taken = word[1] == '-' ? long_option(word) : short_options(word);
      if (!taken) return taken.error();
    }
    return Operands{};
  }

 private:
  Operands operands(std::size_t first, bool is_command) const {
    return {{words_.begin() + static_cast<std::ptrdiff_t>(first), words_.end()}, is_command};
  }

  Error placed(std::string_view flag, Error error) const {
    return at(std::string(where_) + std::string(flag), std::move(error));
  }

  Error unknown(std::string_view flag, std::string_view value) const {
    const std::string near = nearest(flag.substr(std::min<std::size_t>(2, flag.size())), option_names(face_));
    const std::string hint =
        near.empty() ? fmt::format("`{} --help` lists the options", program(face_)) : "did you mean --" + near + "?";
    const std::string with = value.empty() ? "" : " (value " + shown(value) + ")";
    return {ErrorCode::invalid, fmt::format("{}{} is not an option that is known{}", where_, shown(flag), with), hint};
  }

  // The next word, if it may be a value.
  std::string_view next_value() const {
    return next_ < words_.size() && !words_[next_].starts_with('-') ? std::string_view(words_[next_]) : "";
  }

  Error not_in_slurm(std::string_view flag) const {
    return {ErrorCode::invalid, fmt::format("{}{} is berth's own option; Slurm does not know it", where_, flag),
            face_ == OptionFace::script ? "write it on a #BERTH line" : "use `berth submit`"};
  }

  Result<void> long_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const bool attached = equals != std::string::npos;
    const std::string flag = "--" + name;
    std::vector<const OptionRow*> matches;
    for (const OptionRow& option : table()) {
      if (option.name == name) {
        matches = {&option};
        break;
      }
      if (offered(option, face_) && name.size() >= 2 && option.name.starts_with(name)) matches.push_back(&option);
    }
    if (matches.empty()) return unknown(flag, attached ? std::string_view(word).substr(equals + 1) : next_value());
    if (matches.size() > 1) return ambiguous(flag, matches);
    const OptionRow& option = *matches[0];
    if (!offered(option, face_)) return not_in_slurm(flag);
    if (option.name != name) draft_.note(fmt::format("{}{} is read as --{}", where_, flag, option.name));
    if (attached && option.takes == Takes::nothing)
      return placed(flag, {ErrorCode::invalid, "it takes no value, but was given " + shown(word.substr(equals + 1)),
                           "write " + flag});
    if (attached) return apply(option, flag, word.substr(equals + 1), true);
    return option.takes == Takes::value ? with_next_word(option, flag) : apply(option, flag, "", false);
  }

  Error ambiguous(std::string_view flag, const std::vector<const OptionRow*>& matches) const {
    std::string names;
    for (const OptionRow* option : matches) names += (names.empty() ? "--" : ", --") + std::string(option->name);
    return {ErrorCode::invalid, fmt::format("{}{} may be any of {}", where_, flag, names), "write it in full"};
  }

  // "-n4", "-n 4", "-HQ": letters without values may stand together.
  Result<void> short_options(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string flag = {'-', word[i]};
      const auto option =
          std::find_if(table().begin(), table().end(), [&](const OptionRow& o) { return o.letter == word[i]; });
      if (option == table().end()) return unknown(i == 1 ? word : flag, "");
      if (option->takes == Takes::nothing) {
        const auto applied = apply(*option, flag, "", false);
        if (!applied) return applied;
        continue;
      }
      const std::string rest = word.substr(i + 1);
      if (!rest.empty() && rest[0] == '=')
        return placed(flag, {ErrorCode::invalid, shown(rest) + " is not a value",
                             fmt::format("write {} {} or --{}{}", flag, rest.substr(1), option->name, rest)});
      if (!rest.empty() || option->takes == Takes::optional_value) return apply(*option, flag, rest, !rest.empty());
      return with_next_word(*option, flag);
    }
    return {};
  }

  Result<void> with_next_word(const OptionRow& option, const std::string& flag) {
    if (next_ >= words_.size())
      return placed(flag, {ErrorCode::invalid, "a value is missing behind it", std::string(option.help)});
    const std::string& value = words_[next_];
    if (value == "=")
      return placed(flag, {ErrorCode::invalid, "`=` stands alone between blanks",
                           fmt::format("write {}=VALUE without blanks", flag)});
    ++next_;
    return apply(option, flag, value, true);
  }

  // What follows the semicolon says what to do.
  static Error refusal(const OptionRow& option, std::string_view value, bool has_value) {
    const std::size_t semicolon = option.says.find("; ");
    const std::string why(option.says.substr(0, semicolon));
    const std::string instead =
        semicolon == std::string_view::npos ? "take it out" : std::string(option.says.substr(semicolon + 2));
    return {ErrorCode::unsupported, has_value ? shown(value) + " cannot be honoured: " + why : why, instead};
  }

  Result<void> apply(const OptionRow& option, std::string_view flag, std::string_view value, bool has_value) {
    if (!is_utf8_without_nul(value))
      return placed(flag, {ErrorCode::invalid, shown(value) + " is not text", "values are UTF-8 without NUL bytes"});
    if (option.effect == nullptr && option.refused) return placed(flag, refusal(option, value, has_value));
    if (option.effect == nullptr) {
      draft_.note(fmt::format("{} has no effect: {}", flag, option.says));
      return {};
    }
    const auto applied = option.effect({face_, flag, value, has_value}, draft_);
    if (!applied) return placed(flag, applied.error());
    return {};
  }

  const std::vector<std::string>& words_;
  OptionFace face_;
  std::string_view where_;
  Draft& draft_;
  std::size_t next_ = 0;
};

}  // namespace

void Draft::note(std::string text) {
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
}

Result<Operands> apply_options(const std::vector<std::string>& words, OptionFace face, std::string_view where,
                               Draft& draft) {
  auto operands = OptionReader(words, face, where, draft).read();
  const bool directive = face == OptionFace::script || face == OptionFace::berth_script;
  if (!operands || !directive || operands->words.empty()) return operands;
  draft.note(fmt::format("{}{} is no option; it and the rest of the line are ignored, as in Slurm", where,
                         shown(operands->words[0])));
  return Operands{};
}

Result<void> apply_environment(Draft& draft) {
  for (const OptionRow& option : table()) {
    const auto found =
        option.variable.empty() ? draft.context->env.end() : draft.context->env.find(std::string(option.variable));
    if (found == draft.context->env.end()) continue;
    if (option.takes == Takes::nothing && (found->second == "0" || to_lower(found->second) == "no")) continue;
    const auto applied =
        option.effect({OptionFace::environment, option.variable, found->second, !found->second.empty()}, draft);
    if (!applied) return at("environment: " + std::string(option.variable), applied.error());
  }
  return {};
}

std::vector<std::string> option_names(OptionFace face) {
  std::vector<std::string> names;
  for (const OptionRow& option : table())
    if (offered(option, face)) names.emplace_back(option.name);
  return names;
}

std::string options_help(OptionFace face) {
  std::string text;
  for (const OptionRow& option : table()) {
    if (!offered(option, face) || option.help.empty()) continue;
    const std::string letter = option.letter == 0 ? "    " : fmt::format("-{}, ", option.letter);
    text += fmt::format("  {}--{:<18} {}\n", letter, option.name, option.help);
  }
  return text;
}

}  // namespace berth
