#include "sim/rows.h"

#include "core/decide.h"

namespace berth {
namespace {

template <class Id, class Row>
std::string map_difference(const char* what, const std::map<Id, Row>& a, const std::map<Id, Row>& b) {
  const auto name = [what](Id id) { return std::string(what) + " " + std::to_string(id.value()); };
  for (const auto& [id, row] : a) {
    const auto other = b.find(id);
    if (other == b.end()) return name(id) + " is only in the first";
    if (!(other->second == row)) return name(id) + " differs";
  }
  for (const auto& [id, row] : b)
    if (!a.count(id)) return name(id) + " is only in the second";
  return "";
}

template <class Row>
std::string vector_difference(const char* what, const std::vector<Row>& a, const std::vector<Row>& b) {
  if (a.size() != b.size())
    return std::string(what) + "s: " + std::to_string(a.size()) + " and " + std::to_string(b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i])) return std::string(what) + " " + std::to_string(i) + " differs";
  return "";
}

}  // namespace

std::string rows_difference(const ClusterState& a, const ClusterState& b) {
  if (a.sequence != b.sequence) return "sequence: " + std::to_string(a.sequence) + " and " + std::to_string(b.sequence);
  if (a.now != b.now) return "now: " + std::to_string(a.now.ms()) + " and " + std::to_string(b.now.ms());
  if (a.next_job != b.next_job) return "next_job differs";
  for (const auto& found :
       {map_difference("job", a.jobs, b.jobs), map_difference("allocation of job", a.allocations, b.allocations),
        vector_difference("node", a.nodes, b.nodes), vector_difference("queue", a.queues, b.queues),
        map_difference("launch failures of node", a.launch_failures, b.launch_failures)})
    if (!found.empty()) return found;
  return a.policy == b.policy ? "" : "policy differs";
}

ClusterState fold(const std::vector<JournalRecord>& records) {
  ClusterState state;
  for (const auto& record : records) apply(state, record.event);
  return state;
}

}  // namespace berth
