#include "api/plan_parts.h"

#include <algorithm>

namespace berth::api {
namespace {

// A search costs a tenth of what an index does.
constexpr int kUsesWorthAnIndex = 10;

std::size_t entries_of(const Plan& plan) { return plan.starts.size() + plan.reservations.size() + plan.holds.size(); }

template <class Entries>
void search(const Entries& from, const std::vector<JobId>& ids, Entries& to) {
  for (const auto& entry : from) {
    const bool meant =
        ids.size() == 1 ? entry.job == ids.front() : std::binary_search(ids.begin(), ids.end(), entry.job);
    if (meant) to.push_back(entry);
  }
}

}  // namespace

Plan PlanParts::about(const Plan& plan, const std::vector<JobId>& ids) {
  notice(plan);
  Plan part;
  part.at = plan.at;
  part.version = plan.version;
  part.next_wake = plan.next_wake;
  if (!indexed_) {
    search(plan.starts, ids, part.starts);
    search(plan.reservations, ids, part.reservations);
    search(plan.holds, ids, part.holds);
    return part;
  }
  for (const JobId id : ids) {
    const auto place =
        std::lower_bound(places_.begin(), places_.end(), id, [](const Place& p, JobId job) { return p.job < job; });
    if (place == places_.end() || place->job != id) continue;
    if (place->list == List::starts)
      part.starts.push_back(plan.starts[place->at]);
    else if (place->list == List::reservations)
      part.reservations.push_back(plan.reservations[place->at]);
    else
      part.holds.push_back(plan.holds[place->at]);
  }
  return part;
}

// The same state at the same time gives the same plan.
void PlanParts::notice(const Plan& plan) {
  const bool same = plan.at == at_ && plan.version == version_ && entries_of(plan) == entries_;
  uses_ = same ? uses_ + 1 : 0;
  if (!same) indexed_ = false;
  at_ = plan.at;
  version_ = plan.version;
  entries_ = entries_of(plan);
  if (!indexed_ && uses_ == kUsesWorthAnIndex) index(plan);
}

void PlanParts::index(const Plan& plan) {
  places_.clear();
  places_.reserve(entries_);
  const auto note = [this](const auto& entries, List list) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      places_.push_back({entries[i].job, list, static_cast<std::uint32_t>(i)});
  };
  note(plan.starts, List::starts);
  note(plan.reservations, List::reservations);
  note(plan.holds, List::holds);
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.job < b.job; });
  indexed_ = true;
}

}  // namespace berth::api
