// The readers of the directives of a scenario, one file per kind. Each takes what belongs to it off the line; the caller
// asks the line for errors. For scn_parse.cc only.
#pragma once

#include "sim/scenario.h"
#include "sim/scn_line.h"

namespace berth::scn {

// `node` and `at T add`: equal nodes of these names.
std::vector<NodeReport> read_nodes(Line& line);
QueueSpec read_queue(Line& line);
void read_policy(Line& line, Policy& policy);
Submit read_submit(Line& line);
JobRef read_job_ref(Line& line, const Word& word);
Refusal read_refusal(Line& line);
Action read_action(Line& line, const Policy& policy);
Expected read_expected(Line& line);

}  // namespace berth::scn
