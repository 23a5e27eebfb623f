// What stores keep of a state, one row a line: for comparing states, and for seeing how they differ.
#pragma once

#include <string>

#include "model/state.h"
#include "wire/job_json.h"
#include "wire/state_json.h"

namespace berth {

inline std::string rows_text(const ClusterState& state) {
  std::string text = "sequence " + std::to_string(state.sequence) + " now " + std::to_string(state.now.ms()) +
                     " next_job " + std::to_string(state.next_job.value()) + "\n";
  for (const auto& [id, job] : state.jobs) text += "job " + job_to_json(job) + " " + job_spec_to_json(*job.spec) + "\n";
  for (const auto& [id, allocation] : state.allocations) text += "allocation " + allocation_to_json(allocation) + "\n";
  for (const Node& node : state.nodes) text += "node " + node_to_json(node) + "\n";
  for (const Queue& queue : state.queues) text += "queue " + queue_to_json(queue) + "\n";
  for (const auto& [node, jobs] : state.launch_failures) {
    text += "launch_failures " + std::to_string(node.value()) + " " + job_ids_to_json(jobs) + "\n";
  }
  return text + "policy " + policy_to_json(state.policy) + "\n";
}

}  // namespace berth
