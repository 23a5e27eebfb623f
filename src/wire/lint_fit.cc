#include "wire/lint_fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "wire/quantity.h"
#include "wire/text.h"
#include "wire/understood.h"

namespace berth {
namespace {

using Kind = LintFinding::Kind;

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool admitted(const Node& node, const NodeConstraints& constraints) {
  if (!constraints.include.empty() && !is_one_of(node.name, constraints.include)) return false;
  if (is_one_of(node.name, constraints.exclude)) return false;
  return std::all_of(constraints.features.begin(), constraints.features.end(), [&](const auto& either) {
    return std::any_of(either.begin(), either.end(), [&](const std::string& f) { return is_one_of(f, node.features); });
  });
}

// The most GPUs of one wanted type, each with the memory that is asked for; of any types if none is named.
std::int64_t gpus_that_do(const Node& node, const GpuRequest& wanted, const std::vector<GpuTypePreference>& types) {
  const auto count = [&](const GpuTypePreference* type) {
    return std::count_if(node.gpus.begin(), node.gpus.end(), [&](const Gpu& gpu) {
      return gpu.memory >= wanted.memory && (type == nullptr || gpu_type_matches(type->type, gpu.type));
    });
  };
  if (types.empty()) return count(nullptr);
  std::int64_t most = 0;
  for (const GpuTypePreference& type : types) most = std::max<std::int64_t>(most, count(&type));
  return most;
}

// How many tasks of the group the empty node holds.
std::int64_t tasks_on(const Node& node, const TaskGroup& group, const std::vector<GpuTypePreference>& types) {
  std::int64_t tasks = std::numeric_limits<std::int32_t>::max();
  if (group.cpus > MilliCpu{}) tasks = std::min(tasks, node.cpus.value() / group.cpus.value());
  if (group.memory > Mib{}) tasks = std::min(tasks, node.memory.value() / group.memory.value());
  const std::int64_t gpus = gpus_that_do(node, group.gpus, types);
  if (group.gpus.count > 0)
    tasks = std::min(tasks, gpus / group.gpus.count);
  else if (group.gpus.milli > MilliGpu{})
    tasks = std::min(tasks, gpus * (1000 / group.gpus.milli.value()));
  else if (group.gpus.memory > Mib{} && gpus == 0)
    tasks = 0;
  return group.max_per_node > 0 ? std::min<std::int64_t>(tasks, group.max_per_node) : tasks;
}

// What the node lacks for one task: "6 GPUs of 8 asked".
std::vector<std::string> lacks(const Node& node, const TaskGroup& group, const std::vector<GpuTypePreference>& types) {
  std::vector<std::string> missing;
  const std::int64_t gpus = gpus_that_do(node, group.gpus, types);
  if (gpus < std::max<std::int64_t>(group.gpus.count, group.gpus.is_share() ? 1 : 0))
    missing.push_back(fmt::format("{} such GPUs of {} asked", gpus, std::max(group.gpus.count, 1)));
  if (node.cpus < group.cpus)
    missing.push_back(fmt::format("{} of {} asked", cpu_text(node.cpus), cpu_text(group.cpus)));
  if (node.memory < group.memory)
    missing.push_back(fmt::format("{} of {} asked", memory_text(node.memory), memory_text(group.memory)));
  return missing;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(separator)) + part;
  return text;
}

std::string types_there_are(const std::vector<Node>& nodes) {
  std::map<std::string, std::int64_t> counts;
  for (const Node& node : nodes)
    for (const Gpu& gpu : node.gpus) ++counts[gpu.type];
  if (counts.empty()) return "there are no GPUs at all";
  std::vector<std::string> parts;
  for (const auto& [type, count] : counts) parts.push_back(fmt::format("{} x {}", count, type));
  return "there are " + joined(parts, ", ");
}

bool exists(const GpuTypePreference& type, const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return std::any_of(node.gpus.begin(), node.gpus.end(),
                       [&](const Gpu& gpu) { return gpu_type_matches(type.type, gpu.type); });
  });
}

