#include "wire/event_json.h"

#include <array>
#include <utility>

#include "wire/json_text.h"

namespace berth {
namespace {

using json_fields::Fields;

constexpr std::string_view kName = "event";
constexpr std::string_view kAt = "at_ms";

using ReadBody = bool (*)(JsonReader&, const boost::json::object&, event::Body&);

template <class Body>
bool read_body(JsonReader& reader, const boost::json::object& fields, event::Body& out) {
  Body body{};
  if (!reader.read_fields(fields, body, {kName, kAt})) return false;
  out = std::move(body);
  return true;
}

template <std::size_t... I>
constexpr auto make_readers(std::index_sequence<I...>) {
  return std::array{
      std::pair<std::string_view, ReadBody>{Fields<std::variant_alternative_t<I, event::Body>>::event_name,
                                            &read_body<std::variant_alternative_t<I, event::Body>>}...};
}
constexpr auto kReaders = make_readers(std::make_index_sequence<std::variant_size_v<event::Body>>{});

ReadBody reader_named(std::string_view name) {
  for (const auto& [known, read] : kReaders) {
    if (known == name) return read;
  }
  return nullptr;
}

bool read_event(JsonReader& reader, const boost::json::value& value, Event& out) {
  const boost::json::object* fields = reader.as_object(value);
  if (!fields) return false;
  const boost::json::value* name = fields->if_contains(kName);
  if (!name || !name->is_string()) return reader.fail("has no name", "a string in the field \"event\"");
  const ReadBody read = reader_named(name->get_string());
  if (!read) {
    return reader.fail("has the unknown name " + boost::json::serialize(*name), "an event that this version knows");
  }
  const boost::json::value* at = fields->if_contains(kAt);
  if (at && !reader.read(*at, out.at)) return false;
  return read(reader, *fields, out.body);
}

}  // namespace

std::string_view event_name(const Event& event) {
  return std::visit([](const auto& body) { return Fields<std::decay_t<decltype(body)>>::event_name; }, event.body);
}

std::string event_to_json(const Event& event) {
  boost::json::object object{{kName, event_name(event)}, {kAt, event.at.ms()}};
  const JsonWriter writer(DefaultValues::leave_out);
  std::visit([&](const auto& body) { writer.write_fields(body, object); }, event.body);
  return boost::json::serialize(object);
}

Result<Event> event_from_json(std::string_view text, std::string_view what) {
  const Result<boost::json::value> value = parse_json(text, what, kNoByteBound);
  if (!value) return value.error();
  Event event;
  JsonReader reader{std::string(what)};
  if (!read_event(reader, *value, event)) return reader.error();
  return event;
}

}  // namespace berth
