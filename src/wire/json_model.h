// The field tables of the model. Names are stable: they stand in stores, journals and the API. Add fields, never rename
// one. For the codecs in wire/ and their tests only.
#pragma once

#include "model/allocation.h"
#include "model/event.h"
#include "model/job.h"
#include "model/node.h"
#include "model/policy.h"
#include "model/queue.h"
#include "wire/json_fields.h"

namespace berth::json_fields {

#define BERTH_FIELDS(Struct, ...)                               \
  template <>                                                   \
  struct Fields<Struct> {                                       \
    using S = Struct;                                           \
    static constexpr auto table = std::make_tuple(__VA_ARGS__); \
  }

BERTH_FIELDS(GpuRequest, field("count", &S::count), field("milli", &S::milli), field("memory_mib", &S::memory));
BERTH_FIELDS(GpuTypePreference, field("type", &S::type), field("speed_milli", &S::speed_milli));
BERTH_FIELDS(TaskGroup, field("name", &S::name), field("count", &S::count), field("max_per_node", &S::max_per_node),
             field("exclusive", &S::exclusive), field("gpus", &S::gpus), field("cpus_milli", &S::cpus),
             field("memory_mib", &S::memory));
BERTH_FIELDS(NodeConstraints, field("features", &S::features), field("include", &S::include),
             field("exclude", &S::exclude));
BERTH_FIELDS(Dependency, field("kind", &S::kind), field("job", &S::job), field("delay_ms", &S::delay));
BERTH_FIELDS(RetryRule, field("first_exit", &S::first_exit), field("last_exit", &S::last_exit),
             field("action", &S::action));
BERTH_FIELDS(RetryPolicy, field("attempts", &S::attempts), field("backoff_ms", &S::backoff),
             field("backoff_max_ms", &S::backoff_max), field("rules", &S::rules),
             field("requeue_on_node_failure", &S::requeue_on_node_failure));
BERTH_FIELDS(InterruptContract, field("mode", &S::mode), field("checkpoint_signal", &S::checkpoint_signal),
             field("grace_ms", &S::grace));
BERTH_FIELDS(WarningSignal, field("signal", &S::signal), field("before_ms", &S::before),
             field("batch_only", &S::batch_only));
BERTH_FIELDS(ArraySpec, field("indexes", &S::indexes), field("throttle", &S::throttle));
BERTH_FIELDS(JobSpec, field("name", &S::name), field("queue", &S::queue), field("user", &S::user),
             field("comment", &S::comment), field("command", &S::command), field("script", &S::script),
             field("script_args", &S::script_args), field("launch", &S::launch), field("workdir", &S::workdir),
             field("env", &S::env), field("stdin_path", &S::stdin_path), field("stdout_path", &S::stdout_path),
             field("stderr_path", &S::stderr_path), field("append_logs", &S::append_logs), field("groups", &S::groups),
             field("gpu_types", &S::gpu_types), field("nodes", &S::nodes), field("class", &S::job_class),
             field("priority", &S::priority), field("begin_ms", &S::begin), field("time_limit_ms", &S::time_limit),
             field("depends", &S::depends), field("singleton", &S::singleton), field("hold", &S::hold),
             field("interrupt", &S::interrupt), field("warning", &S::warning), field("retry", &S::retry),
             field("array", &S::array), field("cuda_by_index", &S::cuda_by_index));

BERTH_FIELDS(ExitStatus, field("code", &S::code), field("signal", &S::signal));
BERTH_FIELDS(ArrayRef, field("first", &S::first), field("index", &S::index), field("throttle", &S::throttle));
// Without the spec, which is written once and apart.
BERTH_FIELDS(Job, field("id", &S::id), field("queue", &S::queue), field("array", &S::array), field("state", &S::state),
             field("held_by", &S::held_by), field("submitted_ms", &S::submitted), field("eligible_ms", &S::eligible),
             field("attempt", &S::attempt), field("retries", &S::retries),
             field("launch_failures", &S::launch_failures), field("started_ms", &S::started),
             field("ended_ms", &S::ended), field("exit", &S::exit), field("reason", &S::reason));

BERTH_FIELDS(GpuSlice, field("gpu", &S::gpu), field("milli", &S::milli), field("memory_mib", &S::memory));
BERTH_FIELDS(TaskPlacement, field("rank", &S::rank), field("group", &S::group), field("node", &S::node),
             field("cpus_milli", &S::cpus), field("memory_mib", &S::memory), field("gpus", &S::gpus));
BERTH_FIELDS(AttemptKey, field("job", &S::job), field("attempt", &S::attempt));
BERTH_FIELDS(Allocation, flat(&S::key), field("phase", &S::phase), field("placement", &S::placement),
             field("placed_ms", &S::placed), field("started_ms", &S::started), field("ends_by_ms", &S::ends_by),
             field("cause", &S::cause), field("stop_deadline_ms", &S::stop_deadline),
             field("weighted_milli_gpu", &S::weighted_milli_gpu));

BERTH_FIELDS(Gpu, field("uuid", &S::uuid), field("type", &S::type), field("memory_mib", &S::memory),
             field("foreign_mib", &S::foreign), field("health", &S::health), field("detail", &S::detail),
             field("is_virtual", &S::is_virtual));
BERTH_FIELDS(Node, field("id", &S::id), field("name", &S::name), field("state", &S::state),
             field("cpus_milli", &S::cpus), field("memory_mib", &S::memory), field("features", &S::features),
             field("gpus", &S::gpus), field("drains", &S::drains));
BERTH_FIELDS(NodeReport, field("name", &S::name), field("state", &S::state), field("cpus_milli", &S::cpus),
             field("memory_mib", &S::memory), field("features", &S::features), field("gpus", &S::gpus));

BERTH_FIELDS(QueueSpec, field("name", &S::name), field("parent", &S::parent), field("weight", &S::weight),
             field("quota_milli", &S::quota), field("limit_milli", &S::limit), field("cpu_limit_milli", &S::cpu_limit),
             field("memory_limit_mib", &S::memory_limit), field("max_running_jobs", &S::max_running_jobs),
             field("default_time_limit_ms", &S::default_time_limit), field("max_time_limit_ms", &S::max_time_limit),
             field("priority", &S::priority), field("is_default", &S::is_default));
BERTH_FIELDS(Usage, field("gpu", &S::gpu), field("cpu", &S::cpu), field("as_of_ms", &S::as_of));
BERTH_FIELDS(Queue, field("id", &S::id), field("spec", &S::spec), field("parent", &S::parent), field("off", &S::off),
             field("usage", &S::usage));
BERTH_FIELDS(Policy, field("backfill", &S::backfill), field("reserve_depth", &S::reserve_depth),
             field("age_step_ms", &S::age_step), field("half_life_ms", &S::half_life),
             field("type_weights_milli", &S::type_weights_milli), field("launch_backoff_ms", &S::launch_backoff),
             field("launch_failures_hold", &S::launch_failures_hold),
             field("node_failures_drain", &S::node_failures_drain), field("max_array_size", &S::max_array_size),
             field("max_jobs", &S::max_jobs), field("keep_ended_ms", &S::keep_ended));

// Events have a name beside their fields.
#define BERTH_EVENT(Struct, Name, ...)                          \
  template <>                                                   \
  struct Fields<event::Struct> {                                \
    using S = event::Struct;                                    \
    static constexpr std::string_view event_name = Name;        \
    static constexpr auto table = std::make_tuple(__VA_ARGS__); \
  }

BERTH_EVENT(JobSubmitted, "job_submitted", field("first", &S::first), field("queue", &S::queue),
            field("spec", &S::spec));
BERTH_EVENT(JobHeld, "job_held", field("job", &S::job), field("by", &S::by));
BERTH_EVENT(JobReleased, "job_released", field("job", &S::job));
BERTH_EVENT(JobEnded, "job_ended", field("job", &S::job), field("state", &S::state), field("reason", &S::reason));
BERTH_EVENT(JobRequeued, "job_requeued", field("job", &S::job), field("eligible_ms", &S::eligible),
            field("spends_retry", &S::spends_retry), field("launch_failure", &S::launch_failure),
            field("reason", &S::reason));
BERTH_EVENT(JobForgotten, "job_forgotten", field("job", &S::job));
BERTH_EVENT(AttemptPlaced, "attempt_placed", flat(&S::key), field("placement", &S::placement),
            field("limit_ms", &S::limit), field("weighted_milli_gpu", &S::weighted_milli_gpu),
            field("backfilled", &S::backfilled));
BERTH_EVENT(AttemptStarted, "attempt_started", flat(&S::key));
BERTH_EVENT(AttemptStopping, "attempt_stopping", flat(&S::key), field("cause", &S::cause),
            field("deadline_ms", &S::deadline), field("by", &S::by));
BERTH_EVENT(AttemptEnded, "attempt_ended", flat(&S::key), field("outcome", &S::outcome), field("exit", &S::exit),
            field("message", &S::message), field("cpu_ms", &S::cpu_ms), field("peak_memory_mib", &S::peak_memory));
BERTH_EVENT(NodeSeen, "node_seen", field("node", &S::node), field("report", &S::report));
BERTH_EVENT(NodeDrained, "node_drained", field("node", &S::node), field("owner", &S::owner),
            field("reason", &S::reason));
BERTH_EVENT(NodeUndrained, "node_undrained", field("node", &S::node), field("owner", &S::owner));
BERTH_EVENT(NodeLaunchFailed, "node_launch_failed", field("node", &S::node), field("job", &S::job));
BERTH_EVENT(NodeLaunchWorked, "node_launch_worked", field("node", &S::node));
BERTH_EVENT(QueueSet, "queue_set", field("queue", &S::queue), field("spec", &S::spec), field("off", &S::off));
BERTH_EVENT(QueueRemoved, "queue_removed", field("queue", &S::queue));
BERTH_EVENT(PolicySet, "policy_set", field("policy", &S::policy));

#undef BERTH_EVENT
#undef BERTH_FIELDS

}  // namespace berth::json_fields
