#include <algorithm>
#include <array>

#include "wire/options.h"
#include "wire/quantity_scan.h"
#include "wire/utf8.h"

namespace berth {
namespace {

// Variables that describe the job in which the submitter runs, not the one that is submitted.
bool describes_outer_job(std::string_view name) {
  return name.starts_with("SLURM_") || name.starts_with("SBATCH_") || name.starts_with("BERTH_") ||
         name == "CUDA_VISIBLE_DEVICES";
}

Result<void> copy_variable(std::string_view item, const SubmitContext& context,
                           std::map<std::string, std::string>& env) {
  const std::size_t equals = item.find('=');
  const std::string name(item.substr(0, equals));
  if (name.empty())
    return Error{ErrorCode::invalid, "--export: " + shown(item) + " names no variable",
                 "write ALL, NONE or NAME[=VALUE],..."};
  if (equals != std::string_view::npos) {
    env[name] = item.substr(equals + 1);
    return {};
  }
  if (const auto found = context.env.find(name); found != context.env.end()) env[name] = found->second;
  return {};
}

void copy_environment(Draft& draft, std::map<std::string, std::string>& env) {
  for (const auto& [name, value] : draft.context->env) {
    if (describes_outer_job(name)) continue;
    if (is_utf8_without_nul(name) && is_utf8_without_nul(value))
      env[name] = value;
    else
      draft.note("the variable " + shown(name) + " is not UTF-8 and is left out");
  }
}

// ALL, NONE, or a list that may begin with ALL; variables that were given one by one win.
Result<void> settle_environment(Draft& draft) {
  std::map<std::string, std::string> env;
  const bool none = to_lower(draft.export_list) == "none" || to_lower(draft.export_list) == "nil";
  for (const std::string_view item : none ? std::vector<std::string_view>{} : split(draft.export_list, ',')) {
    if (to_lower(item) == "all") {
      copy_environment(draft, env);
      continue;
    }
    const auto copied = copy_variable(item, *draft.context, env);
    if (!copied) return copied;
  }
  env.insert(draft.spec.env.begin(), draft.spec.env.end());
  for (const auto& [name, value] : draft.spec.env) env[name] = value;
  draft.spec.env = std::move(env);
  return {};
}

void settle_queue(Draft& draft) {
  struct Candidate {
    std::string_view flag;
    const std::string& name;
    bool sure;  // it names a queue even if the caller does not know the queues
  };
  const std::array<Candidate, 4> candidates = {{{"--queue", draft.queue, true},
                                                {"--account", draft.account, true},
                                                {"--partition", draft.partition, false},
                                                {"--qos", draft.qos, false}}};
  for (const Candidate& candidate : candidates) {
    if (candidate.name.empty()) continue;
    const auto& known = draft.context->queues;
    const bool is_queue = candidate.flag == "--queue" || (known ? known->contains(candidate.name) : candidate.sure);
    if (is_queue && draft.spec.queue.empty())
      draft.spec.queue = candidate.name;
    else if (!is_queue || draft.spec.queue != candidate.name)
      draft.note(std::string(candidate.flag) + "=" + candidate.name + " has no effect: " +
                 (is_queue ? "the queue is " + draft.spec.queue : "no queue is known by that name"));
  }
}

Result<void> settle_gpu_types(Draft& draft, const std::string& type) {
  if (draft.gpu_types.empty()) {
    if (!type.empty()) draft.spec.gpu_types = {{type}};
    return {};
  }
  auto types = parse_gpu_types(draft.gpu_types);
  if (!types) return types.error();
  const bool same =
      std::any_of(types->begin(), types->end(), [&](const auto& t) { return to_lower(t.type) == to_lower(type); });
  if (!type.empty() && !same)
    return Error{ErrorCode::invalid,
                 "--gpu-type " + draft.gpu_types + " contradicts the type " + type + " that is asked for too",
                 "name the type once"};
  draft.spec.gpu_types = type.empty() ? *std::move(types) : std::vector<GpuTypePreference>{{type}};
  return {};
}

std::string absolute(const std::string& path, const std::string& base) {
  if (path.empty()) return base;
  return path[0] == '/' || base.empty() ? path : base + (base.back() == '/' ? "" : "/") + path;
}

}  // namespace

Result<JobSpec> finish(Draft& draft) {
  auto resources = resolve_resources(draft.asked);
  if (!resources) return resources.error();
  for (std::string& note : resources->notes) draft.note(std::move(note));
  draft.spec.groups = {resources->group};
  auto settled = settle_gpu_types(draft, resources->gpu_type);
  if (settled) settled = settle_environment(draft);
  if (!settled) return settled.error();
  settle_queue(draft);
  draft.spec.workdir = absolute(draft.spec.workdir, draft.context->cwd);
  if (!is_utf8_without_nul(draft.spec.workdir))
    return Error{ErrorCode::invalid, "the working directory " + shown(draft.spec.workdir) + " is not UTF-8",
                 "start the job elsewhere with --chdir"};
  if (draft.launch) draft.spec.launch = *draft.launch;
  return draft.spec;
}

}  // namespace berth
