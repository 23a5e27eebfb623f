#include "sim/virtual_engine.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace berth {
namespace {

constexpr std::int32_t kTerm = 15;
constexpr std::int32_t kKill = 9;
constexpr Duration kDoubledAfter = seconds(90);

std::string to_text(AttemptKey key) {
  return "job " + std::to_string(key.job.value()) + " attempt " + std::to_string(key.attempt);
}

observation::AttemptEnded exited(AttemptKey key, std::int32_t code) {
  observation::AttemptEnded ended;
  ended.key = key;
  ended.outcome = code == 0 ? Outcome::succeeded : Outcome::failed;
  ended.exit = {code, code > 128 ? code - 128 : 0};
  return ended;
}

observation::AttemptEnded never_ran(AttemptKey key, Outcome outcome, std::string node, std::string message) {
  observation::AttemptEnded ended;
  ended.key = key;
  ended.outcome = outcome;
  ended.message = std::move(message);
  ended.node = std::move(node);
  return ended;
}

}  // namespace

void VirtualEngine::attach(Sink sink) {
  sink_ = std::move(sink);
  observation::NodesReported all;
  for (const auto& name : node_order_) all.nodes.push_back(nodes_.at(name));
  deliver({}, {all});
}

void VirtualEngine::detach() {
  sink_ = nullptr;
  ++connection_;
  for (auto& [node, messages] : withheld_) messages.clear();
}

void VirtualEngine::adopt(const std::vector<Launch>& expected) {
  std::set<AttemptKey> known;
  for (const auto& launch : expected) {
    known.insert(launch.key);
    const auto nodes = node_names(launch);
    if (const auto it = ended_.find(launch.key); it != ended_.end()) {
      deliver(nodes, {it->second});
    } else if (const auto alive = live_.find(launch.key); alive != live_.end() && alive->second.started) {
      deliver(nodes, {observation::AttemptStarted{launch.key}});
    }
  }
  for (const auto& key : live())
    if (!known.count(key)) end(key, exited(key, 128 + kKill));
}

void VirtualEngine::start(const Launch& launch) {
  if (live_.count(launch.key)) return;
  if (const auto it = ended_.find(launch.key); it != ended_.end()) {
    deliver(node_names(launch), {it->second});
    return;
  }
  check_books(launch);
  live_[launch.key] = Attempt{.launch = launch, .fate = fate_(launch)};
  queue_.after(start_latency_, [this, key = launch.key] { play(key); });
}

void VirtualEngine::play(AttemptKey key) {
  const auto it = live_.find(key);
  if (it == live_.end()) return;
  const auto& [launch, fate, started, stopping, kill_at, ending] = it->second;
  if (fate.rejected) return end(key, never_ran(key, Outcome::rejected, "", "no such program"));
  const auto node = failing_node(launch);
  if (fate.launch_fails || !node.empty()) {
    const auto& at_fault = node.empty() ? launch.nodes.begin()->second.name : node;
    return end(key, never_ran(key, Outcome::launch_failed, at_fault, "launch failed on " + at_fault));
  }
  begin(key);
}

void VirtualEngine::begin(AttemptKey key) {
  auto& attempt = live_.at(key);
  attempt.started = true;
  const auto fate = attempt.fate;
  deliver(node_names(attempt.launch), {observation::AttemptStarted{key}});
  if (fate.runs != kUnlimited && !attempt.stopping)
    end_later(key, queue_.now() + fate.runs, exited(key, fate.exit_code));
}

void VirtualEngine::end_later(AttemptKey key, Time when, observation::AttemptEnded how) {
  const auto ending = ++live_.at(key).ending;
  queue_.at(when, [this, key, ending, how = std::move(how)] {
    const auto it = live_.find(key);
    if (it != live_.end() && it->second.ending == ending) end(key, how);
  });
}

