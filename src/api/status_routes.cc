// GET /healthz, /v1/status, /v1/openapi.json, /metrics.
#include <boost/json.hpp>

#include <algorithm>

#include "api/clock.h"
#include "api/counts.h"
#include "api/json_answer.h"
#include "api/openapi_text.h"
#include "api/pending.h"
#include "api/routes.h"
#include "wire/json_document.h"

namespace berth::api {

namespace json = boost::json;

namespace {

// A request without an answer for so long, or a due decision that does not come: the loop stands still.
constexpr std::int64_t kStalledMs = 10'000;

struct Pulse {
  Counts counts;
  LoopStats loop;
  std::string engine;
  std::uint64_t sequence = 0;
  Time decided;
  std::uint64_t decided_on = 0;
  Time next_wake;
};

Pulse pulse_of(const View& view) {
  return view.read([](const Snapshot& s) {
    return Pulse{count(s.state), s.loop, s.engine, s.state.sequence, s.plan.at, s.plan.version, s.plan.next_wake};
  });
}

std::int64_t stalled_ms(const Services& services, Time next_wake, Time now) {
  const std::int64_t overdue = next_wake == kForever ? 0 : (now - next_wake).ms();
  return std::max<std::int64_t>({0, overdue, services.pending.oldest().count()});
}

json::object with_numbers(const std::map<std::string, std::int64_t>& numbers) {
  json::object object;
  for (const auto& [name, n] : numbers) object[name] = n;
  return object;
}

json::array gpu_counts(const Counts& counts) {
  json::array array;
  for (const auto& [key, n] : counts.gpus)
    array.push_back(json::object{{"type", key.first}, {"use", key.second}, {"count", n}});
  return array;
}

}  // namespace

void get_health(Services& services, const ExchangePtr& exchange) {
  const Time next_wake = services.view.read([](const Snapshot& s) { return s.plan.next_wake; });
  const std::int64_t stalled = stalled_ms(services, next_wake, wall_clock());
  if (stalled < kStalledMs) return exchange->respond({200, "text/plain", "ok\n", {}});
  exchange->respond(Error{ErrorCode::unavailable,
                          "the control loop has stood still for " + std::to_string(stalled) + " ms",
                          "look at the daemon's log"});
}

void get_status(Services& services, const ExchangePtr& exchange) {
  const Time now = wall_clock();
  const Pulse pulse = pulse_of(services.view);
  exchange->respond(json_response({
      {"version", services.version},
      {"now_ms", now.ms()},
      {"sequence", pulse.sequence},
      {"engine", clean_text(pulse.engine)},
      {"virtual_gpus", pulse.counts.virtual_gpus},
      {"gpus", pulse.counts.all_gpus},
      {"gpus_held_milli", pulse.counts.held_milli},
      {"gpus_usable_milli", pulse.counts.usable_milli},
      {"gpus_by_use", gpu_counts(pulse.counts)},
      {"jobs", with_numbers(pulse.counts.jobs)},
      {"nodes", with_numbers(pulse.counts.nodes)},
      {"decided_ms", pulse.decided == Time{} ? json::value(nullptr) : json::value(pulse.decided.ms())},
      {"decision_age_ms", pulse.decided == Time{} ? json::value(nullptr) : json::value((now - pulse.decided).ms())},
      {"decision_version", pulse.decided_on},
      {"decision_us", pulse.loop.last_decision_us},
      {"decision_max_us", pulse.loop.max_decision_us},
      {"decisions", pulse.loop.decisions},
      {"steps", pulse.loop.steps},
      {"stalled_ms", stalled_ms(services, pulse.next_wake, now)},
      {"append_failures", pulse.loop.append_failures},
      {"last_failure", clean_text(pulse.loop.last_failure)},
  }));
}

void get_openapi(Services&, const ExchangePtr& exchange) {
  exchange->respond({200, "application/json", std::string(openapi_text()), {}});
}

void get_metrics(Services& services, const ExchangePtr& exchange) {
  exchange->respond({200,
                     "text/plain; version=0.0.4; charset=utf-8",
                     services.metrics.text(services.view, wall_clock(), services.pending.oldest().count()),
                     {}});
}

}  // namespace berth::api
