// What the expectations of a scenario see: jobs, nodes and queues as named text fields, and what does not match.
// For scenario_run.cc.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/scenario.h"
#include "sim/world.h"

namespace berth {

struct StoryView {
  const World& world;
  const std::map<std::string, std::vector<JobId>>& ids;  // by name in the story
  const std::map<JobId, const scn::Submit*>& submits;
};

using Seen = std::map<std::string, std::string>;

// A job as the fields of scn_fields.h; of its state, allocation, plan and explanation.
Seen see_job(const StoryView& view, JobId id);
Seen see_node(const ClusterState& state, const Node& node);
Seen see_queue(const ClusterState& state, const Queue& queue);
// The name of a job in the story: "train", "sweep[3]"; "@12" if it has none.
std::string story_name(const StoryView& view, JobId id);

// Empty if all is as expected; else what was so instead, in words, with the explanation of the job.
std::string unmet(const StoryView& view, const scn::Expected& expected);

}  // namespace berth
