#include "core/queue_limits.h"

#include <algorithm>

#include "core/indexes.h"

namespace berth {
namespace {

std::size_t index(QueueId q) { return static_cast<std::size_t>(q.value()); }

bool is_limited(const QueueSpec& s) { return s.limit || s.cpu_limit || s.memory_limit || s.max_running_jobs; }

Blocker passed(const QueueSpec& queue, const char* unit, std::int64_t want, std::int64_t limit, std::int64_t held) {
  Blocker b;
  b.reason = HoldReason::queue_limit;
  b.subject = queue.name;
  b.unit = unit;
  b.want = want;
  b.have = std::max<std::int64_t>(limit - held, 0);
  b.limit = limit;
  b.detail = "limit " + std::to_string(limit) + ", held " + std::to_string(held);
  return b;
}

}  // namespace

Resources resources_of(const Placement& placement) {
  Resources sum;
  for (const TaskPlacement& task : placement) {
    sum.cpu += task.cpus;
    sum.memory += task.memory;
    for (const GpuSlice& slice : task.gpus) sum.gpu += slice.milli;
  }
  return sum;
}

QueueLimits::QueueLimits(const ClusterState& state, Time now) : state_(state), now_(now), levels_(state.queues.size()) {
  for (const Queue& queue : state.queues) levels_[index(queue.id)].limited = is_limited(queue.spec);
}

// The running jobs of the queue and below it, until their limits.
void QueueLimits::load(QueueId q) {
  Level& level = levels_[index(q)];
  if (level.loaded) return;
  level.loaded = true;
  for (const auto& [id, a] : state_.allocations) {
    const Job& job = state_.jobs.at(id);
    QueueId up = job.queue;
    while (up != kNoQueue && up != q) up = state_.queues[index(up)].parent;
    if (up != q) continue;
    const Time end = std::max(known_end(a, effective_limit(state_, job)), now_ + seconds(1));
    level.entries.push_back({{now_, end}, resources_of(a.placement)});
  }
}

QueueLimits::Peak QueueLimits::peak(QueueId q, Window window) {
  Level& level = levels_[index(q)];
  const QueueUse& use = state_.indexes.queue_use[index(q)];
  if (window.from == now_ && level.promises == 0) return {use.held + level.pass, use.jobs + level.pass_jobs};
  load(q);
  Peak most;
  const auto measure = [&](Time t) {
    Peak at;
    for (const Entry& e : level.entries) {
      if (e.window.from > t || e.window.to <= t) continue;
      at.held += e.held;
      ++at.jobs;
    }
    most.held.gpu = std::max(most.held.gpu, at.held.gpu);
    most.held.cpu = std::max(most.held.cpu, at.held.cpu);
    most.held.memory = std::max(most.held.memory, at.held.memory);
    most.jobs = std::max(most.jobs, at.jobs);
  };
  measure(window.from);
  for (const Entry& e : level.entries)
    if (e.window.from > window.from && e.window.from < window.to) measure(e.window.from);
  return most;
}

void QueueLimits::check_level(QueueId q, const Resources& asked, Window window, std::vector<Blocker>& out) {
  if (!levels_[index(q)].limited) return;
  const QueueSpec& s = state_.queues[index(q)].spec;
  const Peak held = peak(q, window);
  if (s.limit && asked.gpu > MilliGpu{} && held.held.gpu + asked.gpu > *s.limit)
    out.push_back(passed(s, "gpu", asked.gpu.value(), s.limit->value(), held.held.gpu.value()));
  if (s.cpu_limit && held.held.cpu + asked.cpu > *s.cpu_limit)
    out.push_back(passed(s, "cpu", asked.cpu.value(), s.cpu_limit->value(), held.held.cpu.value()));
  if (s.memory_limit && held.held.memory + asked.memory > *s.memory_limit)
    out.push_back(passed(s, "memory", asked.memory.value(), s.memory_limit->value(), held.held.memory.value()));
  if (s.max_running_jobs && held.jobs + 1 > *s.max_running_jobs)
    out.push_back(passed(s, "jobs", 1, *s.max_running_jobs, held.jobs));
}

std::vector<Blocker> QueueLimits::blockers(QueueId leaf, const Resources& asked, Window window) {
  std::vector<Blocker> out;
  for (QueueId q = leaf; q != kNoQueue; q = state_.queues[index(q)].parent) check_level(q, asked, window, out);
  return out;
}

QueueId QueueLimits::first_over(QueueId leaf, const Resources& asked, Window window) {
  std::vector<Blocker> out;
  for (QueueId q = leaf; q != kNoQueue; q = state_.queues[index(q)].parent) {
    check_level(q, asked, window, out);
    if (!out.empty()) return q;
  }
  return kNoQueue;
}

Time QueueLimits::earliest(QueueId leaf, const Resources& asked, Window window) {
  if (first_over(leaf, asked, window) == kNoQueue) return window.from;
  std::vector<Time> ends;
  for (QueueId q = leaf; q != kNoQueue; q = state_.queues[index(q)].parent) {
    if (!levels_[index(q)].limited) continue;
    load(q);
    for (const Entry& e : levels_[index(q)].entries)
      if (e.window.to > window.from && e.window.to < kForever) ends.push_back(e.window.to);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const Duration length = window.to - window.from;
  for (const Time t : ends)
    if (first_over(leaf, asked, {t, window.to == kForever ? kForever : t + length}) == kNoQueue) return t;
  return kForever;
}

void QueueLimits::book(QueueId leaf, const Resources& held, Window window) {
  for (QueueId q = leaf; q != kNoQueue; q = state_.queues[index(q)].parent) {
    Level& level = levels_[index(q)];
    if (!level.limited) continue;
    level.entries.push_back({window, held});
    if (window.from > now_) {
      ++level.promises;
    } else {
      level.pass += held;
      ++level.pass_jobs;
    }
  }
}

}  // namespace berth