void VirtualEngine::end(AttemptKey key, observation::AttemptEnded how) {
  const auto nodes = node_names(live_.at(key).launch);
  live_.erase(key);
  ended_[key] = how;
  deliver(nodes, {std::move(how)});
}

void VirtualEngine::stop(const Stop& stop) {
  const auto it = live_.find(stop.key);
  if (it == live_.end()) return;
  auto& attempt = it->second;
  const Time now = queue_.now();
  if (stop.deadline < attempt.kill_at) {
    attempt.kill_at = stop.deadline;
    queue_.at(stop.deadline, [this, key = stop.key] {
      if (!live_.count(key)) return;
      send_signal(key, kKill);
      end(key, exited(key, 128 + kKill));
    });
  }
  if (std::exchange(attempt.stopping, true)) return;
  send_signal(stop.key, stop.first_signal);
  if (stop.first_signal == kTerm) return;
  queue_.at(now + Duration((stop.deadline - now).ms() / 2), [this, key = stop.key] { send_signal(key, kTerm); });
}

void VirtualEngine::send_signal(AttemptKey key, std::int32_t number) {
  const auto it = live_.find(key);
  if (it == live_.end()) return;
  signals_[key].push_back(number);
  if (number == kKill) return;
  const auto& fate = it->second.fate;
  const auto reaction = number == kTerm ? fate.on_term : fate.on_first_signal;
  if (reaction.ignores) return;
  // A job that would have ended by itself before its reaction still does.
  const Time when = queue_.now() + reaction.after;
  queue_.at(when, [this, key, code = reaction.exit_code] {
    if (live_.count(key)) end(key, exited(key, code));
  });
}

void VirtualEngine::signal(AttemptKey key, std::int32_t signal_number, bool /*batch_only*/) {
  if (live_.count(key)) signals_[key].push_back(signal_number);
}

void VirtualEngine::reconcile() {
  observation::NodesReported all;
  for (const auto& name : node_order_) all.nodes.push_back(nodes_.at(name));
  deliver({}, {all});
  deliver({}, {observation::AttemptsReported{believed_live()}});
}

// ---- reality as callers change it ---------------------------------------------------------------------------------

void VirtualEngine::add_node(NodeReport report) {
  const auto name = report.name;
  BERTH_CHECK(!nodes_.count(name), name);
  node_order_.push_back(name);
  nodes_[name] = std::move(report);
  this->report(name);
}

void VirtualEngine::change_node(const std::string& name, const std::function<void(NodeReport&)>& change) {
  change(nodes_.at(name));
  report(name);
}

void VirtualEngine::lose_node(const std::string& name) {
  withheld_.erase(name);
  change_node(name, [](NodeReport& node) { node.state = NodeState::down; });
  for (const auto& key : live())
    if (node_names(live_.at(key).launch).count(name)) lose_attempt(key, name, "node " + name + " died");
}

void VirtualEngine::silence_node(const std::string& name) {
  change_node(name, [](NodeReport& node) { node.state = NodeState::unknown; });
  withheld_[name];
}

void VirtualEngine::return_node(const std::string& name) {
  change_node(name, [](NodeReport& node) { node.state = NodeState::up; });
  const auto messages = withheld_.extract(name);
  if (messages.empty()) return;
  for (const auto& message : messages.mapped()) deliver({}, message);
}

void VirtualEngine::fail_launches_on(const std::string& name, bool fails) {
  if (fails)
    failing_.insert(name);
  else
    failing_.erase(name);
}

void VirtualEngine::lose_attempt(AttemptKey key, const std::string& node, const std::string& why) {
  if (live_.count(key)) end(key, never_ran(key, Outcome::lost, node, why));
}

// ---- messages and books ---------------------------------------------------------------------------------------------

