// Fields: reads of JSON objects that the daemon sent. Total: what is missing, null or of another type is empty or zero, so
// that a newer or older daemon never makes the client fail.
#pragma once

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

std::string text_field(const boost::json::object& object, std::string_view key);
std::int64_t number_field(const boost::json::object& object, std::string_view key);
std::optional<std::int64_t> optional_number(const boost::json::object& object, std::string_view key);
bool flag_field(const boost::json::object& object, std::string_view key);
const boost::json::array& array_field(const boost::json::object& object, std::string_view key);
const boost::json::object& object_field(const boost::json::object& object, std::string_view key);
// Strings of an array of strings.
std::vector<std::string> texts_field(const boost::json::object& object, std::string_view key);
const boost::json::object& as_object(const boost::json::value& value);

std::string joined(const std::vector<std::string>& words, std::string_view separator);

}  // namespace berth
