// `at T submit NAME ...`: what the job asks for, and how it will really behave.
#include <map>

#include "sim/scn_read.h"
#include "wire/errors.h"
#include "wire/names.h"

namespace berth::scn {
namespace {

constexpr std::int64_t kMany = 1'000'000;

// "8" whole GPUs, "0.5" of one, "20G" of one's memory.
std::optional<GpuRequest> read_gpus(std::string_view text) {
  GpuRequest request;
  if (const auto memory = read_memory(text)) {
    request.memory = *memory;
    return request;
  }
  const auto milli = read_milli(text);
  if (!milli || (*milli > 1000 && *milli % 1000 != 0) || *milli > kMany) return std::nullopt;
  if (*milli % 1000 == 0)
    request.count = static_cast<std::int32_t>(*milli / 1000);
  else
    request.milli = MilliGpu(*milli);
  return request;
}

// "3x8": three tasks of eight GPUs.
std::optional<TaskGroup> read_gang(std::string_view text) {
  const auto x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto count = read_number(text.substr(0, x), 0, kMany);
  const auto gpus = read_gpus(text.substr(x + 1));
  if (!count || !gpus) return std::nullopt;
  TaskGroup group;
  group.count = static_cast<std::int32_t>(*count);
  group.gpus = *gpus;
  return group;
}

bool set_group_option(TaskGroup& group, const std::string& option) {
  if (option == "exclusive") return group.exclusive = true;
  const auto equals = option.find('=');
  if (equals == std::string::npos) return false;
  const auto key = option.substr(0, equals);
  const auto value = std::string_view(option).substr(equals + 1);
  const auto milli = read_milli(value);
  if (key == "cpus" && milli)
    group.cpus = MilliCpu(*milli);
  else if (key == "mem" && read_memory(value))
    group.memory = *read_memory(value);
  else if (key == "max_per_node" && milli)
    group.max_per_node = static_cast<std::int32_t>(*milli / 1000);
  else
    return false;
  return true;
}

// "2x8,cpus=16,mem=64G,exclusive"
std::optional<TaskGroup> read_group(std::string_view text) {
  const auto parts = split(text, ',');
  auto group = read_gang(parts.front());
  for (std::size_t i = 1; group && i < parts.size(); ++i)
    if (!set_group_option(*group, parts[i])) return std::nullopt;
  return group;
}

TaskGroup read_one_group(Line& line) {
  constexpr std::string_view kRight = "write 8 for whole GPUs, 0.5 for a share, 20G for a share by memory";
  auto group =
      line.read("gang", read_gang, "write tasks x GPUs of each, as in 4x8, 16x0.5 or 2x20G").value_or(TaskGroup{});
  if (const auto gpus = line.read("gpus", read_gpus, kRight)) group.gpus = *gpus;
  if (const auto memory = line.memory("gpu_mem")) group.gpus.memory = *memory;
  if (const auto cpus = line.milli("cpus")) group.cpus = MilliCpu(*cpus);
  if (const auto memory = line.memory("mem")) group.memory = *memory;
  if (const auto most = line.number("max_per_node", 0, kMany)) group.max_per_node = static_cast<std::int32_t>(*most);
  group.exclusive = line.flag("exclusive");
  return group;
}

std::vector<TaskGroup> read_groups(Line& line) {
  std::vector<TaskGroup> groups;
  for (const auto& word : line.values("group")) {
    if (const auto group = read_group(word.text))
      groups.push_back(*group);
    else
      line.fail(word, "group=" + word.text + " is not understood",
                "write 2x8,cpus=16,mem=64G,max_per_node=1,exclusive");
  }
  const auto single = read_one_group(line);
  return groups.empty() ? std::vector{single} : groups;
}

std::vector<GpuTypePreference> read_types(Line& line) {
  std::vector<GpuTypePreference> types;
  const auto word = line.value("type");
  if (!word) return types;
  for (const auto& part : split(word->text, ',')) {
    const auto pair = split(part, ':');
    const auto speed = pair.size() == 2 ? read_milli(pair[1]) : std::optional<std::int64_t>(1000);
    if (pair.size() > 2 || pair[0].empty() || !speed || *speed > kMany)
      line.fail(*word, "type: \"" + part + "\" is not understood", "write H100,A100 or H100:2,A100");
    else
      types.push_back({pair[0], static_cast<std::int32_t>(*speed)});
  }
  return types;
}

After read_one_after(Line& line, const Word& word) {
  static const std::map<std::string, DependencyKind> kinds{{"ok", DependencyKind::afterok},
                                                           {"notok", DependencyKind::afternotok},
                                                           {"any", DependencyKind::afterany},
                                                           {"start", DependencyKind::after}};
  const auto colon = word.text.find(':');
  const auto kind = kinds.find(word.text.substr(0, colon));
  After after;
  if (colon == std::string::npos || kind == kinds.end()) {
    line.fail(word, "\"" + word.text + "\" is no dependency", "write ok:job, notok:job, any:job or start:job+5m");
    return after;
  }
  after.kind = kind->second;
  auto name = word.text.substr(colon + 1);
  const auto plus = name.find('+');
  if (plus != std::string::npos) {
    const auto delay = read_span(name.substr(plus + 1));
    if (!delay) line.fail(word, "\"" + name.substr(plus + 1) + "\" is not a span", "write start:job+5m");
    after.delay = delay.value_or(Duration{});
    name = name.substr(0, plus);
  }
  after.job = read_job_ref(line, {name, word.column + static_cast<int>(colon) + 1});
  return after;
}

std::vector<After> read_after(Line& line) {
  std::vector<After> all;
  const auto word = line.value("after");
  if (!word) return all;
  for (const auto& part : split(word->text, ',')) all.push_back(read_one_after(line, {part, word->column}));
  return all;
}

void read_rules(Line& line, std::string_view key, RetryAction action, std::vector<RetryRule>& rules) {
  const auto word = line.value(key);
  if (!word) return;
  for (const auto& part : split(word->text, ',')) {
    const auto ends = split(part, '-');
    const auto first = read_number(ends.front(), 0, 255);
    const auto last = read_number(ends.back(), 0, 255);
    if (!first || !last || ends.size() > 2)
      line.fail(*word, "\"" + part + "\" is no exit code", "write exit codes and ranges, as in 1,10-20");
    else
      rules.push_back({static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*last), action});
  }
}

RetryPolicy read_retry(Line& line) {
  RetryPolicy retry;
  if (const auto attempts = line.number("retries", 0, 1000)) retry.attempts = static_cast<std::int32_t>(*attempts);
  if (const auto span = line.span("backoff")) retry.backoff = *span;
  if (const auto span = line.span("backoff_max")) retry.backoff_max = *span;
  read_rules(line, "fail_on", RetryAction::fail, retry.rules);
  read_rules(line, "retry_on", RetryAction::retry, retry.rules);
  if (!retry.rules.empty() && retry.rules.back().action == RetryAction::retry)
    retry.rules.push_back({0, 255, RetryAction::fail});  // only these are tried again
  retry.requeue_on_node_failure = line.yes_no("requeue_on_node_failure").value_or(true);
  return retry;
}

// "ignore", "85", "0@5s".
std::optional<Reaction> read_reaction(std::string_view text) {
  if (text == "ignore") return Reaction{.ignores = true, .exit_code = 0, .after = Duration{}};
  const auto parts = split(text, '@');
  const auto code = read_number(parts.front(), 0, 255);
  const auto after = parts.size() == 2 ? read_span(parts[1]) : std::optional(Duration{});
  if (!code || !after || parts.size() > 2) return std::nullopt;
  return Reaction{.ignores = false, .exit_code = static_cast<std::int32_t>(*code), .after = *after};
}

std::vector<std::int32_t> read_numbers(Line& line, std::string_view key, std::int64_t high) {
  std::vector<std::int32_t> numbers;
  const auto word = line.value(key);
  if (!word) return numbers;
  for (const auto& part : split(word->text, ',')) {
    const auto number = read_number(part, 0, high);
    if (number)
      numbers.push_back(static_cast<std::int32_t>(*number));
    else
      line.fail(*word, "\"" + part + "\" is no number", "write numbers from 0 to " + std::to_string(high));
  }
  return numbers;
}

Behaviour read_behaviour(Line& line, std::optional<Duration> usual) {
  Behaviour behaviour;
  if (usual) behaviour.runs = {*usual};
  if (const auto word = line.value("runs")) {
    behaviour.runs.clear();
    for (const auto& part : split(word->text, ',')) {
      const auto span = part == "forever" ? std::optional(kUnlimited) : read_span(part);
      if (!span) line.fail(*word, "\"" + part + "\" is no span", "write 10m, or 10m,20m by attempt, or forever");
      behaviour.runs.push_back(span.value_or(Duration{}));
    }
  }
  if (const auto exits = read_numbers(line, "exit", 255); !exits.empty()) behaviour.exits = exits;
  behaviour.failing = read_numbers(line, "failing", kMany);
  behaviour.rejected = line.flag("rejected");
  constexpr std::string_view kRight = "write ignore, or the exit code and how much later, as in 0@5s";
  if (const auto reaction = line.read("on_term", read_reaction, kRight)) behaviour.on_term = *reaction;
  if (const auto reaction = line.read("on_signal", read_reaction, kRight)) behaviour.on_first_signal = *reaction;
  return behaviour;
}

void read_limits(Line& line, JobSpec& spec, std::optional<Duration> usual) {
  spec.time_limit = usual;
  const auto word = line.value("limit");
  if (!word) return;
  const auto span = read_span(word->text);
  if (!span && word->text != "none")
    line.fail(*word, "limit=" + word->text + " is not understood", "write 60m or none");
  spec.time_limit = span;
}

void read_constraints(Line& line, NodeConstraints& nodes) {
  for (const auto& any_of : line.list("features")) nodes.features.push_back(split(any_of, '|'));
  if (const auto word = line.value("nodes")) nodes.include = read_names(word->text);
  if (const auto word = line.value("exclude")) nodes.exclude = read_names(word->text);
}

void read_warning(Line& line, WarningSignal& warning) {
  const auto word = line.value("warn");
  if (!word) return;
  const auto parts = split(word->text, '@');
  const auto number = read_number(parts.front(), 1, 64);
  const auto before = parts.size() == 2 ? read_span(parts[1]) : std::nullopt;
  if (!number || !before)
    return line.fail(*word, "warn=" + word->text + " is not understood", "write signal@time, as in 10@60s");
  warning.signal = static_cast<std::int32_t>(*number);
  warning.before = *before;
}

void read_contract(Line& line, InterruptContract& contract) {
  const auto mode = [](std::string_view text) { return from_name<Interruptible>(text); };
  if (const auto value = line.read("interruptible", mode, all_names<Interruptible>())) contract.mode = *value;
  if (const auto grace = line.span("grace")) contract.grace = *grace;
}

}  // namespace

