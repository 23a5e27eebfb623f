#include <algorithm>
#include <limits>

#include "wire/names.h"
#include "wire/options_table.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/text.h"

namespace berth {
namespace {

constexpr std::int64_t kMostPriority = std::numeric_limits<std::int32_t>::max();

bool in_slurms_words(const Given& given) {
  return given.face != OptionFace::berth && given.face != OptionFace::berth_script;
}

// "4:00" was often meant as hours, and 0 as nothing at all.
void note_what_surprises(const Given& given, Duration limit, Draft& draft) {
  const std::string said = std::string(given.flag) + " " + std::string(given.value);
  const bool minutes_and_seconds = std::count(given.value.begin(), given.value.end(), ':') == 1 &&
                                   given.value.ends_with(":00") && given.value.find('-') == std::string_view::npos;
  if (limit == kUnlimited && is_digit(given.value[0]))
    draft.note(said + ": zero is no limit, as in Slurm");
  else if (minutes_and_seconds && limit <= minutes(72))
    draft.note(said + " is " + duration_text(limit) + " (minutes:seconds); for hours write " +
               std::string(given.value) + ":00");
}

Result<void> take_time(const Given& given, Draft& draft) {
  const auto limit = in_slurms_words(given) ? parse_slurm_time(given.value) : parse_time_limit(given.value);
  if (!limit) return limit.error();
  note_what_surprises(given, *limit, draft);
  draft.spec.time_limit = *limit;
  return {};
}

Result<void> take_begin(const Given& given, Draft& draft) {
  const auto begin = parse_moment(given.value, draft.context->now, draft.context->zone);
  if (!begin) return begin.error();
  draft.spec.begin = *begin;
  return {};
}

Result<void> take_dependency(const Given& given, Draft& draft) {
  auto dependencies = parse_dependencies(given.value);
  if (!dependencies) return dependencies.error();
  draft.spec.depends = std::move(dependencies->list);
  draft.spec.singleton = dependencies->singleton;
  return {};
}

Result<void> take_array(const Given& given, Draft& draft) {
  auto array = parse_array(given.value);
  if (!array) return array.error();
  draft.spec.array = *std::move(array);
  return {};
}

Result<void> take_signal(const Given& given, Draft& draft) {
  const auto warning = parse_warning_signal(given.value);
  if (!warning) return warning.error();
  draft.spec.warning = *warning;
  return {};
}

Result<void> take_priority(const Given& given, Draft& draft) {
  const auto priority = parse_integer(given.value, -kMostPriority, kMostPriority);
  if (!priority) return priority.error();
  draft.spec.priority = static_cast<std::int32_t>(*priority);
  return {};
}

Result<void> take_nice(const Given& given, Draft& draft) {
  if (!given.has_value) {
    draft.spec.priority = -100;
    return {};
  }
  const auto nice = parse_integer(given.value, -kMostPriority, kMostPriority);
  if (!nice) return nice.error();
  draft.spec.priority = static_cast<std::int32_t>(-*nice);
  return {};
}

Result<void> set_hold(const Given&, Draft& draft) {
  draft.spec.hold = true;
  return {};
}

Result<void> set_requeue(const Given&, Draft& draft) {
  draft.spec.retry.requeue_on_node_failure = true;
  if (draft.spec.interrupt.mode == Interruptible::no) draft.spec.interrupt.mode = Interruptible::requeue;
  return {};
}

Result<void> set_no_requeue(const Given&, Draft& draft) {
  draft.spec.retry.requeue_on_node_failure = false;
  draft.spec.interrupt.mode = Interruptible::no;
  return {};
}

Result<void> take_interruptible(const Given& given, Draft& draft) {
  const auto mode =
      given.has_value ? from_name<Interruptible>(to_lower(given.value)) : std::optional(Interruptible::checkpoint);
  if (!mode) return not_a(given.value, "a way to be interrupted", "write one of " + all_names<Interruptible>());
  draft.spec.interrupt.mode = *mode;
  return {};
}

Result<void> take_checkpoint_signal(const Given& given, Draft& draft) {
  const auto signal = parse_signal(given.value);
  if (!signal) return signal.error();
  draft.spec.interrupt.checkpoint_signal = *signal;
  return {};
}

Result<void> take_grace(const Given& given, Draft& draft) {
  const auto grace = parse_duration(given.value);
  if (!grace) return grace.error();
  draft.spec.interrupt.grace = *grace;
  return {};
}

Result<void> take_retries(const Given& given, Draft& draft) {
  const auto attempts = parse_integer(given.value, 0, 1'000'000);
  if (!attempts) return attempts.error();
  draft.spec.retry.attempts = static_cast<std::int32_t>(*attempts);
  return {};
}

template <RetryAction Action>
Result<void> take_retry_rule(const Given& given, Draft& draft) {
  const auto ranges = parse_exit_codes(given.value);
  if (!ranges) return ranges.error();
  for (const auto& [first, last] : *ranges) draft.spec.retry.rules.push_back({first, last, Action});
  return {};
}

Result<void> take_backoff(const Given& given, Draft& draft) {
  const auto backoff = parse_duration(given.value);
  if (!backoff) return backoff.error();
  draft.spec.retry.backoff = *backoff;
  draft.spec.retry.backoff_max = std::max(draft.spec.retry.backoff_max, *backoff);
  return {};
}

constexpr auto kOptions = std::to_array<OptionRow>({
    {"time", 't', Takes::value, Owner::slurm, "SBATCH_TIMELIMIT", "M, M:S, H:M:S, D-H[:M[:S]] (or 1h30m): time limit",
     take_time},
    {"begin", 'b', Takes::value, Owner::slurm, "", "now+1hour, 16:00, tomorrow, 2026-12-01T10:00: not before",
     take_begin},
    {"dependency", 'd', Takes::value, Owner::slurm, "", "afterok:ID[:ID], after, afternotok, afterany, singleton",
     take_dependency},
    {"array", 'a', Takes::value, Owner::slurm, "SBATCH_ARRAY_INX", "0-14%4, 1-7:2, 1,3: one job per index", take_array},
    {"signal", 0, Takes::value, Owner::slurm, "SBATCH_SIGNAL", "[B:]SIG[@SECONDS]: warn before the limit", take_signal},
    {"priority", 0, Takes::value, Owner::slurm, "", "N: more is sooner", take_priority},
    {"nice", 0, Takes::optional_value, Owner::slurm, "", "[=N]: less is sooner; 100 without a value", take_nice},
    {"hold", 'H', Takes::nothing, Owner::slurm, "", "submit it held", set_hold},
    {"requeue", 0, Takes::nothing, Owner::slurm, "SBATCH_REQUEUE", "it may be interrupted and run again", set_requeue},
    {"no-requeue", 0, Takes::nothing, Owner::slurm, "SBATCH_NO_REQUEUE", "never run it a second time", set_no_requeue},
    {"interruptible", 0, Takes::optional_value, Owner::berth, "", "[=no|requeue|checkpoint|suspend]",
     take_interruptible},
    {"checkpoint-signal", 0, Takes::value, Owner::berth, "", "SIG: sent first when interrupted; USR1",
     take_checkpoint_signal},
    {"grace", 0, Takes::value, Owner::berth, "", "30s: between signals, before SIGKILL", take_grace},
    {"retries", 0, Takes::value, Owner::berth, "", "N: further attempts after the job's own failures", take_retries},
    {"retry-on", 0, Takes::value, Owner::berth, "", "1-3,137: retry on these exit codes",
     take_retry_rule<RetryAction::retry>},
    {"fail-on", 0, Takes::value, Owner::berth, "", "2,64: never retry on these exit codes",
     take_retry_rule<RetryAction::fail>},
    {"backoff", 0, Takes::value, Owner::berth, "", "10s: before the first retry; doubles each time", take_backoff},
});

}  // namespace

std::span<const OptionRow> schedule_options() { return kOptions; }

}  // namespace berth
