// What the steps of a scenario do to the world.
#include <algorithm>

#include "sim/scenario_run.h"

namespace berth {

using namespace scn;

void ScenarioRun::carry_out(const Step& step, const Submit& submit) {
  auto spec = std::make_shared<JobSpec>(submit.spec);
  if (submit.begin) spec->begin = kSimStart + *submit.begin;
  for (const auto& after : submit.after) {
    const auto id = find(step, after.job);
    spec->depends.push_back({after.kind, id, after.delay});
  }
  send(step, {submit.spec.user, command::Submit{spec}}, submit.refusal, [this, &submit](const Answer& answer) {
    ids_[submit.name] = answer.jobs;
    for (const auto id : answer.jobs) submits_[id] = &submit;
  });
}

void ScenarioRun::carry_out(const Step& step, const OnJob& action) {
  const auto id = find(step, action.job);
  const auto submitted = submits_.find(id);
  auto user = action.user;
  if (user.empty()) user = submitted == submits_.end() ? "ann" : submitted->second->spec.user;
  const bool all = submitted != submits_.end() && submitted->second->spec.array && !action.job.element;
  Command command{user, command::Cancel{id, all}};
  if (action.verb == JobVerb::hold) command.body = command::Hold{id, all};
  if (action.verb == JobVerb::release) command.body = command::Release{id, all};
  if (action.verb == JobVerb::requeue) command.body = command::Requeue{id};
  send(step, std::move(command), action.refusal);
}

void ScenarioRun::carry_out(const Step& step, const OnNodes& action) {
  auto& engine = world_.engine();
  for (const auto& node : action.nodes) {
    if (action.verb != NodeVerb::add && action.verb != NodeVerb::drain && action.verb != NodeVerb::undrain &&
        !engine.nodes().count(node.name))
      return fail(step.line, step.text, "there is no node " + node.name);
    switch (action.verb) {
      case NodeVerb::drain:
        send(step, {action.owner, command::Drain{node.name, action.reason}}, action.refusal);
        break;
      case NodeVerb::undrain:
        send(step, {action.owner, command::Undrain{node.name}}, action.refusal);
        break;
      case NodeVerb::lose:
        engine.lose_node(node.name);
        break;
      case NodeVerb::silence:
        engine.silence_node(node.name);
        break;
      case NodeVerb::come_back:
        engine.return_node(node.name);
        break;
      case NodeVerb::add:
        engine.add_node(node);
        break;
      case NodeVerb::launches_fail:
        engine.fail_launches_on(node.name, true);
        break;
      case NodeVerb::launches_work:
        engine.fail_launches_on(node.name, false);
        break;
    }
  }
}

void ScenarioRun::carry_out(const Step& step, const OnGpu& action) {
  const auto node = world_.engine().nodes().find(action.node);
  const auto index = static_cast<std::size_t>(action.gpu);
  if (node == world_.engine().nodes().end() || index >= node->second.gpus.size())
    return fail(step.line, step.text, "there is no such GPU");
  world_.engine().change_node(action.node, [&](NodeReport& report) {
    auto& gpu = report.gpus[index];
    switch (action.verb) {
      case GpuVerb::lose:
        gpu.health = GpuHealth::lost;
        gpu.detail = "fell off the bus";
        break;
      case GpuVerb::suspect:
        gpu.health = GpuHealth::suspect;
        gpu.detail = "memory errors";
        break;
      case GpuVerb::unreadable:
        gpu.health = GpuHealth::unknown;
        gpu.detail = "no answer from the driver";
        break;
      case GpuVerb::come_back:
        gpu.health = GpuHealth::ok;
        gpu.detail.clear();
        break;
      case GpuVerb::vanish:
        report.gpus.erase(report.gpus.begin() + action.gpu);
        break;
      case GpuVerb::foreign:
        gpu.foreign = action.foreign;
        break;
    }
  });
}

void ScenarioRun::carry_out(const Step& step, const Crash&) {
  if (!world_.is_up()) return fail(step.line, step.text, "the daemon is down already");
  world_.rest();
  world_.crash();
}

void ScenarioRun::carry_out(const Step& step, const Recover&) {
  if (world_.is_up()) return fail(step.line, step.text, "the daemon is up");
  world_.recover();
}

void ScenarioRun::carry_out(const Step&, const SetMessages& action) {
  if (action.delay) world_.engine().set_message_delay(*action.delay);
  if (action.doubled) world_.engine().set_double_messages(*action.doubled);
}

void ScenarioRun::carry_out(const Step&, const SetLatency& action) { world_.engine().set_start_latency(action.start); }

void ScenarioRun::carry_out(const Step&, const SetStoreFailing& action) { world_.store().set_failing(action.failing); }

void ScenarioRun::carry_out(const Step& step, const Forge& action) {
  const AttemptKey key{find(step, action.job), action.attempt};
  if (!action.exit) return world_.inject({observation::AttemptStarted{key}});
  observation::AttemptEnded ended;
  ended.key = key;
  ended.outcome = *action.exit == 0 ? Outcome::succeeded : Outcome::failed;
  ended.exit.code = *action.exit;
  world_.inject({ended});
}

void ScenarioRun::carry_out(const Step& step, const SetQueue& action) {
  const auto same = [&](const QueueSpec& queue) { return queue.name == action.spec.name; };
  const auto found = std::find_if(queues_.begin(), queues_.end(), same);
  if (action.gone) {
    if (found == queues_.end()) return fail(step.line, step.text, "there is no queue " + action.spec.name);
    queues_.erase(found);
  } else if (found == queues_.end()) {
    queues_.push_back(action.spec);
  } else {
    *found = action.spec;
  }
  configure(step);
}

void ScenarioRun::carry_out(const Step& step, const SetPolicy& action) {
  policy_ = action.policy;
  configure(step);
}

}  // namespace berth
