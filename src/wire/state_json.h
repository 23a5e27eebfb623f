// The rows of ClusterState as JSON, as stores keep them; fields with default values are left out.
// Any layer above wire may use it; field names are in wire/json_model.h.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/allocation.h"
#include "model/node.h"
#include "model/policy.h"
#include "model/queue.h"

namespace berth {

std::string node_to_json(const Node& node);
Result<Node> node_from_json(std::string_view text, std::string_view what = "node");

std::string node_report_to_json(const NodeReport& report);
Result<NodeReport> node_report_from_json(std::string_view text, std::string_view what = "node report");

std::string queue_to_json(const Queue& queue);
Result<Queue> queue_from_json(std::string_view text, std::string_view what = "queue");

std::string allocation_to_json(const Allocation& allocation);
Result<Allocation> allocation_from_json(std::string_view text, std::string_view what = "allocation");

// [12, 15]
std::string job_ids_to_json(const std::set<JobId>& jobs);
Result<std::set<JobId>> job_ids_from_json(std::string_view text, std::string_view what = "jobs");

std::string policy_to_json(const Policy& policy);
Result<Policy> policy_from_json(std::string_view text, std::string_view what = "policy");

}  // namespace berth
