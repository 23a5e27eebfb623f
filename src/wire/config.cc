#include "wire/config.h"

#include <limits>

#include "wire/names.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/toml_table.h"

namespace berth {
namespace {

constexpr std::int64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

Result<MilliGpu> parse_gpu_amount(std::string_view text) {
  const auto thousandths = to_thousandths(text);
  if (!thousandths) return not_a(text, "a number of GPUs", "write 8 or 2.5");
  return MilliGpu(*thousandths);
}

Result<std::int32_t> parse_weight(std::string_view text) {
  const auto thousandths = to_thousandths(text);
  if (!thousandths || *thousandths > 1'000'000'000) return not_a(text, "a weight", "write 1, 3.5 or 0.25");
  return static_cast<std::int32_t>(*thousandths);
}

Result<Backfill> parse_backfill(std::string_view text) {
  const auto backfill = from_name<Backfill>(text);
  if (!backfill) return not_a(text, "a kind of backfill", "write one of " + all_names<Backfill>());
  return *backfill;
}

void read_server(const toml::table& source, std::string_view file, ServerConfig& server, TomlTable& root) {
  TomlTable table(source, file, "[server]");
  table.read("listen", server.listen);
  table.read("socket", server.socket);
  table.read("data", server.data);
  if (const auto done = table.finish(); !done) root.fail(done.error());
}

// "auto", "none", "8 x H100-80GB", or an array of such.
void read_gpus(TomlTable& table, LocalConfig& local) {
  if (const auto said = table.list("gpus"); said && *said != "auto")
    table.read_list("gpus", local.gpus, parse_gpu_declarations);
}

void read_local(const toml::table& source, std::string_view file, LocalConfig& local, TomlTable& root) {
  TomlTable table(source, file, "[local]");
  table.read("node", local.node);
  table.read("cpus", local.cpus, parse_cpus);
  table.read("memory", local.memory, parse_memory);
  read_gpus(table, local);
  if (auto features = table.texts("features")) local.features = *std::move(features);
  if (const auto done = table.finish(); !done) root.fail(done.error());
}

void read_type_weights(const toml::table& source, std::string_view file, Policy& policy, TomlTable& root) {
  TomlTable table(source, file, "[policy] type_weights");
  for (const auto& [key, value] : source) {
    std::int32_t weight = 1000;
    table.read(key.str(), weight, parse_weight);
    policy.type_weights_milli[std::string(key.str())] = weight;
  }
  if (const auto done = table.finish(); !done) root.fail(done.error());
}

void read_policy(const toml::table& source, std::string_view file, Policy& policy, TomlTable& root) {
  TomlTable table(source, file, "[policy]");
  table.read("backfill", policy.backfill, parse_backfill);
  table.read("reserve_depth", policy.reserve_depth, 0, 1'000'000);
  table.read("age_step", policy.age_step, parse_duration);
  table.read("half_life", policy.half_life, parse_duration);
  if (const toml::table* weights = table.table("type_weights")) read_type_weights(*weights, file, policy, root);
  table.read("launch_backoff", policy.launch_backoff, parse_duration);
  table.read("launch_failures_hold", policy.launch_failures_hold, 1, kMostInt32);
  table.read("node_failures_drain", policy.node_failures_drain, 1, kMostInt32);
  table.read("max_array_size", policy.max_array_size, 1, kMaxArrayIndexes);
  table.read("max_jobs", policy.max_jobs, 1, 100'000'000);
  table.read("keep_ended", policy.keep_ended, parse_duration);
  if (const auto done = table.finish(); !done) root.fail(done.error());
}

QueueSpec read_queue(const toml::table& source, std::string_view file, TomlTable& root) {
  TomlTable table(source, file, "[[queue]]");
  QueueSpec queue;
  table.read("name", queue.name);
  if (!table.failed() && queue.name.empty())
    table.fail(table.has("name") ? "name" : "",
               {ErrorCode::invalid, "a queue has no name", "write name = \"...\" under [[queue]]"});
  table.read("parent", queue.parent);
  table.read("weight", queue.weight, 0, 1'000'000);
  table.read("quota", queue.quota, parse_gpu_amount);
  table.read("limit", queue.limit, parse_gpu_amount);
  table.read("cpu_limit", queue.cpu_limit, parse_cpus);
  table.read("memory_limit", queue.memory_limit, parse_memory);
  table.read("max_running_jobs", queue.max_running_jobs, 0, kMostInt32);
  table.read("default_time_limit", queue.default_time_limit, parse_duration);
  table.read("max_time_limit", queue.max_time_limit, parse_duration);
  table.read("priority", queue.priority, -kMostInt32, kMostInt32);
  table.read("default", queue.is_default);
  if (const auto done = table.finish(); !done) root.fail(done.error());
  return queue;
}

}  // namespace

Result<Config> parse_config(std::string_view text, std::string_view file_name) {
  const auto document = parse_toml(text, file_name, kMaxConfigBytes);
  if (!document) return document.error();
  Config config;
  TomlTable root(*document, file_name, "");
  if (const toml::table* server = root.table("server")) read_server(*server, file_name, config.server, root);
  if (const toml::table* local = root.table("local")) read_local(*local, file_name, config.local, root);
  if (const toml::table* policy = root.table("policy")) read_policy(*policy, file_name, config.policy, root);
  for (const toml::table* queue : root.tables("queue")) config.queues.push_back(read_queue(*queue, file_name, root));
  if (const auto done = root.finish(); !done) return done.error();
  return config;
}

}  // namespace berth
