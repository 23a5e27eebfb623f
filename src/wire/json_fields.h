// The one way in which structs become JSON: a table of their fields, from which both reader and writer follow.
//
//   template <> struct Fields<ExitStatus> {
//     static constexpr auto table =
//         std::make_tuple(field("code", &ExitStatus::code), field("signal", &ExitStatus::signal));
//   };
//
// Stored documents leave out fields that have the struct's default value, so that they are small; a field that is
// missing takes that default, so that documents from before the field was added stay readable. A default in the model
// must therefore never change (json_model_test.cc pins them). For the codecs in wire/ and their tests only.
#pragma once

#include <string_view>
#include <tuple>

namespace berth::json_fields {

template <class Struct, class Member>
struct Field {
  std::string_view name;
  Member Struct::*member;
};

// A struct whose fields stand among those of the one around it.
template <class Struct, class Member>
struct Flat {
  Member Struct::*member;
};

template <class Struct, class Member>
constexpr Field<Struct, Member> field(std::string_view name, Member Struct::*member) {
  return {name, member};
}
template <class Struct, class Member>
constexpr Flat<Struct, Member> flat(Member Struct::*member) {
  return {member};
}

template <class Struct>
struct Fields;

template <class T>
concept HasFields = requires {
  Fields<T>::table;
};

// f(field) for every entry of the table, in order.
template <class Struct, class F>
constexpr void for_each_field(F&& f) {
  std::apply([&](const auto&... fields) { (f(fields), ...); }, Fields<Struct>::table);
}

}  // namespace berth::json_fields
