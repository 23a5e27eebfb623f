#include "wire/understood.h"

#include <fmt/core.h>

#include "wire/log_path.h"
#include "wire/names.h"
#include "wire/text.h"

namespace berth {
namespace {

std::string types_text(const std::vector<GpuTypePreference>& types) {
  std::string text;
  for (const GpuTypePreference& type : types) text += (text.empty() ? " of " : ", or else ") + type.type;
  return text;
}

std::string gpus_text(const GpuRequest& gpus, const std::vector<GpuTypePreference>& types) {
  if (!gpus.any()) return "no GPU";
  if (gpus.count > 0) {
    const std::string least = gpus.memory > Mib{} ? fmt::format(" with {} or more", memory_text(gpus.memory)) : "";
    return gpu_text(kWholeGpu * gpus.count) + types_text(types) + least;
  }
  if (gpus.milli > MilliGpu{}) return gpu_text(gpus.milli) + types_text(types) + " (a share)";
  return memory_text(gpus.memory) + " of a GPU" + types_text(types) + " (a share)";
}

std::string group_text(const JobSpec& spec, const TaskGroup& group) {
  std::string text = spec.groups.size() > 1 && !group.name.empty() ? "group " + group.name + ": " : "";
  text += group.count == 1 ? "1 task: " : fmt::format("{} tasks, each ", group.count);
  text += task_text(group, spec.gpu_types);
  if (group.count > 1 && group.max_per_node == 1) text += ", each on a node of its own";
  if (group.count > 1 && group.max_per_node > 1) text += fmt::format(", at most {} on a node", group.max_per_node);
  return group.exclusive ? text + ", its nodes shared with nobody" : text;
}

std::string run_text(const JobSpec& spec) {
  std::string what = "the script";
  if (spec.script.empty()) {
    what = "`";
    for (const std::string& word : spec.command) what += (what.size() > 1 ? " " : "") + word;
    what += "`";
  }
  std::int64_t tasks = 0;
  for (const TaskGroup& group : spec.groups) tasks += group.count;
  if (tasks == 1) return "runs " + what;
  return "runs " + what + (spec.launch == LaunchMode::first ? " once, on the first task's node," : " in each task");
}

std::string limit_text(const JobSpec& spec) {
  if (!spec.time_limit) return "no time limit asked (the queue's default holds)";
  return *spec.time_limit == kUnlimited ? "no time limit" : "at most " + duration_text(*spec.time_limit);
}

std::string logs_text(const JobSpec& spec) {
  const std::string out =
      !spec.stdout_path.empty() ? spec.stdout_path : std::string(spec.array ? kDefaultArrayLog : kDefaultLog);
  std::string text = "output to " + out;
  if (!spec.stderr_path.empty() && spec.stderr_path != out) text += ", errors to " + spec.stderr_path;
  if (!spec.stdin_path.empty()) text += ", input from " + spec.stdin_path;
  return spec.append_logs ? text + " (appended)" : text;
}

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : std::string(separator)) + name;
  return text;
}

void add_nodes(const NodeConstraints& nodes, std::vector<std::string>& lines) {
  std::vector<std::string> features;
  for (const auto& either : nodes.features) features.push_back(joined(either, " or "));
  if (!features.empty()) lines.push_back("only on nodes with " + joined(features, ", and "));
  if (!nodes.include.empty()) lines.push_back("only on " + joined(nodes.include, ", "));
  if (!nodes.exclude.empty()) lines.push_back("not on " + joined(nodes.exclude, ", "));
}

void add_array(const ArraySpec& array, std::vector<std::string>& lines) {
  std::string text = fmt::format("an array of {} jobs, indexes {} to {}", array.indexes.size(), array.indexes.front(),
                                 array.indexes.back());
  if (array.throttle > 0) text += fmt::format(", at most {} at once", array.throttle);
  lines.push_back(text);
}

void add_waits(const JobSpec& spec, const Zone& zone, std::vector<std::string>& lines) {
  if (spec.hold) lines.push_back("held until it is released");
  if (spec.begin) lines.push_back("not before " + local_time(*spec.begin, zone));
  for (const Dependency& dependency : spec.depends) {
    const std::string delay = dependency.delay > Duration{} ? ", " + duration_text(dependency.delay) + " later" : "";
    lines.push_back(fmt::format("waits for {}:{}{}", name_of(dependency.kind), dependency.job.value(), delay));
  }
  if (spec.singleton) lines.push_back("one at a time of this name and user");
  if (spec.priority != 0) lines.push_back(fmt::format("priority {}", spec.priority));
}

void add_endings(const JobSpec& spec, std::vector<std::string>& lines) {
  if (spec.warning.signal != 0)
    lines.push_back(fmt::format("{} {} before the limit{}", signal_text(spec.warning.signal),
                                duration_text(spec.warning.before),
                                spec.warning.batch_only ? ", to the first process only" : ""));
  if (spec.interrupt.mode != Interruptible::no)
    lines.push_back(fmt::format("may be interrupted ({}): {}, then SIGTERM, then SIGKILL, with {} between",
                                name_of(spec.interrupt.mode), signal_text(spec.interrupt.checkpoint_signal),
                                duration_text(spec.interrupt.grace)));
  if (spec.retry.attempts > 0)
    lines.push_back(fmt::format("{} after a failure of its own, the first {} later",
                                spec.retry.attempts == 1 ? "1 retry" : fmt::format("{} retries", spec.retry.attempts),
                                duration_text(spec.retry.backoff)));
  for (const RetryRule& rule : spec.retry.rules) {
    const std::string codes = rule.first_exit == rule.last_exit
                                  ? fmt::format("code {}", rule.first_exit)
                                  : fmt::format("codes {} to {}", rule.first_exit, rule.last_exit);
    lines.push_back(fmt::format("exit {}: {}", codes, name_of(rule.action)));
  }
  if (!spec.retry.requeue_on_node_failure) lines.push_back("never run again after a node failed");
}

}  // namespace

std::string task_text(const TaskGroup& group, const std::vector<GpuTypePreference>& gpu_types) {
  std::string text = gpus_text(group.gpus, gpu_types) + ", " + cpu_text(group.cpus);
  return group.memory > Mib{} ? text + ", " + memory_text(group.memory) : text;
}

std::vector<std::string> understood(const JobSpec& spec, const Zone& zone) {
  std::vector<std::string> lines;
  for (const TaskGroup& group : spec.groups) lines.push_back(group_text(spec, group));
  if (spec.array) add_array(*spec.array, lines);
  lines.push_back(limit_text(spec));
  lines.push_back(spec.queue.empty() ? "the default queue" : "queue " + spec.queue);
  lines.push_back(run_text(spec) + " in " + spec.workdir);
  lines.push_back(logs_text(spec));
  if (spec.job_class != JobClass::batch) lines.push_back("class " + std::string(name_of(spec.job_class)));
  add_nodes(spec.nodes, lines);
  add_waits(spec, zone, lines);
  add_endings(spec, lines);
  return lines;
}

}  // namespace berth
