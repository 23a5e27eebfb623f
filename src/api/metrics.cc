#include "api/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <map>
#include <utility>

#include "api/counts.h"
#include "wire/names.h"

namespace berth::api {

namespace prom = prometheus;

namespace {

constexpr std::size_t kEventsAtOnce = 1000;

prom::Family<prom::Gauge>& gauge(prom::Registry& registry, const char* name, const char* help) {
  return prom::BuildGauge().Name(name).Help(help).Register(registry);
}
prom::Family<prom::Counter>& counter(prom::Registry& registry, const char* name, const char* help) {
  return prom::BuildCounter().Name(name).Help(help).Register(registry);
}

// Counters that somebody else counts: bring them to the figure.
void raise(prom::Counter& counter, double to) {
  if (to > counter.Value()) counter.Increment(to - counter.Value());
}

struct Moment {
  Counts counts;
  LoopStats loop;
  std::size_t reservations = 0;
  std::size_t holds = 0;
  Time decided;
  std::uint64_t sequence = 0;
};

Moment moment_of(const Snapshot& snapshot) {
  return {count(snapshot.state),      snapshot.loop,    snapshot.plan.reservations.size(),
          snapshot.plan.holds.size(), snapshot.plan.at, snapshot.state.sequence};
}

double seconds_between(Time from, Time to) { return std::max(0.0, static_cast<double>((to - from).ms()) / 1000); }

}  // namespace

struct Metrics::Families {
  prom::Registry registry;
  prom::Family<prom::Counter>& requests =
      counter(registry, "berth_http_requests_total", "Answers given, by route and status.");
  prom::Gauge& connections = gauge(registry, "berth_http_connections", "Open connections.").Add({});
  prom::Gauge& watchers = gauge(registry, "berth_http_watchers", "Clients of the event stream.").Add({});
  prom::Family<prom::Gauge>& jobs =
      gauge(registry, "berth_jobs", "Jobs in memory by state; ended ones leave it after a while.");
  prom::Family<prom::Gauge>& gpus =
      gauge(registry, "berth_gpus", "GPUs by type and by use (free, shared, held) or, if not ok, by health.");
  prom::Family<prom::Gauge>& nodes = gauge(registry, "berth_nodes", "Nodes by state.");
  prom::Gauge& held = gauge(registry, "berth_gpu_held_milli", "Held by jobs, in thousandths of a GPU.").Add({});
  prom::Gauge& usable =
      gauge(registry, "berth_gpu_usable_milli", "GPUs in order on usable nodes, in thousandths of a GPU.").Add({});
  prom::Gauge& virtual_gpus =
      gauge(registry, "berth_gpus_virtual", "GPUs that are declared and have no device behind them.").Add({});
  prom::Gauge& age = gauge(registry, "berth_decision_age_seconds", "Time since the newest decision.").Add({});
  prom::Gauge& last = gauge(registry, "berth_decision_last_seconds", "How long the newest decision took.").Add({});
  prom::Gauge& longest = gauge(registry, "berth_decision_max_seconds", "How long the longest decision took.").Add({});
  prom::Counter& decisions = counter(registry, "berth_decisions_total", "Decisions made.").Add({});
  prom::Counter& steps = counter(registry, "berth_loop_steps_total", "Turns of the control loop.").Add({});
  prom::Counter& failures =
      counter(registry, "berth_store_append_failures_total", "Transactions that the store refused.").Add({});
  prom::Counter& events = counter(registry, "berth_events_total", "Events in the journal.").Add({});
  prom::Gauge& reserved =
      gauge(registry, "berth_plan_reservations", "Pending jobs with a place on the timeline.").Add({});
  prom::Gauge& held_jobs = gauge(registry, "berth_plan_holds", "Pending jobs without one.").Add({});
  prom::Family<prom::Counter>& ended =
      counter(registry, "berth_jobs_ended_total", "Jobs that ended since the daemon started, by how.");
  prom::Counter& missed =
      counter(registry, "berth_metrics_missed_events_total", "Events that came too fast to be counted here.").Add({});
  prom::Histogram& waits =
      prom::BuildHistogram()
          .Name("berth_job_wait_seconds")
          .Help("From submit to the start of the first attempt.")
          .Register(registry)
          .Add({}, prom::Histogram::BucketBoundaries{0.01, 0.1, 1, 10, 60, 600, 3600, 21600, 86400, 604800});
  prom::Gauge& command = gauge(registry, "berth_oldest_command_seconds",
                               "Age of the oldest request that the loop has not answered; 0: none.")
                             .Add({});

