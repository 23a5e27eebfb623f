// The views of a plan and of an explanation.
#include <algorithm>
#include <boost/json.hpp>
#include <vector>

#include "wire/names.h"
#include "wire/text.h"
#include "wire/view_json.h"
#include "wire/view_parts.h"

namespace berth {
namespace {

namespace json = boost::json;

void add_place(const ClusterState& state, const Placement& placement, json::object& row) {
  row["nodes"] = nodes_of(state, placement);
  row["gpus"] = gpus_of(state, placement);
}

void add_words(const WaitingView& why, json::object& row) {
  row["reason"] = name_of(why.reason);
  row["reason_text"] = why.text;
}

json::array starts_of(const ClusterState& state, const Plan& plan) {
  json::array rows;
  for (const Start& start : plan.starts) {
    json::object row = job_head(state, start.job);
    add_place(state, start.placement, row);
    row["backfilled"] = start.backfilled;
    rows.push_back(std::move(row));
  }
  return rows;
}

json::array running_of(const ClusterState& state) {
  std::vector<const Allocation*> list;
  for (const auto& [job, allocation] : state.allocations) list.push_back(&allocation);
  std::stable_sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->ends_by < b->ends_by; });
  json::array rows;
  for (const Allocation* allocation : list) {
    json::object row = job_head(state, allocation->key.job);
    add_place(state, allocation->placement, row);
    row["phase"] = name_of(allocation->phase);
    row["started_ms"] = time_or_null(allocation->started);
    row["ends_by_ms"] = time_or_null(allocation->ends_by);
    rows.push_back(std::move(row));
  }
  return rows;
}

json::array reservations_of(const ClusterState& state, const Plan& plan) {
  std::vector<const Reservation*> list;
  for (const Reservation& reservation : plan.reservations) list.push_back(&reservation);
  std::stable_sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->at < b->at; });
  json::array rows;
  for (const Reservation* reservation : list) {
    json::object row = job_head(state, reservation->job);
    row["at_ms"] = reservation->at.ms();
    add_place(state, reservation->placement, row);
    add_words(waiting(state, *reservation), row);
    rows.push_back(std::move(row));
  }
  return rows;
}

json::array holds_of(const ClusterState& state, const Plan& plan, std::size_t most) {
  json::array rows;
  for (const Held& held : plan.holds) {
    if (rows.size() == most) break;
    const WaitingView why = waiting(state, held);
    json::object row = job_head(state, held.job);
    add_words(why, row);
    row["expected_start_ms"] = time_or_null(why.expected);
    rows.push_back(std::move(row));
  }
  return rows;
}

json::value blocker_view(const Blocker& blocker) {
  return {{"reason", name_of(blocker.reason)},
          {"subject", shown_text(blocker.subject)},
          {"unit", shown_text(blocker.unit)},
          {"want", blocker.want},
          {"have", blocker.have},
          {"limit", blocker.limit == 0 ? json::value(nullptr) : json::value(blocker.limit)},
          {"until_ms", time_or_null(blocker.until)},
          {"detail", shown_text(blocker.detail)},
          {"text", shown_text(to_text(blocker))}};
}

}  // namespace

json::object plan_view(const ClusterState& state, const Plan& plan, std::size_t max_holds) {
  return {{"at_ms", plan.at.ms()},
          {"version", plan.version},
          {"next_wake_ms", time_or_null(plan.next_wake)},
          {"starts", starts_of(state, plan)},
          {"running", running_of(state)},
          {"reservations", reservations_of(state, plan)},
          {"holds", holds_of(state, plan, max_holds)},
          {"holds_total", plan.holds.size()}};
}

json::object explanation_view(const ClusterState& state, const Explanation& explanation) {
  json::array blockers;
  for (const Blocker& blocker : explanation.blockers) blockers.push_back(blocker_view(blocker));
  json::array fixes;
  for (const std::string& fix : explanation.fixes) fixes.emplace_back(shown_text(fix));
  json::object row = job_head(state, explanation.job);
  const auto job = state.jobs.find(explanation.job);
  row["state"] = job == state.jobs.end() ? json::value(nullptr) : json::value(name_of(job->second.state));
  row["blockers"] = std::move(blockers);
  row["expected_start_ms"] = time_or_null(explanation.expected);
  row["expected_exact"] = explanation.exact;
  row["fixes"] = std::move(fixes);
  return row;
}

}  // namespace berth
