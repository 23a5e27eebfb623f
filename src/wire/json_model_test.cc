// Every struct comes back as it went, no member of the model is missing in its table, and the written form cannot drift
// unseen: stores and journals of older versions hold it.
#include "wire/json_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "wire/event_json.h"
#include "wire/job_json.h"
#include "wire/json_random.h"
#include "wire/json_text.h"
#include "wire/state_json.h"

namespace berth {
namespace {

template <class T>
T through_json(const T& value) {
  Result<T> back = from_text<T>(stored_text(value), "it");
  RC_ASSERT(back.ok());
  return *back;
}

RC_GTEST_PROP(JsonRoundTrip, JobSpec, (std::uint64_t seed)) {
  const auto spec = RandomModel(seed).make<JobSpec>();
  RC_ASSERT(through_json(spec) == spec);
}

RC_GTEST_PROP(JsonRoundTrip, JobSpecWithAllFieldsWritten, (std::uint64_t seed)) {
  const auto spec = RandomModel(seed).make<JobSpec>();
  const auto back = job_spec_from_value(job_spec_shown(spec), "spec");
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == spec);
}

RC_GTEST_PROP(JsonRoundTrip, Rows, (std::uint64_t seed)) {
  RandomModel random(seed);
  const auto job = random.make<Job>();
  RC_ASSERT(through_json(job) == job);
  const auto node = random.make<Node>();
  RC_ASSERT(through_json(node) == node);
  const auto queue = random.make<Queue>();
  RC_ASSERT(through_json(queue) == queue);
  const auto allocation = random.make<Allocation>();
  RC_ASSERT(through_json(allocation) == allocation);
  const auto policy = random.make<Policy>();
  RC_ASSERT(through_json(policy) == policy);
}

// Equality of events, which have no operator==, field by field.
struct SameEvent {
  template <class T>
  static bool same(const T& a, const T& b) {
    return a == b;
  }
  static bool same(const std::shared_ptr<const JobSpec>& a, const std::shared_ptr<const JobSpec>& b) {
    return *a == *b;
  }
  template <class T>
  bool operator()(const T& a, const T& b) const {
    bool all = true;
    json_fields::for_each_field<T>([&](const auto& f) { all = all && same(a.*f.member, b.*f.member); });
    return all;
  }
  template <class A, class B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

RC_GTEST_PROP(JsonRoundTrip, Events, (std::uint64_t seed)) {
  const Event event = RandomModel(seed).make_event();
  const Result<Event> back = event_from_json(event_to_json(event));
  RC_ASSERT(back.ok());
  RC_ASSERT(back->at == event.at);
  RC_ASSERT(std::visit(SameEvent{}, back->body, event.body));
}

// How many members an aggregate has: the most values that it can be initialised from.
struct Anything {
  template <class T>
  operator T() const;  // never defined: only asked for
};
template <class T, class... Given>
constexpr std::size_t members() {
  if constexpr (requires { T{std::declval<Given>()..., Anything{}}; })
    return members<T, Given..., Anything>();
  else
    return sizeof...(Given);
}
template <class T>
constexpr std::size_t listed() {
  return std::tuple_size_v<std::decay_t<decltype(json_fields::Fields<T>::table)>>;
}

template <class T>
constexpr bool is_complete() {
  return members<T>() == listed<T>();
}

static_assert(is_complete<GpuRequest>() && is_complete<GpuTypePreference>() && is_complete<TaskGroup>());
static_assert(is_complete<NodeConstraints>() && is_complete<Dependency>() && is_complete<RetryRule>());
static_assert(is_complete<RetryPolicy>() && is_complete<InterruptContract>() && is_complete<WarningSignal>());
static_assert(is_complete<ArraySpec>() && is_complete<JobSpec>() && is_complete<ExitStatus>());
static_assert(is_complete<ArrayRef>() && members<Job>() == listed<Job>() + 1);  // the spec stands apart
static_assert(is_complete<GpuSlice>() && is_complete<TaskPlacement>() && is_complete<AttemptKey>());
static_assert(is_complete<Allocation>() && is_complete<Gpu>() && is_complete<Node>() && is_complete<NodeReport>());
static_assert(is_complete<QueueSpec>() && is_complete<Usage>() && is_complete<Queue>() && is_complete<Policy>());
template <std::size_t... I>
constexpr bool all_events_complete(std::index_sequence<I...>) {
  return (is_complete<std::variant_alternative_t<I, event::Body>>() && ...);
}
static_assert(all_events_complete(std::make_index_sequence<std::variant_size_v<event::Body>>{}));

TEST(JsonGolden, Events) {
  EXPECT_EQ(event_to_json({Time(1000), event::JobHeld{JobId(12), "ann"}}),
            R"({"event":"job_held","at_ms":1000,"job":12,"by":"ann"})");
  JobSpec spec;
  spec.name = "train";
  spec.user = "ann";
  spec.command = {"python", "train.py"};
  spec.env = {{"LR", "0.1"}};
  spec.groups = {TaskGroup{"", 2, 1, false, GpuRequest{8, {}, {}}, MilliCpu{16000}, Mib{65536}}};
  spec.time_limit = hours(1);
  spec.depends = {{DependencyKind::afterok, JobId(7), {}}};
  spec.array = ArraySpec{{1, 2, 3}, 2};
  EXPECT_EQ(event_to_json({Time(0), event::JobSubmitted{JobId(8), QueueId(1), std::make_shared<JobSpec>(spec)}}),
            R"({"event":"job_submitted","at_ms":0,"first":8,"queue":1,"spec":{"name":"train","user":"ann",)"
            R"("command":["python","train.py"],"env":{"LR":"0.1"},"groups":[{"count":2,"max_per_node":1,)"
            R"("gpus":{"count":8},"cpus_milli":16000,"memory_mib":65536}],"time_limit_ms":3600000,)"
            R"("depends":[{"kind":"afterok","job":7}],"array":{"indexes":[1,2,3],"throttle":2}}})");
  event::AttemptPlaced placed{{JobId(8), 1}, {}, kUnlimited, 2000, true};
  placed.placement = {{0, 0, NodeId(3), MilliCpu(1000), Mib(512), {{0, MilliGpu(500), Mib(40960)}}}};
  EXPECT_EQ(event_to_json({Time(5), placed}),
            R"({"event":"attempt_placed","at_ms":5,"job":8,"attempt":1,"placement":[{"node":3,"cpus_milli":1000,)"
            R"("memory_mib":512,"gpus":[{"milli":500,"memory_mib":40960}]}],"limit_ms":9223372036854775807,)"
            R"("weighted_milli_gpu":2000,"backfilled":true})");
}

// What is stored leaves out defaults, so a changed default would change what old journals say.
TEST(JsonGolden, DefaultsNeverChange) {
  const JsonWriter writer(DefaultValues::write);
  EXPECT_EQ(to_text(job_spec_shown(JobSpec{})),
            R"({"name":"","queue":"","user":"","comment":"","command":[],"script":"","script_args":[],"launch":"each",)"
            R"("workdir":"","env":{},"stdin_path":"","stdout_path":"","stderr_path":"","append_logs":false,)"
            R"("groups":[{"name":"","count":1,"max_per_node":0,"exclusive":false,)"
            R"("gpus":{"count":0,"milli":0,"memory_mib":0},"cpus_milli":1000,"memory_mib":0}],"gpu_types":[],)"
            R"("nodes":{"features":[],"include":[],"exclude":[]},"class":"batch","priority":0,"begin_ms":null,)"
            R"("time_limit_ms":null,"depends":[],"singleton":false,"hold":false,)"
            R"("interrupt":{"mode":"no","checkpoint_signal":10,"grace_ms":30000},)"
            R"("warning":{"signal":0,"before_ms":60000,"batch_only":false},)"
            R"("retry":{"attempts":0,"backoff_ms":10000,"backoff_max_ms":1800000,"rules":[],)"
            R"("requeue_on_node_failure":true},"array":null,"cuda_by_index":false})");
  EXPECT_EQ(to_text(writer.write(Policy{})),
            R"({"backfill":"conservative","reserve_depth":200,"age_step_ms":3600000,"half_life_ms":604800000,)"
            R"("type_weights_milli":{},"launch_backoff_ms":5000,"launch_failures_hold":5,"node_failures_drain":3,)"
            R"("max_array_size":10000,"max_jobs":1000000,"keep_ended_ms":3600000})");
  EXPECT_EQ(to_text(writer.write(Queue{})),
            R"({"id":-1,"spec":{"name":"","parent":"","weight":1,"quota_milli":null,"limit_milli":null,)"
            R"("cpu_limit_milli":null,"memory_limit_mib":null,"max_running_jobs":null,"default_time_limit_ms":null,)"
            R"("max_time_limit_ms":null,"priority":0,"is_default":false},"parent":-1,"off":"",)"
            R"("usage":{"gpu":0,"cpu":0,"as_of_ms":0}})");
  EXPECT_EQ(
      to_text(writer.write(Node{NodeId(0), "", NodeState::up, {}, {}, {}, {Gpu{}}, {}})),
      R"({"id":0,"name":"","state":"up","cpus_milli":0,"memory_mib":0,"features":[],"gpus":[{"uuid":"","type":"",)"
      R"("memory_mib":0,"foreign_mib":0,"health":"ok","detail":"","is_virtual":false}],"drains":{}})");
  EXPECT_EQ(to_text(writer.write(Allocation{})),
            R"({"job":-1,"attempt":0,"phase":"starting","placement":[],"placed_ms":0,"started_ms":0,"ends_by_ms":0,)"
            R"("cause":"none","stop_deadline_ms":0,"weighted_milli_gpu":0})");
  EXPECT_EQ(to_text(writer.write(Job{})),
            R"({"id":-1,"queue":-1,"array":null,"state":"pending","held_by":"","submitted_ms":0,"eligible_ms":0,)"
            R"("attempt":0,"retries":0,"launch_failures":0,"started_ms":0,"ended_ms":0,)"
            R"("exit":{"code":0,"signal":0},"reason":""})");
}

}  // namespace
}  // namespace berth
