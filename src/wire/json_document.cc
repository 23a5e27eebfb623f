#include "wire/json_document.h"

#include <boost/json.hpp>

#include <algorithm>

#include "wire/utf8.h"

namespace berth {
namespace {

namespace json = boost::json;

Error bad_json(std::string_view text, std::size_t offset, std::string_view what, const std::string& why) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start_of_line = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return Error{ErrorCode::invalid,
               std::string(what) + " is not valid JSON: line " + std::to_string(line) + ", byte " +
                   std::to_string(offset - start_of_line + 1) + ": " + why,
               "one JSON document in UTF-8, nested at most " + std::to_string(kMaxJsonDepth) + " levels deep"};
}

bool has_nul(std::string_view text) { return text.find('\0') != text.npos; }

// The path of the first string or key with a NUL in it; empty if there is none. Depth is bounded by the parser.
std::string find_nul(const json::value& value, const std::string& path) {
  if (const auto* string = value.if_string()) return has_nul(*string) ? (path.empty() ? "the value" : path) : "";
  if (const auto* array = value.if_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string found = find_nul((*array)[i], path);
      if (!found.empty()) return found;
    }
  }
  if (const auto* object = value.if_object()) {
    for (const auto& [key, inner] : *object) {
      if (has_nul(key)) return "a field name in " + (path.empty() ? "the document" : path);
      const std::string found = find_nul(inner, path.empty() ? std::string(key) : path + "." + std::string(key));
      if (!found.empty()) return found;
    }
  }
  return "";
}

// A NUL can stand in JSON only as an escape, so texts without one need no search.
Result<void> check_no_nul(std::string_view text, const json::value& value, std::string_view what) {
  if (text.find("\\u0000") == text.npos) return {};
  const std::string where = find_nul(value, "");
  if (where.empty()) return {};
  return Error{ErrorCode::invalid, std::string(what) + ": " + where + " holds a NUL character",
               "text without \\u0000; neither file names nor environments nor scripts can hold one"};
}

}  // namespace

Result<json::value> parse_json(std::string_view text, std::string_view what, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return Error{
        ErrorCode::too_large,
        std::string(what) + " has " + std::to_string(text.size()) + " bytes; the bound is " + std::to_string(max_bytes),
        "put large data into a file and name the file"};
  }
  try {
    json::parse_options options;
    options.max_depth = kMaxJsonDepth;
    json::parser parser({}, options);
    json::error_code failure;
    const std::size_t read = parser.write_some(text.data(), text.size(), failure);
    if (failure) return bad_json(text, read, what, failure.message());
    const std::size_t more = text.find_first_not_of(" \t\r\n", read);
    if (more != text.npos) return bad_json(text, more, what, "something follows the end of the document");
    json::value value = parser.release();
    if (auto checked = check_no_nul(text, value, what); !checked) return checked.error();
    return value;
  } catch (const std::exception& failure) {
    return Error{ErrorCode::exhausted, std::string(what) + " could not be read: " + failure.what(), ""};
  }
}

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t good = utf8_prefix_without_nul(text);
    clean.append(text.substr(0, good));
    text.remove_prefix(good);
    if (text.empty()) break;
    clean.append("\xEF\xBF\xBD");
    text.remove_prefix(1);
  }
  return clean;
}

std::string to_text(const json::value& value) { return json::serialize(value); }
std::string to_text(const json::object& object) { return json::serialize(object); }
std::string to_text(const json::array& array) { return json::serialize(array); }

}  // namespace berth