// False if no wanted type is there, which says all.
bool lint_types(const JobSpec& spec, const std::vector<Node>& nodes, std::vector<LintFinding>& found) {
  const bool wants_gpus =
      std::any_of(spec.groups.begin(), spec.groups.end(), [](const TaskGroup& g) { return g.gpus.any(); });
  if (!wants_gpus || spec.gpu_types.empty()) return true;
  std::vector<std::string> missing;
  for (const GpuTypePreference& type : spec.gpu_types)
    if (!exists(type, nodes)) missing.push_back(type.type);
  if (missing.empty()) return true;
  const bool all = missing.size() == spec.gpu_types.size();
  found.push_back({all ? Kind::never : Kind::mistake, "there is no GPU of type " + joined(missing, " or "),
                   types_there_are(nodes)});
  return !all;
}

void lint_node_names(const std::vector<std::string>& named, const std::vector<Node>& nodes, bool needed,
                     std::vector<LintFinding>& found) {
  if (named.empty()) return;
  std::vector<std::string> names;
  for (const Node& node : nodes) names.push_back(node.name);
  std::vector<std::string> missing;
  for (const std::string& name : named)
    if (!is_one_of(name, names) && missing.size() < 5) missing.push_back(name);
  if (missing.empty()) return;
  const bool none_left =
      needed && std::none_of(named.begin(), named.end(), [&](const auto& n) { return is_one_of(n, names); });
  const std::string near = nearest(missing[0], names);
  found.push_back({none_left ? Kind::never : Kind::mistake, "there is no node named " + joined(missing, ", "),
                   near.empty() ? "" : "did you mean " + near + "?"});
}

void lint_features(const JobSpec& spec, const std::vector<Node>& nodes, std::vector<LintFinding>& found) {
  if (spec.nodes.features.empty()) return;
  std::set<std::string> known;
  for (const Node& node : nodes) known.insert(node.features.begin(), node.features.end());
  for (const auto& either : spec.nodes.features) {
    if (std::any_of(either.begin(), either.end(), [&](const std::string& f) { return known.contains(f); })) continue;
    found.push_back(
        {Kind::never, "no node has the feature " + joined(either, " or "),
         known.empty() ? "the nodes have no features" : "there are " + joined({known.begin(), known.end()}, ", ")});
  }
}

// The node that lacks least; none if no node is admitted at all.
const Node* nearest_node(const JobSpec& spec, const TaskGroup& group, const std::vector<const Node*>& nodes) {
  const Node* best = nullptr;
  const auto worth = [&](const Node& node) {
    return std::make_tuple(-static_cast<std::int64_t>(lacks(node, group, spec.gpu_types).size()),
                           gpus_that_do(node, group.gpus, spec.gpu_types), node.cpus, node.memory);
  };
  for (const Node* node : nodes)
    if (best == nullptr || worth(*node) > worth(*best)) best = node;
  return best;
}

void lint_group(const JobSpec& spec, const TaskGroup& group, const std::vector<const Node*>& nodes,
                std::vector<LintFinding>& found) {
  std::int64_t room = 0;
  for (const Node* node : nodes) {
    room += tasks_on(*node, group, spec.gpu_types);
    if (room >= group.count) return;
  }
  const std::string wanted = task_text(group, spec.gpu_types);
  if (room > 0) {
    found.push_back({Kind::never,
                     fmt::format("{} tasks of {} are asked for; all nodes together hold {}", group.count, wanted, room),
                     "ask for fewer or smaller tasks"});
    return;
  }
  const Node* near = nearest_node(spec, group, nodes);
  if (near == nullptr) return;
  found.push_back(
      {Kind::never, fmt::format("no node can hold one task of {}", wanted),
       fmt::format("the nearest is {}, with {}", near->name, joined(lacks(*near, group, spec.gpu_types), " and "))});
}

}  // namespace

void lint_fit(const JobSpec& spec, const std::vector<Node>& nodes, std::vector<LintFinding>& found) {
  lint_node_names(spec.nodes.include, nodes, true, found);
  lint_node_names(spec.nodes.exclude, nodes, false, found);
  lint_features(spec, nodes, found);
  if (!lint_types(spec, nodes, found)) return;
  std::vector<const Node*> admitted_nodes;
  for (const Node& node : nodes)
    if (admitted(node, spec.nodes)) admitted_nodes.push_back(&node);
  const bool said = std::any_of(found.begin(), found.end(), [](const LintFinding& f) { return f.kind == Kind::never; });
  if (admitted_nodes.empty() && !said)
    found.push_back(
        {Kind::never, "no node meets all of what is asked of nodes", "loosen --constraint, --nodelist or --exclude"});
  for (const TaskGroup& group : spec.groups) lint_group(spec, group, admitted_nodes, found);
}

}  // namespace berth
