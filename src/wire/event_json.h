// Event as JSON: {"event":"job_held","at_ms":1000,"job":12,"by":"ann"}. Journals hold it and the API streams it.
// A field that is missing has its default, so that journals from before it was added stay readable.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/event.h"

namespace berth {

std::string_view event_name(const Event& event);
std::string event_to_json(const Event& event);
Result<Event> event_from_json(std::string_view text, std::string_view what = "event");

}  // namespace berth
