#include "wire/lint.h"

#include <fmt/core.h>

#include <algorithm>

#include "wire/lint_fit.h"
#include "wire/log_path.h"
#include "wire/text.h"

namespace berth {
namespace {

constexpr Mib kLittleMemory{256};
using Kind = LintFinding::Kind;

std::int64_t task_count(const JobSpec& spec) {
  std::int64_t tasks = 0;
  for (const TaskGroup& group : spec.groups) tasks += group.count;
  return tasks;
}

void lint_memory(const JobSpec& spec, std::vector<LintFinding>& found) {
  for (const TaskGroup& group : spec.groups) {
    if (group.memory == Mib{} || group.memory >= kLittleMemory) continue;
    found.push_back(
        {Kind::mistake, fmt::format("each task may use only {} of memory", memory_text(group.memory)),
         fmt::format("--mem without a unit is megabytes; for gigabytes write --mem={}G", group.memory.value())});
  }
}

void lint_warning(const JobSpec& spec, std::vector<LintFinding>& found) {
  if (spec.warning.signal == 0) return;
  const std::string signal = signal_text(spec.warning.signal);
  if (!spec.time_limit || *spec.time_limit == kUnlimited) {
    if (spec.time_limit)
      found.push_back({Kind::mistake, signal + " never comes: the job has no time limit", "give one with --time"});
  } else if (spec.warning.before >= *spec.time_limit) {
    found.push_back({Kind::mistake,
                     fmt::format("{} comes at once: {} before the end of a job of {}", signal,
                                 duration_text(spec.warning.before), duration_text(*spec.time_limit)),
                     "let it come later, or raise the limit"});
  }
}

void lint_logs(const JobSpec& spec, std::vector<LintFinding>& found) {
  if (!spec.array || spec.array->indexes.size() < 2 || spec.stdout_path.starts_with("/dev/")) return;
  const auto path_of = [&](std::int64_t id, std::int32_t index) {
    LogNames names;
    names.job = JobId(id);
    names.array = ArrayRef{JobId(1), index, 0};
    return log_paths(spec, names).out;
  };
  if (path_of(1, 0) != path_of(2, 1)) return;
  found.push_back({Kind::mistake, "all jobs of the array write to the same file " + spec.stdout_path,
                   "put %a into the name, such as %x-%A_%a.out"});
}

void lint_launch(const JobSpec& spec, std::vector<LintFinding>& found) {
  const std::int64_t tasks = task_count(spec);
  if (spec.launch != LaunchMode::first || tasks < 2) return;
  found.push_back({Kind::note,
                   fmt::format("the script runs once, on the first task's node; berth starts nothing for the other {}",
                               tasks == 2 ? "task" : fmt::format("{} tasks", tasks - 1)),
                   "to run a command in every task: berth submit [options] -- COMMAND"});
}

}  // namespace

std::vector<LintFinding> lint(const JobSpec& spec, const std::vector<Node>& nodes) {
  std::vector<LintFinding> found;
  if (!nodes.empty()) lint_fit(spec, nodes, found);
  lint_memory(spec, found);
  lint_warning(spec, found);
  lint_logs(spec, found);
  lint_launch(spec, found);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
  return found;
}

std::string to_text(const LintFinding& finding) {
  const std::string_view kind = finding.kind == Kind::never     ? "this can never run here: "
                                : finding.kind == Kind::mistake ? "surely not meant: "
                                                                : "";
  return std::string(kind) + finding.text + (finding.hint.empty() ? "" : " (" + finding.hint + ")");
}

}  // namespace berth
