// Structs with a field table (wire/json_fields.h) to Boost.JSON values. For the codecs in wire/ only.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"
#include "wire/json_document.h"
#include "wire/json_fields.h"
#include "wire/json_model.h"
#include "wire/names.h"
#include "wire/utf8.h"

namespace berth {

// leave_out: for what is stored. write: for what is shown.
enum class DefaultValues { leave_out, write };

class JsonWriter {
 public:
  using value = boost::json::value;
  explicit JsonWriter(DefaultValues defaults) : defaults_(defaults) {}

  value write(bool v) const { return v; }
  value write(std::int32_t v) const { return std::int64_t{v}; }
  value write(std::int64_t v) const { return v; }
  value write(Duration v) const { return v.ms(); }
  value write(Time v) const { return v.ms(); }
  value write(const std::string& v) const { return value(is_utf8_without_nul(v) ? v : clean_text(v)); }
  template <class Tag>
  value write(Amount<Tag> v) const {
    return v.value();
  }
  template <class Tag, class Rep>
  value write(Id<Tag, Rep> v) const {
    return std::int64_t{v.value()};
  }
  template <class E>
  requires std::is_enum_v<E> value write(E v)
  const { return value(name_of(v)); }
  template <class T>
  value write(const std::optional<T>& v) const {
    return v ? write(*v) : value(nullptr);
  }
  template <class T>
  value write(const std::shared_ptr<const T>& v) const {
    return v ? write(*v) : value(nullptr);
  }

  template <class T>
  value write(const std::vector<T>& v) const {
    return write_list(v);
  }
  template <class T>
  value write(const std::set<T>& v) const {
    return write_list(v);
  }

  template <class T>
  value write(const std::map<std::string, T>& v) const {
    boost::json::object object;
    for (const auto& [key, inner] : v) object[is_utf8_without_nul(key) ? key : clean_text(key)] = write(inner);
    return object;
  }

  template <json_fields::HasFields T>
  value write(const T& v) const {
    boost::json::object object;
    write_fields(v, object);
    return object;
  }

  // Adds the fields of `v` to `object`.
  template <json_fields::HasFields T>
  void write_fields(const T& v, boost::json::object& object) const {
    json_fields::for_each_field<T>([&](const auto& field) { write_field(v, field, object); });
  }

 private:
  template <class T>
  static const T& default_of() {
    static const T value{};
    return value;
  }
  template <class T, class M>
  void write_field(const T& v, const json_fields::Field<T, M>& field, boost::json::object& object) const {
    if (defaults_ == DefaultValues::leave_out && v.*field.member == default_of<T>().*field.member) return;
    object.emplace(field.name, write(v.*field.member));
  }
  template <class T, class M>
  void write_field(const T& v, const json_fields::Flat<T, M>& flat, boost::json::object& object) const {
    write_fields(v.*flat.member, object);
  }

  template <class List>
  value write_list(const List& list) const {
    boost::json::array array;
    array.reserve(list.size());
    for (const auto& element : list) array.push_back(write(element));
    return array;
  }

  DefaultValues defaults_;
};

}  // namespace berth
