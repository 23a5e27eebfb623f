#include "sim/scenario_run.h"

#include <algorithm>

#include "sim/checks.h"
#include "sim/expect.h"
#include "sim/scn_values.h"
#include "wire/errors.h"
#include "wire/event_json.h"

namespace berth {

using namespace scn;

namespace {

template <class T>
T by_attempt(const std::vector<T>& values, std::int32_t attempt, T otherwise) {
  if (values.empty()) return otherwise;
  const auto index = std::min(static_cast<std::size_t>(std::max(attempt, 1)) - 1, values.size() - 1);
  return values[index];
}

std::string error_text(const Error& error) {
  return "refused (" + std::string(name_of(error.code)) + "): " + error.message +
         (error.hint.empty() ? "" : "; " + error.hint);
}

bool says(const Error& error, const std::string& part) {
  return error.message.find(part) != std::string::npos || error.hint.find(part) != std::string::npos;
}

bool says(const Answer& answer, const std::string& part) {
  return std::any_of(answer.notes.begin(), answer.notes.end(),
                     [&](const auto& note) { return note.find(part) != std::string::npos; });
}

std::string notes_text(const Answer& answer) {
  std::string text = "carried out";
  for (const auto& note : answer.notes) text += "; note: " + note;
  return text;
}

// What the answer had to be, or nothing if it was so.
std::string complaint(const Result<Answer>& answer, const Refusal& refusal) {
  if (!answer.ok()) {
    if (refusal.code != name_of(answer.error().code)) return error_text(answer.error());
    return refusal.says.empty() || says(answer.error(), refusal.says) ? "" : error_text(answer.error());
  }
  if (!refusal.code.empty()) return notes_text(*answer);
  return refusal.says.empty() || says(*answer, refusal.says) ? "" : notes_text(*answer);
}

}  // namespace

ScenarioRun::ScenarioRun(const Scenario& scenario)
    : scenario_(scenario),
      world_([this](const Launch& launch) { return fate_of(launch); }),
      queues_(scenario.queues),
      policy_(scenario.policy) {}

std::vector<ScenarioFailure> ScenarioRun::play() {
  prepare();
  auto step = scenario_.steps.begin();
  auto expectation = scenario_.expectations.begin();
  while (step != scenario_.steps.end() || expectation != scenario_.expectations.end()) {
    const bool has_step = step != scenario_.steps.end();
    const bool has_expectation = expectation != scenario_.expectations.end();
    const bool act_next = has_step && (!has_expectation || step->at <= expectation->at);
    const Time at = kSimStart + (act_next ? step->at : expectation->at);
    if (at > world_.now()) world_.run_until(at);
    if (act_next) {
      act(*step++);
    } else {
      world_.rest();
      expect(*expectation++);
    }
  }
  world_.rest();
  world_.check_journal();
  for (const auto& fault : world_.faults()) fail(0, "invariants hold after every event", fault);
  return std::move(failures_);
}

void ScenarioRun::prepare() {
  if (trace_) world_.on_step([this] { trace_step(); });
  for (const auto& node : scenario_.nodes) world_.engine().add_node(node);
  world_.boot();
  configure(Step{Duration{}, 0, "queues and policy as given", Crash{}});
  world_.rest();
}

void ScenarioRun::act(const Step& step) {
  std::visit([&](const auto& action) { carry_out(step, action); }, step.action);
}

void ScenarioRun::send(const Step& step, Command command, const Refusal& refusal,
                       std::function<void(const Answer&)> then) {
  world_.post(std::move(command), [this, &step, refusal, then](const Result<Answer>& answer) {
    if (const auto wrong = complaint(answer, refusal); !wrong.empty()) fail(step.line, step.text, wrong);
    if (then && answer.ok()) then(*answer);
  });
}

void ScenarioRun::configure(const Step& step) {
  world_.post({"admin", command::Configure{queues_, policy_}},
              [this, line = step.line, text = step.text](const Result<Answer>& answer) {
                if (!answer.ok()) fail(line, text, error_text(answer.error()));
              });
}

JobId ScenarioRun::find(const Step& step, const JobRef& ref) {
  if (ref.id != 0 || ref.name.starts_with("@")) return JobId(ref.id);
  if (!ids_.count(ref.name)) world_.rest();
  const auto ids = ids_.find(ref.name);
  if (ids == ids_.end()) {
    fail(step.line, step.text, "no job " + ref.name + " was submitted");
    return JobId();
  }
  if (!ref.element) return ids->second.front();
  const auto& indexes = submits_.at(ids->second.front())->spec.array->indexes;
  const auto at = std::find(indexes.begin(), indexes.end(), *ref.element) - indexes.begin();
  return ids->second.at(static_cast<std::size_t>(at));
}

Fate ScenarioRun::fate_of(const Launch& launch) const {
  Fate fate;
  const auto found = submits_.find(launch.key.job);
  if (found == submits_.end()) return fate;
  const auto& behaviour = found->second->behaviour;
  fate.runs = by_attempt(behaviour.runs, launch.key.attempt, kUnlimited);
  fate.exit_code = by_attempt(behaviour.exits, launch.key.attempt, 0);
  fate.rejected = behaviour.rejected;
  fate.on_term = behaviour.on_term;
  fate.on_first_signal = behaviour.on_first_signal;
  const auto& failing = behaviour.failing;
  if (launch.array && std::find(failing.begin(), failing.end(), launch.array->index) != failing.end())
    fate.exit_code = 1;
  return fate;
}

void ScenarioRun::expect(const Expectation& expectation) {
  const StoryView view{world_, ids_, submits_};
  if (auto wrong = unmet(view, expectation.expected); !wrong.empty())
    fail(expectation.line, expectation.text, std::move(wrong));
}

void ScenarioRun::fail(int line, const std::string& expected, std::string was) {
  failures_.push_back({line, expected, std::move(was)});
}

void ScenarioRun::trace_step() {
  const auto& records = world_.store().records();
  for (; traced_ < records.size(); ++traced_)
    trace_(show_span(world_.now() - kSimStart) + "  " + event_to_json(records[traced_].event));
}

}  // namespace berth
