#include "api/event_text.h"

#include "wire/event_json.h"

namespace berth::api {
namespace {

Event without_private_parts(Event event) {
  auto* submitted = std::get_if<event::JobSubmitted>(&event.body);
  if (!submitted || !submitted->spec) return event;
  auto spec = std::make_shared<JobSpec>(*submitted->spec);
  spec->env.clear();
  spec->script.clear();
  submitted->spec = std::move(spec);
  return event;
}

}  // namespace

std::string event_text(const JournalRecord& record) {
  std::string text = "id: " + std::to_string(record.sequence) + "\nevent: ";
  text += event_name(record.event);
  text += "\ndata: " + event_to_json(without_private_parts(record.event)) + "\n\n";
  return text;
}

}  // namespace berth::api
