// What happens at a time: `at T VERB ...`.
#include <functional>
#include <map>

#include "sim/scn_read.h"

namespace berth::scn {
namespace {

OnJob read_on_job(Line& line, JobVerb verb) {
  const auto word = line.take("the job");
  OnJob action{verb, read_job_ref(line, word), line.text_of("user"), {}};
  action.refusal = read_refusal(line);
  return action;
}

std::vector<NodeReport> read_node_names(Line& line) {
  const auto word = line.take("the node");
  std::vector<NodeReport> nodes;
  for (const auto& name : read_names(word.text)) {
    nodes.emplace_back();
    nodes.back().name = name;
  }
  if (nodes.empty()) line.fail(word, "\"" + word.text + "\" names no nodes", "write n0, or n0..n3");
  return nodes;
}

OnNodes read_on_nodes(Line& line, NodeVerb verb) {
  OnNodes action{verb, verb == NodeVerb::add ? read_nodes(line) : read_node_names(line), "", "", {}};
  action.owner = line.text_of("owner", "admin");
  action.reason = line.text_of("reason", "maintenance");
  action.refusal = read_refusal(line);
  return action;
}

OnGpu read_on_gpu(Line& line, GpuVerb verb) {
  const auto word = line.take("the GPU");
  const auto slash = word.text.find('/');
  const auto index = slash == std::string::npos ? std::nullopt : read_number(word.text.substr(slash + 1), 0, 63);
  if (!index) line.fail(word, "\"" + word.text + "\" is no GPU", "write node/index, as in n0/3");
  OnGpu action{verb, word.text.substr(0, slash), static_cast<std::int32_t>(index.value_or(0)), {}};
  if (verb != GpuVerb::foreign) return action;
  const auto amount = line.take("the memory that others hold");
  const auto memory = read_memory(amount.text);
  if (!memory) line.fail(amount, "\"" + amount.text + "\" is no amount", "write 20G, or 0G for none");
  action.foreign = memory.value_or(Mib{});
  return action;
}

// `lose n0` and `lose gpu n0/3` are told apart by the word gpu.
Action read_node_or_gpu(Line& line, NodeVerb node, GpuVerb gpu) {
  if (line.take_if("gpu")) return read_on_gpu(line, gpu);
  return read_on_nodes(line, node);
}

bool read_on_off(Line& line) {
  const auto word = line.take("on or off");
  if (word.text != "on" && word.text != "off")
    line.fail(word, "\"" + word.text + "\" is neither on nor off", "write on or off");
  return word.text == "on";
}

Forge read_forge(Line& line) {
  const auto kind = line.take("started or ended");
  if (kind.text != "started" && kind.text != "ended")
    line.fail(kind, "\"" + kind.text + "\" cannot be forged", "write started or ended");
  const auto word = line.take("the job");
  Forge forge{read_job_ref(line, word), 1, {}};
  forge.attempt = static_cast<std::int32_t>(line.number("attempt", 1, 1000).value_or(1));
  if (kind.text == "ended") forge.exit = static_cast<std::int32_t>(line.number("exit", 0, 255).value_or(0));
  return forge;
}

Action read_configure(Line& line, const Policy& policy) {
  const auto what = line.take("queue, no_queue or policy");
  if (what.text == "queue") return SetQueue{read_queue(line), false};
  if (what.text == "no_queue") {
    QueueSpec gone;
    gone.name = line.take("the name of the queue").text;
    return SetQueue{gone, true};
  }
  if (what.text != "policy")
    line.fail(what, "\"" + what.text + "\" cannot be configured", "write queue, no_queue or policy");
  SetPolicy set{policy};
  read_policy(line, set.policy);
  return set;
}

using Reader = std::function<Action(Line&, const Policy&)>;

Reader on_job(JobVerb verb) {
  return [verb](Line& line, const Policy&) -> Action { return read_on_job(line, verb); };
}

Reader on_nodes(NodeVerb verb) {
  return [verb](Line& line, const Policy&) -> Action { return read_on_nodes(line, verb); };
}

Reader on_node_or_gpu(NodeVerb node, GpuVerb gpu) {
  return [node, gpu](Line& line, const Policy&) { return read_node_or_gpu(line, node, gpu); };
}

Reader on_gpu(GpuVerb verb) {
  return [verb](Line& line, const Policy&) -> Action {
    line.take_if("gpu");
    return read_on_gpu(line, verb);
  };
}

Action read_launch_fails(Line& line) {
  auto action = read_on_nodes(line, NodeVerb::launches_fail);
  if (!read_on_off(line)) action.verb = NodeVerb::launches_work;
  return action;
}

Action read_messages(Line& line) { return SetMessages{line.span("delay"), line.yes_no("doubled")}; }

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all{
      {"submit", [](Line& line, const Policy&) -> Action { return read_submit(line); }},
      {"cancel", on_job(JobVerb::cancel)},
      {"hold", on_job(JobVerb::hold)},
      {"release", on_job(JobVerb::release)},
      {"requeue", on_job(JobVerb::requeue)},
      {"drain", on_nodes(NodeVerb::drain)},
      {"undrain", on_nodes(NodeVerb::undrain)},
      {"add", on_nodes(NodeVerb::add)},
      {"silence", on_nodes(NodeVerb::silence)},
      {"lose", on_node_or_gpu(NodeVerb::lose, GpuVerb::lose)},
      {"return", on_node_or_gpu(NodeVerb::come_back, GpuVerb::come_back)},
      {"suspect", on_gpu(GpuVerb::suspect)},
      {"unreadable", on_gpu(GpuVerb::unreadable)},
      {"vanish", on_gpu(GpuVerb::vanish)},
      {"foreign", on_gpu(GpuVerb::foreign)},
      {"launch_fails", [](Line& line, const Policy&) { return read_launch_fails(line); }},
      {"crash", [](Line&, const Policy&) -> Action { return Crash{}; }},
      {"recover", [](Line&, const Policy&) -> Action { return Recover{}; }},
      {"messages", [](Line& line, const Policy&) { return read_messages(line); }},
      {"latency", [](Line& line, const Policy&) -> Action { return SetLatency{line.take_span("the latency")}; }},
      {"store_fails", [](Line& line, const Policy&) -> Action { return SetStoreFailing{read_on_off(line)}; }},
      {"forge", [](Line& line, const Policy&) -> Action { return read_forge(line); }},
      {"configure", [](Line& line, const Policy& policy) { return read_configure(line, policy); }},
  };
  return all;
}

}  // namespace

