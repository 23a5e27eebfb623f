#include "wire/json_reader.h"

#include "wire/json_document.h"

namespace berth {

namespace {
constexpr std::size_t kShownBytes = 60;
}

std::string JsonReader::shown(const value& v) {
  if (v.is_object()) return "an object";
  if (v.is_array()) return "a list";
  const std::string text = boost::json::serialize(v);
  return text.size() <= kShownBytes ? text : clean_text(text.substr(0, kShownBytes)) + "...";
}

bool JsonReader::fail(const std::string& what, const std::string& right) {
  error_ = Error{ErrorCode::invalid, path_ + " " + what, right};
  return false;
}

bool JsonReader::fail_field(const std::string& name, const std::vector<std::string_view>& known) {
  std::string all;
  for (const std::string_view each : known) all.append(all.empty() ? "" : ", ").append(each);
  return fail("has an unknown field \"" + clean_text(name) + "\"", "the fields there are: " + all);
}

const JsonReader::object* JsonReader::as_object(const value& v) {
  const object* found = v.if_object();
  if (!found) fail("is " + shown(v), "an object, {...}");
  return found;
}

bool JsonReader::read(const value& v, bool& out) {
  const bool* found = v.if_bool();
  if (!found) return fail("is " + shown(v), "true or false");
  out = *found;
  return true;
}

bool JsonReader::read(const value& v, std::string& out) {
  const boost::json::string* found = v.if_string();
  if (!found) return fail("is " + shown(v), "a string");
  out.assign(found->data(), found->size());
  return true;
}

bool JsonReader::read_integer(const value& v, std::int64_t least, std::int64_t most, std::int64_t& out) {
  const std::int64_t* found = v.if_int64();
  if (!found || *found < least || *found > most) {
    return fail("is " + shown(v), "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  out = *found;
  return true;
}

}  // namespace berth
