// Nodes, queues and policy of a scenario.
#include "sim/scn_read.h"
#include "wire/names.h"

namespace berth::scn {
namespace {

// "H100-80GB" has 80 GB; a type that does not say gets as much.
Mib memory_of_type(const std::string& type) {
  const auto dash = type.rfind('-');
  if (dash != std::string::npos && type.ends_with("GB")) {
    const auto digits = std::string_view(type).substr(dash + 1, type.size() - dash - 3);
    if (const auto gb = read_number(digits, 1, 100'000)) return Mib(*gb * 1024);
  }
  return Mib(80 * 1024);
}

std::vector<Gpu> gpus_of(const std::string& node, std::int64_t count, const std::string& type, Mib memory) {
  std::vector<Gpu> gpus;
  for (std::int64_t i = 0; i < count; ++i) {
    Gpu gpu;
    gpu.uuid = "GPU-" + node + "-" + std::to_string(i);
    gpu.type = type;
    gpu.memory = memory;
    gpu.is_virtual = true;
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::optional<MilliGpu> milli_gpu(Line& line, std::string_view key) {
  const auto milli = line.milli(key);
  return milli ? std::optional(MilliGpu(*milli)) : std::nullopt;
}

void read_type_weights(Line& line, Policy& policy) {
  const auto word = line.value("type_weights");
  if (!word) return;
  for (const auto& part : split(word->text, ',')) {
    const auto pair = split(part, ':');
    const auto milli = pair.size() == 2 ? read_milli(pair[1]) : std::nullopt;
    if (milli && *milli < 1'000'000)
      policy.type_weights_milli[pair[0]] = static_cast<std::int32_t>(*milli);
    else
      line.fail(*word, "type_weights: \"" + part + "\" is not understood", "write type:weight, as in H100:4,T4:0.5");
  }
}

template <class Field>
void set_number(Line& line, std::string_view key, std::int64_t low, std::int64_t high, Field& field) {
  if (const auto number = line.number(key, low, high)) field = static_cast<Field>(*number);
}

template <class Field>
void set_span(Line& line, std::string_view key, Field& field) {
  if (const auto span = line.span(key)) field = *span;
}

}  // namespace

std::vector<NodeReport> read_nodes(Line& line) {
  const auto word = line.take("the name of the node");
  const auto names = read_names(word.text);
  if (names.empty()) line.fail(word, "\"" + word.text + "\" names no nodes", "write n0, or n0..n3, or a,b");
  const auto gpus = line.number("gpus", 0, 64).value_or(0);
  const auto type = line.text_of("type", "H100-80GB");
  const auto gpu_memory = line.memory("gpu_mem").value_or(memory_of_type(type));
  const auto cpus = line.milli("cpus").value_or(64'000);
  const auto memory = line.memory("mem").value_or(Mib(512 * 1024));
  const auto features = line.list("features");
  std::vector<NodeReport> nodes;
  for (const auto& name : names) {
    NodeReport node;
    node.name = name;
    node.cpus = MilliCpu(cpus);
    node.memory = memory;
    node.features = features;
    node.gpus = gpus_of(name, gpus, type, gpu_memory);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

QueueSpec read_queue(Line& line) {
  QueueSpec queue;
  queue.name = line.take("the name of the queue").text;
  queue.parent = line.text_of("parent");
  set_number(line, "weight", 0, 1'000'000, queue.weight);
  queue.quota = milli_gpu(line, "quota");
  queue.limit = milli_gpu(line, "limit");
  if (const auto milli = line.milli("cpu_limit")) queue.cpu_limit = MilliCpu(*milli);
  queue.memory_limit = line.memory("memory_limit");
  if (const auto jobs = line.number("max_jobs", 0, 1'000'000))
    queue.max_running_jobs = static_cast<std::int32_t>(*jobs);
  queue.default_time_limit = line.span("default_limit");
  queue.max_time_limit = line.span("max_limit");
  set_number(line, "priority", -1'000'000, 1'000'000, queue.priority);
  queue.is_default = line.flag("default");
  return queue;
}

void read_policy(Line& line, Policy& policy) {
  const auto backfill = [](std::string_view text) { return from_name<Backfill>(text); };
  if (const auto value = line.read("backfill", backfill, all_names<Backfill>())) policy.backfill = *value;
  set_number(line, "reserve_depth", 0, 1'000'000, policy.reserve_depth);
  set_span(line, "age_step", policy.age_step);
  set_span(line, "half_life", policy.half_life);
  read_type_weights(line, policy);
  set_span(line, "launch_backoff", policy.launch_backoff);
  set_number(line, "launch_failures_hold", 0, 1'000'000, policy.launch_failures_hold);
  set_number(line, "node_failures_drain", 0, 1'000'000, policy.node_failures_drain);
  set_number(line, "max_array_size", 1, 1'000'000, policy.max_array_size);
  set_number(line, "max_jobs", 1, 1'000'000'000, policy.max_jobs);
  set_span(line, "keep_ended", policy.keep_ended);
}

}  // namespace berth::scn
