#include "wire/job_toml.h"

#include <algorithm>
#include <limits>

#include "wire/json_document.h"
#include "wire/names.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/toml_table.h"

namespace berth {
namespace {

constexpr std::int64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostTasks = 100'000;

template <class Enum>
Result<Enum> parse_name(std::string_view text) {
  const auto value = from_name<Enum>(text);
  if (!value) return not_a(text, "one of the words that are known here", "write one of " + all_names<Enum>());
  return *value;
}

// A bare number or "4:00" would leave the unit to guesswork.
Result<Duration> parse_file_limit(std::string_view text) {
  const auto colons = std::count(text.begin(), text.end(), ':');
  const bool guesswork = (colons == 1 && text.find('-') == std::string_view::npos) || to_thousandths(text).has_value();
  if (guesswork)
    return not_a(text, "a time limit with its unit",
                 "write \"4h\", \"30m\", \"4:00:00\", \"1-12:00:00\" or \"unlimited\"");
  return parse_time_limit(text);
}

class JobFileReader {
 public:
  JobFileReader(const toml::table& document, std::string_view file, Draft& draft)
      : file_(file), root_(document, file, ""), draft_(draft), spec_(draft.spec) {}

  Result<void> read() {
    read_identity();
    read_command();
    read_environment();
    read_resources(root_, draft_.asked, "tasks");
    read_gpu_types();
    read_groups();
    read_nodes();
    read_schedule();
    read_nested("interrupt", &JobFileReader::read_interrupt);
    read_nested("warning", &JobFileReader::read_warning);
    read_nested("retry", &JobFileReader::read_retry);
    return root_.finish();
  }

  // Of [[group]]; empty if the file has one group only, in its top keys.
  const std::vector<TaskGroup>& groups() const { return groups_; }

 private:
  void read_identity() {
    root_.read("name", spec_.name);
    root_.read("queue", draft_.queue);
    root_.read("comment", spec_.comment);
    root_.read("class", spec_.job_class, parse_name<JobClass>);
    root_.read("workdir", spec_.workdir);
    root_.read("stdin", spec_.stdin_path);
    root_.read("stdout", spec_.stdout_path);
    root_.read("stderr", spec_.stderr_path);
    root_.read("append_logs", spec_.append_logs);
    root_.read("cuda_by_index", spec_.cuda_by_index);
  }

  void read_command() {
    if (root_.is_text("command")) {
      std::string line;
      root_.read("command", line);
      spec_.command = {"/bin/sh", "-c", line};
      if (trimmed(line).empty())
        root_.fail("command", {ErrorCode::invalid, "the command is empty", "write what is to run"});
    } else if (auto words = root_.texts("command")) {
      spec_.command = *std::move(words);
      if (spec_.command.empty() || spec_.command[0].empty())
        root_.fail("command", {ErrorCode::invalid, "the command is empty", "write what is to run"});
    }
    root_.read("script", spec_.script);
    if (auto arguments = root_.texts("script_args")) spec_.script_args = *std::move(arguments);
    std::optional<LaunchMode> launch;
    root_.read("launch", launch, parse_name<LaunchMode>);
    spec_.launch = launch.value_or(spec_.script.empty() ? LaunchMode::each : LaunchMode::first);
    check_command();
  }

  void check_command() {
    const bool both = !spec_.command.empty() && !spec_.script.empty();
    if (both)
      root_.fail("script", {ErrorCode::invalid, "a command and a script are given together", "leave one of them out"});
    if (!spec_.script.empty() && !looks_like_script(spec_.script))
      root_.fail("script", {ErrorCode::invalid, "the script has no interpreter",
                            "begin it with #! and an interpreter, such as #!/bin/bash"});
    if (spec_.script.size() > kMaxScriptBytes)
      root_.fail("script", {ErrorCode::too_large, "the script has more than 4 MiB", "keep data in files of its own"});
    if (root_.has("script_args") && spec_.script.empty())
      root_.fail("script_args", {ErrorCode::invalid, "there is no script to give them to", "write them into command"});
  }

