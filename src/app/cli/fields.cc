#include "app/cli/fields.h"

#include <boost/json.hpp>

namespace berth {
namespace {

const boost::json::object kEmptyObject;
const boost::json::array kEmptyArray;

}  // namespace

std::string text_field(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<std::int64_t> optional_number(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  boost::json::error_code inexact;
  const auto number = value->to_number<std::int64_t>(inexact);
  if (inexact) return std::nullopt;
  return number;
}

std::int64_t number_field(const boost::json::object& object, std::string_view key) {
  return optional_number(object, key).value_or(0);
}

bool flag_field(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

const boost::json::array& array_field(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_array() ? value->get_array() : kEmptyArray;
}

const boost::json::object& object_field(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr ? as_object(*value) : kEmptyObject;
}

std::vector<std::string> texts_field(const boost::json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const auto& value : array_field(object, key)) {
    if (value.is_string()) texts.emplace_back(value.get_string());
  }
  return texts;
}

const boost::json::object& as_object(const boost::json::value& value) {
  return value.is_object() ? value.get_object() : kEmptyObject;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += separator;
    out += word;
  }
  return out;
}

}  // namespace berth