JobRef read_job_ref(Line& line, const Word& word) {
  JobRef ref;
  ref.name = word.text;
  if (word.text.starts_with("@")) {
    const auto id = read_number(word.text.substr(1), 0, 1'000'000'000);
    if (!id) line.fail(word, "\"" + word.text + "\" is no id", "write @12");
    ref.id = id.value_or(0);
    return ref;
  }
  const auto open = word.text.find('[');
  if (open == std::string::npos) return ref;
  const auto index = word.text.ends_with("]")
                         ? read_number(word.text.substr(open + 1, word.text.size() - open - 2), 0, 9999)
                         : std::nullopt;
  if (!index) line.fail(word, "\"" + word.text + "\" names no element", "write array[3]");
  ref.name = word.text.substr(0, open);
  ref.element = static_cast<std::int32_t>(index.value_or(0));
  return ref;
}

Action read_action(Line& line, const Policy& policy) {
  const auto verb = line.take("what happens");
  const auto reader = readers().find(verb.text);
  if (reader != readers().end()) return reader->second(line, policy);
  std::string all;
  for (const auto& [name, read] : readers()) all += " " + name;
  line.fail(verb, "\"" + verb.text + "\" cannot happen", "write one of:" + all);
  return Crash{};
}

}  // namespace berth::scn
