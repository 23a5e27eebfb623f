// Random values of every struct with a field table, extremes and awkward texts included. For tests only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/prng.h"
#include "wire/json_model.h"
#include "wire/names.h"

namespace berth {

class RandomModel {
 public:
  explicit RandomModel(std::uint64_t seed) : prng_(seed) {}

  template <class T>
  T make() {
    T value{};
    fill(value);
    return value;
  }

  Event make_event() {
    Event event;
    fill(event.at);
    const auto which = static_cast<std::size_t>(prng_.below(std::variant_size_v<event::Body>));
    fill_body(event.body, which, std::make_index_sequence<std::variant_size_v<event::Body>>{});
    return event;
  }

 private:
  void fill(bool& v) { v = prng_.chance(1, 2); }
  void fill(std::int32_t& v) { v = number<std::int32_t>(); }
  void fill(std::int64_t& v) { v = number<std::int64_t>(); }
  void fill(Duration& v) { v = Duration(number<std::int64_t>()); }
  void fill(Time& v) { v = Time(number<std::int64_t>()); }
  void fill(std::string& v) {
    static const std::vector<std::string> pieces{"",          "a",        "job-1", "\"",          "\\",   "/",
                                                 "\n\t\r",    "\x01\x1f", "\x7f",  "é",           "日本", "\U0001F680",
                                                 "{\"x\":1}", " ",        "%j",    "\xEF\xBF\xBF"};
    for (std::int64_t n = prng_.below(5); n > 0; --n) v += pieces[static_cast<std::size_t>(prng_.below(pieces.size()))];
  }
  template <class Tag>
  void fill(Amount<Tag>& v) {
    v = Amount<Tag>(number<std::int64_t>());
  }
  template <class Tag, class Rep>
  void fill(Id<Tag, Rep>& v) {
    v = Id<Tag, Rep>(number<Rep>());
  }
  template <class E>
  requires std::is_enum_v<E>
  void fill(E& v) {
    std::istringstream names(all_names<E>());
    std::vector<std::string> list;
    for (std::string name; std::getline(names >> std::ws, name, ',');) list.push_back(name);
    v = *from_name<E>(list[static_cast<std::size_t>(prng_.below(list.size()))]);
  }
  template <class T>
  void fill(std::optional<T>& v) {
    if (prng_.chance(1, 2)) fill(v.emplace());
  }
  template <class T>
  void fill(std::shared_ptr<const T>& v) {
    v = std::make_shared<const T>(make<T>());
  }
  template <class T>
  void fill(std::vector<T>& v) {
    v.resize(static_cast<std::size_t>(prng_.below(4)));
    for (T& element : v) fill(element);
  }
  template <class T>
  void fill(std::set<T>& v) {
    for (std::int64_t n = prng_.below(4); n > 0; --n) v.insert(make<T>());
  }
  template <class T>
  void fill(std::map<std::string, T>& v) {
    for (std::int64_t n = prng_.below(4); n > 0; --n) v[make<std::string>()] = make<T>();
  }
  template <json_fields::HasFields T>
  void fill(T& v) {
    json_fields::for_each_field<T>([&](const auto& field) { fill(v.*field.member); });
  }

  template <class Int>
  Int number() {
    switch (prng_.below(6)) {
      case 0:
        return 0;
      case 1:
        return -1;
      case 2:
        return std::numeric_limits<Int>::max();
      case 3:
        return std::numeric_limits<Int>::min();
      case 4:
        return static_cast<Int>(prng_.below(1000));
      default:
        return static_cast<Int>(prng_.next());
    }
  }
  template <std::size_t... I>
  void fill_body(event::Body& body, std::size_t which, std::index_sequence<I...>) {
    ((I == which ? fill(body.emplace<I>()) : void()), ...);
  }

  Prng prng_;
};

}  // namespace berth
