// Reads one TOML table key by key and keeps the first error, with file:line:column. After reading, finish() also refuses
// keys that nobody asked for. Used by the job file and the configuration; the only headers that see toml++.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"

namespace berth {

// The document, or the parser's complaint with its place.
Result<toml::table> parse_toml(std::string_view text, std::string_view file_name, std::size_t most_bytes);

class TomlTable {
 public:
  // `title` names it in messages: "[server]", or "" for the top. Both strings must outlive it.
  TomlTable(const toml::table& table, std::string_view file, std::string title);

  // Each marks the key as known and gives nothing if it is absent or an error stands.
  std::optional<std::string> text(std::string_view key);
  std::optional<bool> flag(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);
  // A string, number, boolean or date as text, for values with a grammar of their own.
  std::optional<std::string> scalar(std::string_view key);
  // A scalar, or an array of them joined by commas.
  std::optional<std::string> list(std::string_view key);
  std::optional<std::vector<std::string>> texts(std::string_view key);    // an array of strings
  std::optional<std::vector<std::string>> scalars(std::string_view key);  // an array of scalars
  const toml::table* table(std::string_view key);
  std::vector<const toml::table*> tables(std::string_view key);  // an array of tables
  bool has(std::string_view key) const { return table_.contains(key); }
  bool is_table(std::string_view key) const { return table_.get(key) != nullptr && table_.get(key)->is_table(); }
  bool is_array(std::string_view key) const { return table_.get(key) != nullptr && table_.get(key)->is_array(); }
  bool holds_tables(std::string_view key) const {
    return is_array(key) && table_.get(key)->as_array()->is_homogeneous(toml::node_type::table);
  }
  bool is_text(std::string_view key) const { return table_.get(key) != nullptr && table_.get(key)->is_string(); }

  // Puts the parsed scalar into `into`; `parse` is one of wire/quantity.h.
  template <class T, class Parse>
  void read(std::string_view key, T& into, Parse parse) {
    if (const auto found = scalar(key)) take(key, into, parse(*found));
  }
  template <class T, class Parse>
  void read_list(std::string_view key, T& into, Parse parse) {
    if (const auto found = list(key)) take(key, into, parse(*found));
  }
  void read(std::string_view key, std::string& into) {
    if (auto found = text(key)) into = *std::move(found);
  }
  void read(std::string_view key, bool& into) {
    if (const auto found = flag(key)) into = *found;
  }
  template <class T>
  void read(std::string_view key, T& into, std::int64_t least, std::int64_t most) {
    if (const auto found = integer(key, least, most)) into = static_cast<T>(*found);
  }

  // The error, placed at the key.
  void fail(std::string_view key, Error error);
  // An error that has its place already.
  void fail(Error error);
  bool failed() const { return error_.has_value(); }
  Result<void> finish();

 private:
  template <class T, class U>
  void take(std::string_view key, T& into, Result<U> parsed) {
    if (parsed)
      into = *std::move(parsed);
    else
      fail(key, parsed.error());
  }
  const toml::node* find(std::string_view key);
  std::optional<std::string> scalar_of(std::string_view key, const toml::node& node);
  std::string place(const toml::source_region& region) const;
  std::string full_name(std::string_view key) const;

  const toml::table& table_;
  std::string_view file_;
  std::string title_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

}  // namespace berth