  std::map<std::pair<std::string_view, int>, prom::Counter*> by_answer;
  std::map<std::pair<std::string, std::string>, prom::Gauge*> by_gpu_use;
  std::uint64_t counted = 0;  // sequence of the last event that was counted
  bool counting = false;

  void set(const Moment& moment, Time now);
  void set_gpus(const Counts& counts);
  void count_events(const View& view);
  void count_event(const View& view, const Event& event);
};

// A pair that no GPU has any more shows 0.
void Metrics::Families::set_gpus(const Counts& counts) {
  for (const auto& [key, metric] : by_gpu_use) metric->Set(0);
  for (const auto& [key, n] : counts.gpus) {
    prom::Gauge*& metric = by_gpu_use[key];
    if (!metric) metric = &gpus.Add({{"type", key.first}, {"use", key.second}});
    metric->Set(static_cast<double>(n));
  }
}

// Events are counted when somebody looks, from what the View remembers: the loop pays nothing for it.
void Metrics::Families::count_events(const View& view) {
  const std::uint64_t now = view.read([](const Snapshot& snapshot) { return snapshot.state.sequence; });
  if (!counting) counted = now;
  counting = true;
  while (counted < now) {
    const View::Tail tail = view.tail(counted, kEventsAtOnce);
    if (tail.records.empty()) break;
    const std::uint64_t first = tail.records.front().sequence;
    if (first > counted + 1) missed.Increment(static_cast<double>(first - counted - 1));
    for (const JournalRecord& record : tail.records) count_event(view, record.event);
    counted = tail.records.back().sequence;
  }
}

void Metrics::Families::count_event(const View& view, const Event& event) {
  if (const auto* end = std::get_if<event::JobEnded>(&event.body)) {
    ended.Add({{"state", std::string(name_of(end->state))}}).Increment();
  } else if (const auto* start = std::get_if<event::AttemptStarted>(&event.body); start && start->key.attempt == 1) {
    const auto submitted = view.read([&](const Snapshot& snapshot) {
      const auto job = snapshot.state.jobs.find(start->key.job);
      return job == snapshot.state.jobs.end() ? event.at : job->second.submitted;
    });
    waits.Observe(seconds_between(submitted, event.at));
  }
}

void Metrics::Families::set(const Moment& moment, Time now) {
  for (const auto& [state, n] : moment.counts.jobs) jobs.Add({{"state", state}}).Set(static_cast<double>(n));
  set_gpus(moment.counts);
  for (const auto& [state, n] : moment.counts.nodes) nodes.Add({{"state", state}}).Set(static_cast<double>(n));
  held.Set(static_cast<double>(moment.counts.held_milli));
  usable.Set(static_cast<double>(moment.counts.usable_milli));
  virtual_gpus.Set(static_cast<double>(moment.counts.virtual_gpus));
  age.Set(seconds_between(moment.decided, now));
  last.Set(static_cast<double>(moment.loop.last_decision_us) / 1e6);
  longest.Set(static_cast<double>(moment.loop.max_decision_us) / 1e6);
  raise(decisions, static_cast<double>(moment.loop.decisions));
  raise(steps, static_cast<double>(moment.loop.steps));
  raise(failures, static_cast<double>(moment.loop.append_failures));
  raise(events, static_cast<double>(moment.sequence));
  reserved.Set(static_cast<double>(moment.reservations));
  held_jobs.Set(static_cast<double>(moment.holds));
}

Metrics::Metrics() : families_(std::make_unique<Families>()) {}
Metrics::~Metrics() = default;

void Metrics::count_request(std::string_view route, int status) {
  prom::Counter*& metric = families_->by_answer[{route, status}];
  if (!metric) metric = &families_->requests.Add({{"route", std::string(route)}, {"status", std::to_string(status)}});
  metric->Increment();
}

void Metrics::set_connections(std::size_t n) { families_->connections.Set(static_cast<double>(n)); }
void Metrics::set_watchers(std::size_t n) { families_->watchers.Set(static_cast<double>(n)); }

std::string Metrics::text(const View& view, Time now, std::int64_t oldest_command_ms) {
  families_->set(view.read([](const Snapshot& snapshot) { return moment_of(snapshot); }), now);
  families_->count_events(view);
  families_->command.Set(static_cast<double>(oldest_command_ms) / 1000);
  return prom::TextSerializer().Serialize(families_->registry.Collect());
}

}  // namespace berth::api