void VirtualEngine::deliver(const std::set<std::string>& nodes, Observation message) {
  for (const auto& node : nodes)
    if (const auto silent = withheld_.find(node); silent != withheld_.end()) {
      silent->second.push_back(std::move(message));
      return;
    }
  const auto send = [this, connection = connection_, message] {
    if (!sink_ || connection != connection_) return;
    ++delivered_;
    sink_(message);
  };
  last_message_ = std::max(last_message_, queue_.now() + message_delay_);
  if (last_message_ > queue_.now())
    queue_.at(last_message_, send);
  else
    send();
  // Only news of one attempt carries a key to know an old one by; reports of the whole come in order by contract.
  const bool has_key = std::holds_alternative<observation::AttemptStarted>(message.body) ||
                       std::holds_alternative<observation::AttemptEnded>(message.body);
  if (double_messages_ && has_key) queue_.after(message_delay_ + kDoubledAfter, send);
}

void VirtualEngine::report(const std::string& node) { deliver({}, {observation::NodesReported{{nodes_.at(node)}}}); }

std::vector<AttemptKey> VirtualEngine::live() const {
  std::vector<AttemptKey> keys;
  for (const auto& [key, attempt] : live_) keys.push_back(key);
  return keys;
}

std::vector<AttemptKey> VirtualEngine::believed_live() const {
  auto keys = live();
  for (const auto& [node, messages] : withheld_)
    for (const auto& message : messages)
      if (const auto* ended = std::get_if<observation::AttemptEnded>(&message.body)) keys.push_back(ended->key);
  return keys;
}

std::vector<std::int32_t> VirtualEngine::signals_of(AttemptKey key) const {
  const auto it = signals_.find(key);
  return it == signals_.end() ? std::vector<std::int32_t>{} : it->second;
}

int VirtualEngine::launches_of(JobId job) const {
  int launches = 0;
  for (const auto& [key, attempt] : live_) launches += key.job == job;
  for (const auto& [key, how] : ended_) launches += key.job == job;
  return launches;
}

std::set<std::string> VirtualEngine::node_names(const Launch& launch) const {
  std::set<std::string> names;
  for (const auto& task : launch.placement) names.insert(launch.nodes.at(task.node).name);
  return names;
}

std::string VirtualEngine::failing_node(const Launch& launch) const {
  for (const auto& name : node_names(launch)) {
    const auto node = nodes_.find(name);
    const bool dead = node == nodes_.end() || node->second.state == NodeState::down;
    if (dead || failing_.count(name) || has_broken_gpu(launch, name)) return name;
  }
  return "";
}

bool VirtualEngine::has_broken_gpu(const Launch& launch, const std::string& node) const {
  const auto& gpus = nodes_.at(node).gpus;
  for (const auto& task : launch.placement) {
    if (launch.nodes.at(task.node).name != node) continue;
    for (const auto& slice : task.gpus) {
      const auto& uuid = launch.nodes.at(task.node).gpus.at(static_cast<std::size_t>(slice.gpu)).uuid;
      const auto gpu = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& g) { return g.uuid == uuid; });
      if (gpu == gpus.end() || gpu->health == GpuHealth::lost) return true;
    }
  }
  return false;
}

void VirtualEngine::check_books(const Launch& launch) {
  std::map<std::string, std::int64_t> held;
  const auto add = [&held](const Launch& l) {
    for (const auto& task : l.placement)
      for (const auto& slice : task.gpus)
        held[l.nodes.at(task.node).gpus.at(static_cast<std::size_t>(slice.gpu)).uuid] += slice.milli.value();
  };
  add(launch);
  const auto mine = held;
  for (const auto& [key, attempt] : live_) {
    if (key.job == launch.key.job) breaches_.push_back(to_text(launch.key) + " starts beside " + to_text(key));
    add(attempt.launch);
  }
  for (const auto& [uuid, milli] : mine)
    if (held.at(uuid) > kWholeGpu.value())
      breaches_.push_back(to_text(launch.key) + " starts on " + uuid + ", which others still use");
}

}  // namespace berth