  void read_environment() {
    bool inherit = true;
    root_.read("inherit_env", inherit);
    draft_.export_list = inherit ? "ALL" : "NONE";
    const toml::table* env = root_.table("env");
    if (env == nullptr) return;
    TomlTable table(*env, file_, "[env]");
    for (const auto& [key, value] : *env) {
      const std::string name(key.str());
      if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
        table.fail(name, {ErrorCode::invalid, shown(name) + " is no name of a variable", "names have no = in them"});
      if (auto text = table.scalar(name)) spec_.env[name] = *std::move(text);
    }
    if (const auto done = table.finish(); !done) root_.fail(done.error());
  }

  static void read_resources(TomlTable& table, AskedResources& asked, std::string_view count_key) {
    table.read(count_key, asked.tasks, 1, kMostTasks);
    table.read("gpus", asked.gpus, parse_gpus);
    table.read("gpu_memory", asked.gpu_memory, parse_memory);
    table.read("cpus", asked.cpus_per_task, parse_cpus);
    table.read("memory", asked.mem, parse_memory);
    if (asked.mem == Mib{}) asked.mem.reset();
    table.read("max_per_node", asked.max_per_node, 1, kMostTasks);
    table.read("exclusive", asked.exclusive);
  }

  // Strings, or tables of type and speed; kept as --gpu-type has it.
  void read_gpu_types() {
    if (!root_.is_array("gpu_types")) {
      root_.read("gpu_types", draft_.gpu_types);
    } else if (auto items = gpu_type_items()) {
      for (const std::string& item : *items) draft_.gpu_types += (draft_.gpu_types.empty() ? "" : ",") + item;
    }
    if (root_.failed() || draft_.gpu_types.empty()) return;
    if (const auto types = parse_gpu_types(draft_.gpu_types); !types) root_.fail("gpu_types", types.error());
  }

  std::optional<std::vector<std::string>> gpu_type_items() {
    if (!root_.holds_tables("gpu_types")) return root_.texts("gpu_types");
    std::vector<std::string> items;
    for (const toml::table* source : root_.tables("gpu_types")) {
      TomlTable table(*source, file_, "gpu_types");
      std::string type;
      table.read("type", type);
      if (const auto speed = table.scalar("speed")) type += ":" + *speed;
      if (const auto done = table.finish(); !done) root_.fail(done.error());
      items.push_back(type);
    }
    return items;
  }

  void read_groups() {
    std::string common_type;
    for (const toml::table* source : root_.tables("group")) {
      TomlTable table(*source, file_, "[[group]]");
      AskedResources asked;
      std::string name;
      table.read("name", name);
      read_resources(table, asked, "count");
      if (!asked.tasks) asked.tasks = 1;
      auto resolved = table.failed() ? Result<ResolvedResources>(Error{}) : resolve_resources(asked);
      if (resolved)
        add_group(table, name, *resolved, common_type);
      else
        table.fail("gpus", resolved.error());
      if (const auto done = table.finish(); !done) root_.fail(done.error());
    }
    if (!groups_.empty() && draft_.asked != AskedResources{})
      root_.fail("group",
                 {ErrorCode::invalid, "resources stand both at the top and in groups", "write them into the groups"});
    if (!common_type.empty() && draft_.gpu_types.empty()) draft_.gpu_types = common_type;
  }

  void add_group(TomlTable& table, const std::string& name, const ResolvedResources& resolved,
                 std::string& common_type) {
    if (!resolved.gpu_type.empty() && !common_type.empty() && resolved.gpu_type != common_type)
      table.fail("gpus", unsupported("groups ask for GPUs of different types",
                                     "types hold for the whole job: use gpu_types at the top"));
    if (!resolved.gpu_type.empty()) common_type = resolved.gpu_type;
    groups_.push_back(resolved.group);
    groups_.back().name = name;
  }

  void read_nodes() {
    root_.read("features", spec_.nodes.features, parse_features);
    root_.read_list("nodes", spec_.nodes.include, parse_node_list);
    root_.read_list("exclude", spec_.nodes.exclude, parse_node_list);
  }

  void read_schedule() {
    root_.read("priority", spec_.priority, -kMostInt32, kMostInt32);
    root_.read("begin", spec_.begin,
               [this](std::string_view text) { return parse_moment(text, draft_.context->now, draft_.context->zone); });
    root_.read("time_limit", spec_.time_limit, parse_file_limit);
    root_.read("singleton", spec_.singleton);
    root_.read("hold", spec_.hold);
    root_.read_list("array", spec_.array, parse_array);
    Dependencies dependencies;
    root_.read_list("depends", dependencies, parse_dependencies);
    spec_.depends = std::move(dependencies.list);
    spec_.singleton = spec_.singleton || dependencies.singleton;
  }

