// Journal records as server-sent events: "id: 12\nevent: job_held\ndata: {...}\n\n". What only a job's owner should see
// (variables, script) is left out: everyone may watch. Pure.
#pragma once

#include <string>

#include "ports/store.h"

namespace berth::api {

std::string event_text(const JournalRecord& record);

}  // namespace berth::api
