// Whole documents: a struct with a field table to text and back. For the codecs in wire/ only.
#pragma once

#include <string>
#include <string_view>

#include "wire/json_document.h"
#include "wire/json_reader.h"
#include "wire/json_writer.h"

namespace berth {

template <class T>
std::string stored_text(const T& v) {
  return boost::json::serialize(JsonWriter(DefaultValues::leave_out).write(v));
}

template <class T>
Result<T> from_value(const boost::json::value& value, std::string_view path) {
  T out{};
  JsonReader reader{std::string(path)};
  if (!reader.read(value, out)) return reader.error();
  return out;
}

template <class T>
Result<T> from_text(std::string_view text, std::string_view what) {
  const Result<boost::json::value> value = parse_json(text, what, kNoByteBound);
  if (!value) return value.error();
  return from_value<T>(*value, what);
}

}  // namespace berth
