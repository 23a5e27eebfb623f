// Boost.JSON values to structs with a field table (wire/json_fields.h), strictly: an unknown field, a wrong type or a
// number out of range is an Error that names the path and what would be right. A missing field keeps its default.
// For the codecs in wire/ only.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "wire/json_fields.h"
#include "wire/json_model.h"
#include "wire/names.h"

namespace berth {

class JsonReader {
 public:
  using value = boost::json::value;
  using object = boost::json::object;
  // `root` names the whole document in errors and opens every path: "spec" -> "spec.groups[0].count".
  explicit JsonReader(std::string root) : path_(std::move(root)) {}

  // Each reads into `out` and answers whether it could; after the first failure, error() says why.
  bool read(const value& v, bool& out);
  bool read(const value& v, std::int64_t& out) {
    return read_integer(v, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), out);
  }
  bool read(const value& v, std::string& out);
  bool read(const value& v, std::int32_t& out) { return read_narrow(v, out); }
  bool read(const value& v, Duration& out) { return read_as<std::int64_t>(v, out); }
  bool read(const value& v, Time& out) { return read_as<std::int64_t>(v, out); }
  template <class Tag>
  bool read(const value& v, Amount<Tag>& out) {
    return read_as<std::int64_t>(v, out);
  }
  template <class Tag, class Rep>
  bool read(const value& v, Id<Tag, Rep>& out) {
    return read_as<Rep>(v, out);
  }

  template <class E>
  requires std::is_enum_v<E>
  bool read(const value& v, E& out) {
    const boost::json::string* text = v.if_string();
    const std::optional<E> found = text ? from_name<E>(*text) : std::nullopt;
    if (!found) return fail("is " + shown(v), "one of " + all_names<E>());
    out = *found;
    return true;
  }
  template <class T>
  bool read(const value& v, std::optional<T>& out) {
    out.reset();
    return v.is_null() || read(v, out.emplace());
  }
  template <class T>
  bool read(const value& v, std::shared_ptr<const T>& out) {
    auto inner = std::make_shared<T>();
    if (!read(v, *inner)) return false;
    out = std::move(inner);
    return true;
  }
  template <class T>
  bool read(const value& v, std::vector<T>& out) {
    out.clear();
    return read_list<T>(v, [&](T&& element) { out.push_back(std::move(element)); });
  }
  template <class T>
  bool read(const value& v, std::set<T>& out) {
    out.clear();
    return read_list<T>(v, [&](T&& element) { out.insert(std::move(element)); });
  }
  template <class T>
  bool read(const value& v, std::map<std::string, T>& out) {
    out.clear();
    const object* fields = as_object(v);
    if (!fields) return false;
    for (const auto& [key, inner] : *fields) {
      const Inside inside(*this, std::string(".").append(key));
      if (!read(inner, out[std::string(key)])) return false;
    }
    return true;
  }
  template <json_fields::HasFields T>
  bool read(const value& v, T& out) {
    const object* fields = as_object(v);
    return fields && read_fields(*fields, out, {});
  }

  // Reads a struct from an object in which the fields named in `beside` may stand too.
  template <json_fields::HasFields T>
  bool read_fields(const object& fields, T& out, std::initializer_list<std::string_view> beside) {
    std::size_t known = 0;
    if (!read_known(fields, out, known)) return false;
    for (const std::string_view name : beside) known += fields.contains(name) ? 1 : 0;
    return known == fields.size() || fail_unknown<T>(fields, beside);
  }

  bool fail(const std::string& what, const std::string& right);
  const object* as_object(const value& v);
  const Error& error() const { return error_; }

 private:
  // Lengthens the path while it lives; a failure inside keeps the text that it was made with.
  class Inside {
   public:
    Inside(JsonReader& reader, std::string_view step) : reader_(reader), size_(reader.path_.size()) {
      reader_.path_.append(step);
    }
    ~Inside() { reader_.path_.resize(size_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    JsonReader& reader_;
    std::size_t size_;
  };

  static std::string shown(const value& v);
  bool read_integer(const value& v, std::int64_t least, std::int64_t most, std::int64_t& out);
  bool fail_field(const std::string& name, const std::vector<std::string_view>& known);

  template <class Rep>
  bool read_narrow(const value& v, Rep& out) {
    std::int64_t wide = 0;
    if (!read_integer(v, std::numeric_limits<Rep>::min(), std::numeric_limits<Rep>::max(), wide)) return false;
    out = static_cast<Rep>(wide);
    return true;
  }
  template <class Rep, class Strong>
  bool read_as(const value& v, Strong& out) {
    Rep number = 0;
    if (!read_narrow(v, number)) return false;
    out = Strong(number);
    return true;
  }
  template <class T, class Take>
  bool read_list(const value& v, Take take) {
    const boost::json::array* list = v.if_array();
    if (!list) return fail("is " + shown(v), "a list");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Inside inside(*this, "[" + std::to_string(i) + "]");
      T element{};
      if (!read((*list)[i], element)) return false;
      take(std::move(element));
    }
    return true;
  }

  template <class T>
  bool read_known(const object& fields, T& out, std::size_t& known) {
    bool good = true;
    json_fields::for_each_field<T>([&](const auto& field) { good = good && read_field(fields, field, out, known); });
    return good;
  }
  template <class T, class M>
  bool read_field(const object& fields, const json_fields::Field<T, M>& field, T& out, std::size_t& known) {
    const value* found = fields.if_contains(field.name);
    if (!found) return true;
    ++known;
    const Inside inside(*this, std::string(".").append(field.name));
    return read(*found, out.*field.member);
  }
  template <class T, class M>
  bool read_field(const object& fields, const json_fields::Flat<T, M>& flat, T& out, std::size_t& known) {
    return read_known(fields, out.*flat.member, known);
  }

  template <class T>
  static void collect_names(std::vector<std::string_view>& names) {
    json_fields::for_each_field<T>([&](const auto& field) { collect_name(field, names); });
  }
  template <class T, class M>
  static void collect_name(const json_fields::Field<T, M>& field, std::vector<std::string_view>& names) {
    names.push_back(field.name);
  }
  template <class T, class M>
  static void collect_name(const json_fields::Flat<T, M>&, std::vector<std::string_view>& names) {
    collect_names<M>(names);
  }
  template <class T>
  bool fail_unknown(const object& fields, std::initializer_list<std::string_view> beside) {
    std::vector<std::string_view> names(beside);
    collect_names<T>(names);
    for (const auto& [key, inner] : fields) {
      if (std::find(names.begin(), names.end(), std::string_view(key)) == names.end()) {
        return fail_field(std::string(key), names);
      }
    }
    return fail("has a field twice", "each field once");
  }

  std::string path_;
  Error error_;
};

}  // namespace berth
