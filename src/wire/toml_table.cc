#include "wire/toml_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/utf8.h"

namespace berth {
namespace {

Error wrong_type(std::string_view wanted, std::string_view hint) {
  return {ErrorCode::invalid, fmt::format("the value must be {}", wanted), std::string(hint)};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

template <class Value>
std::string streamed(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace

Result<toml::table> parse_toml(std::string_view text, std::string_view file_name, std::size_t most_bytes) {
  if (text.size() > most_bytes)
    return Error{ErrorCode::too_large,
                 fmt::format("{} has {} bytes; such a file may have {}", file_name, text.size(), most_bytes),
                 "keep data in files of its own"};
  try {
    return toml::parse(text, file_name);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    return Error{ErrorCode::invalid, fmt::format("{}:{}:{}: {}", file_name, at.line, at.column, error.description()),
                 "it must be TOML 1.0"};
  }
}

TomlTable::TomlTable(const toml::table& table, std::string_view file, std::string title)
    : table_(table), file_(file), title_(std::move(title)) {}

std::string TomlTable::place(const toml::source_region& region) const {
  return fmt::format("{}:{}:{}", file_, region.begin.line, region.begin.column);
}

std::string TomlTable::full_name(std::string_view key) const {
  return title_.empty() ? std::string(key) : title_ + " " + std::string(key);
}

const toml::node* TomlTable::find(std::string_view key) {
  known_.emplace_back(key);
  return error_ ? nullptr : table_.get(key);
}

void TomlTable::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

void TomlTable::fail(std::string_view key, Error error) {
  const toml::node* node = table_.get(key);
  const std::string where = node == nullptr ? std::string(file_) : place(node->source());
  fail(at(where + ": " + full_name(key), std::move(error)));
}

std::optional<std::string> TomlTable::text(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::string>();
  if (!value)
    fail(key, wrong_type("a string", "put it between quotes"));
  else if (!is_utf8_without_nul(*value))
    fail(key, {ErrorCode::invalid, "the value holds a NUL", "take it out"});
  return failed() ? std::nullopt : value;
}

std::optional<bool> TomlTable::flag(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<bool>();
  if (!value) fail(key, wrong_type("true or false", "write it without quotes"));
  return value;
}

std::optional<std::int64_t> TomlTable::integer(std::string_view key, std::int64_t least, std::int64_t most) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  if (!value)
    fail(key, wrong_type("a whole number", "write it without quotes"));
  else if (*value < least || *value > most)
    fail(key, {ErrorCode::invalid, fmt::format("{} is out of range", *value),
               fmt::format("it must be {} to {}", least, most)});
  return failed() ? std::nullopt : value;
}

std::optional<std::string> TomlTable::scalar_of(std::string_view key, const toml::node& node) {
  if (const auto* text_value = node.as_string()) {
    if (is_utf8_without_nul(text_value->get())) return text_value->get();
    fail(key, {ErrorCode::invalid, "the value holds a NUL", "take it out"});
    return std::nullopt;
  }
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* date = node.as_date()) return streamed(date->get());
  if (const auto* time = node.as_time()) return streamed(time->get());
  if (const auto* moment = node.as_date_time()) return streamed(moment->get());
  fail(key, wrong_type("a string or a number", "write \"...\" or a number"));
  return std::nullopt;
}

std::optional<std::string> TomlTable::scalar(std::string_view key) {
  const toml::node* node = find(key);
  return node == nullptr ? std::nullopt : scalar_of(key, *node);
}

std::optional<std::vector<std::string>> TomlTable::scalars(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    fail(key, wrong_type("an array", "write [\"a\", \"b\"]"));
    return std::nullopt;
  }
  std::vector<std::string> items;
  for (const toml::node& item : *array) {
    auto text_of_item = scalar_of(key, item);
    if (!text_of_item) return std::nullopt;
    items.push_back(*std::move(text_of_item));
  }
  return items;
}

std::optional<std::vector<std::string>> TomlTable::texts(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const toml::array* array = node->as_array();
  if (array == nullptr || (!array->empty() && !array->is_homogeneous(toml::node_type::string))) {
    fail(key, wrong_type("an array of strings", "write [\"a\", \"b\"]"));
    return std::nullopt;
  }
  return scalars(key);
}

std::optional<std::string> TomlTable::list(std::string_view key) {
  if (!is_array(key)) return scalar(key);
  const auto items = scalars(key);
  if (!items) return std::nullopt;
  std::string text_of_all;
  for (const std::string& item : *items) text_of_all += (&item == items->data() ? "" : ",") + item;
  return text_of_all;
}

const toml::table* TomlTable::table(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) fail(key, wrong_type("a table", fmt::format("write [{}] and its keys below", key)));
  return node->as_table();
}

std::vector<const toml::table*> TomlTable::tables(std::string_view key) {
  std::vector<const toml::table*> found;
  const toml::node* node = find(key);
  if (node == nullptr) return found;
  const toml::array* array = node->as_array();
  if (array == nullptr || (!array->empty() && !array->is_homogeneous(toml::node_type::table))) {
    fail(key, wrong_type("an array of tables", fmt::format("write [[{}]] and its keys below", key)));
    return found;
  }
  for (const toml::node& item : *array) found.push_back(item.as_table());
  return found;
}

Result<void> TomlTable::finish() {
  if (error_) return *error_;
  for (const auto& [key, value] : table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    const std::string near = nearest(key.str(), known_);
    return Error{ErrorCode::invalid,
                 fmt::format("{}: {} is not a key that is known", place(key.source()), shown(full_name(key.str()))),
                 near.empty() ? "known keys: " + joined(known_) : "did you mean " + near + "?"};
  }
  return {};
}

}  // namespace berth
