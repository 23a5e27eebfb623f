// ScenarioRun: plays one scenario through the real controller in virtual time and says what was not as the story tells.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario.h"
#include "sim/world.h"

namespace berth {

// One thing that was wrong. `line` is 0 for what no line asked for: broken invariants, gaps in a plan.
struct ScenarioFailure {
  int line = 0;
  std::string expected;  // the line as written
  std::string was;       // what was so instead, with the explanation of the job
};

class ScenarioRun {
 public:
  explicit ScenarioRun(const scn::Scenario& scenario);

  // Each step and what followed from it, for people who look for a fault.
  void trace_to(std::function<void(const std::string&)> sink) { trace_ = std::move(sink); }
  std::vector<ScenarioFailure> play();

 private:
  void prepare();
  void act(const scn::Step& step);
  void carry_out(const scn::Step& step, const scn::Submit& submit);
  void carry_out(const scn::Step& step, const scn::OnJob& action);
  void carry_out(const scn::Step& step, const scn::OnNodes& action);
  void carry_out(const scn::Step& step, const scn::OnGpu& action);
  void carry_out(const scn::Step& step, const scn::Crash& action);
  void carry_out(const scn::Step& step, const scn::Recover& action);
  void carry_out(const scn::Step& step, const scn::SetMessages& action);
  void carry_out(const scn::Step& step, const scn::SetLatency& action);
  void carry_out(const scn::Step& step, const scn::SetStoreFailing& action);
  void carry_out(const scn::Step& step, const scn::Forge& action);
  void carry_out(const scn::Step& step, const scn::SetQueue& action);
  void carry_out(const scn::Step& step, const scn::SetPolicy& action);

  void send(const scn::Step& step, Command command, const scn::Refusal& refusal,
            std::function<void(const Answer&)> then = {});
  void configure(const scn::Step& step);
  // The id of a job of the story; settles first if it was submitted at this instant. None: reported as a failure.
  JobId find(const scn::Step& step, const scn::JobRef& ref);
  Fate fate_of(const Launch& launch) const;
  void expect(const scn::Expectation& expectation);
  void fail(int line, const std::string& expected, std::string was);
  void trace_step();

  const scn::Scenario& scenario_;
  World world_;
  std::map<std::string, std::vector<JobId>> ids_;
  std::map<JobId, const scn::Submit*> submits_;
  std::vector<QueueSpec> queues_;
  Policy policy_;
  std::vector<ScenarioFailure> failures_;
  std::function<void(const std::string&)> trace_;
  std::size_t traced_ = 0;
};

}  // namespace berth