Refusal read_refusal(Line& line) {
  Refusal refusal;
  if (const auto word = line.value("refused")) {
    refusal.code = word->text;
    if (!error_code_named(word->text))
      line.fail(*word, "\"" + word->text + "\" is no error code", "invalid, not_found, conflict, infeasible, ...");
  }
  refusal.says = line.text_of("says");
  return refusal;
}

Submit read_submit(Line& line) {
  Submit submit;
  submit.name = line.take("the name of the job").text;
  auto& spec = submit.spec;
  spec.name = line.text_of("name", submit.name);
  spec.queue = line.text_of("queue");
  spec.user = line.text_of("user", "ann");
  spec.command = {"run"};
  spec.workdir = "/";
  const auto usual = line.span("for");
  read_limits(line, spec, usual);
  submit.behaviour = read_behaviour(line, usual);
  spec.groups = read_groups(line);
  spec.gpu_types = read_types(line);
  read_constraints(line, spec.nodes);
  if (const auto priority = line.number("priority", -kMany, kMany))
    spec.priority = static_cast<std::int32_t>(*priority);
  submit.begin = line.span("begin");
  submit.after = read_after(line);
  spec.singleton = line.flag("singleton");
  spec.hold = line.flag("hold");
  read_contract(line, spec.interrupt);
  read_warning(line, spec.warning);
  spec.retry = read_retry(line);
  spec.array = line.read("array", read_array, "write 0-9, 0-9%2 or 1,3,7");
  submit.refusal = read_refusal(line);
  return submit;
}

}  // namespace berth::scn
