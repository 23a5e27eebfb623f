#include "wire/state_json.h"

#include "wire/json_text.h"

namespace berth {

std::string node_to_json(const Node& node) { return stored_text(node); }
Result<Node> node_from_json(std::string_view text, std::string_view what) { return from_text<Node>(text, what); }

std::string node_report_to_json(const NodeReport& report) { return stored_text(report); }
Result<NodeReport> node_report_from_json(std::string_view text, std::string_view what) {
  return from_text<NodeReport>(text, what);
}

std::string queue_to_json(const Queue& queue) { return stored_text(queue); }
Result<Queue> queue_from_json(std::string_view text, std::string_view what) { return from_text<Queue>(text, what); }

std::string allocation_to_json(const Allocation& allocation) { return stored_text(allocation); }
Result<Allocation> allocation_from_json(std::string_view text, std::string_view what) {
  return from_text<Allocation>(text, what);
}

std::string job_ids_to_json(const std::set<JobId>& jobs) { return stored_text(jobs); }
Result<std::set<JobId>> job_ids_from_json(std::string_view text, std::string_view what) {
  return from_text<std::set<JobId>>(text, what);
}

std::string policy_to_json(const Policy& policy) { return stored_text(policy); }
Result<Policy> policy_from_json(std::string_view text, std::string_view what) { return from_text<Policy>(text, what); }

}  // namespace berth