  void read_nested(std::string_view key, void (JobFileReader::*read_into)(TomlTable&)) {
    const toml::table* source = root_.table(key);
    if (source == nullptr) return;
    TomlTable table(*source, file_, "[" + std::string(key) + "]");
    (this->*read_into)(table);
    if (const auto done = table.finish(); !done) root_.fail(done.error());
  }

  void read_interrupt(TomlTable& table) {
    table.read("mode", spec_.interrupt.mode, parse_name<Interruptible>);
    table.read("signal", spec_.interrupt.checkpoint_signal, parse_signal);
    table.read("grace", spec_.interrupt.grace, parse_duration);
  }

  void read_warning(TomlTable& table) {
    table.read("signal", spec_.warning.signal, parse_signal);
    table.read("before", spec_.warning.before, parse_duration);
    table.read("batch_only", spec_.warning.batch_only);
    if (!table.has("signal"))
      table.fail("signal", {ErrorCode::invalid, "it is missing", "name the signal: signal = \"USR1\""});
  }

  void read_retry(TomlTable& table) {
    table.read("attempts", spec_.retry.attempts, 0, 1'000'000);
    table.read("backoff", spec_.retry.backoff, parse_duration);
    table.read("backoff_max", spec_.retry.backoff_max, parse_duration);
    table.read("requeue_on_node_failure", spec_.retry.requeue_on_node_failure);
    for (const toml::table* source : table.tables("rules")) read_rule(*source, table);
  }

  void read_rule(const toml::table& source, TomlTable& parent) {
    TomlTable table(source, file_, "[retry] rules");
    std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
    RetryAction action = RetryAction::retry;
    table.read_list("exit", ranges, parse_exit_codes);
    table.read("action", action, parse_name<RetryAction>);
    if (ranges.empty() && !table.failed())
      table.fail("exit", {ErrorCode::invalid, "it is missing", "write exit = \"1-3,137\""});
    for (const auto& [first, last] : ranges) spec_.retry.rules.push_back({first, last, action});
    if (const auto done = table.finish(); !done) parent.fail(done.error());
  }

  std::string_view file_;
  TomlTable root_;
  Draft& draft_;
  JobSpec& spec_;
  std::vector<TaskGroup> groups_;
};

std::string default_name(std::string_view file) {
  const std::size_t slash = file.find_last_of('/');
  std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
  if (name.ends_with(".toml")) name.remove_suffix(5);
  return clean_text(name);
}

}  // namespace

Result<ParsedJob> parse_job_toml(std::string_view text, std::string_view file_name,
                                 const std::vector<std::string>& command_line_options, const SubmitContext& context,
                                 OptionFace face) {
  const auto document = parse_toml(text, file_name, kMaxJobFileBytes);
  if (!document) return document.error();
  Draft draft(context);
  JobFileReader reader(*document, file_name, draft);
  const auto read = reader.read();
  if (!read) return read.error();
  if (draft.spec.command.empty() && draft.spec.script.empty())
    return Error{ErrorCode::invalid, std::string(file_name) + ": there is neither command nor script",
                 "write command = [\"PROGRAM\", \"ARGUMENT\"]"};
  const auto operands = apply_options(command_line_options, face, "", draft);
  if (!operands) return operands.error();
  if (!operands->words.empty())
    return Error{ErrorCode::invalid, shown(operands->words[0]) + " stands where an option is expected",
                 "options begin with a dash"};
  if (!draft.wrap.empty())
    return Error{ErrorCode::invalid, "--wrap and a job file are given together", "leave one of them out"};
  if (!reader.groups().empty() && draft.asked != AskedResources{})
    return Error{ErrorCode::invalid, "options for resources cannot change a job of several groups",
                 "change " + std::string(file_name)};
  if (draft.spec.name.empty()) draft.spec.name = default_name(file_name);
  auto spec = finish(draft);
  if (!spec) return at(file_name, spec.error());
  if (!reader.groups().empty()) spec->groups = reader.groups();
  return ParsedJob{*std::move(spec), std::move(draft.notes), draft.flags};
}

}  // namespace berth
