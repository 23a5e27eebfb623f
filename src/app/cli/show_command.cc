// show and why: one job in full, and why it does not run.
#include <fmt/core.h>

#include <boost/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/fields.h"
#include "app/cli/job_rows.h"
#include "app/cli/screen.h"
#include "app/cli/table.h"
#include "base/amount.h"
#include "wire/text.h"

namespace berth {
namespace {

class Lines {
 public:
  void add(std::string_view label, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("  {:<12} {}\n", label, printable(value));
  }
  void heading(const std::string& line) { text_ += printable(line) + '\n'; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string command_of(const boost::json::object& spec) {
  const auto argv = texts_field(spec, "command");
  if (!argv.empty()) return joined(argv, " ");
  const std::string script = text_field(spec, "script");
  return fmt::format("script of {} bytes: {}", script.size(), script.substr(0, script.find('\n')));
}

std::string limit_of(const boost::json::object& job) {
  const auto limit = optional_number(job, "time_limit_ms");
  return limit ? duration_text(Duration(*limit)) : "none";
}

std::string exit_of(const boost::json::object& job) {
  const auto code = optional_number(job, "exit_code");
  if (!code) return {};
  const auto signal = static_cast<std::int32_t>(number_field(job, "exit_signal"));
  return signal == 0 ? fmt::format("{}", *code) : fmt::format("{} ({})", *code, signal_text(signal));
}

std::string asks_of(const boost::json::object& job) {
  const auto tasks = number_field(job, "tasks"), memory = number_field(job, "memory_mib");
  std::string text = fmt::format("{} task{}, together {}, {}", tasks, tasks == 1 ? "" : "s",
                                 gpu_text(MilliGpu(number_field(job, "gpus_milli"))),
                                 cpu_text(MilliCpu(number_field(job, "cpus_milli"))));
  return memory == 0 ? text : text + ", " + memory_text(Mib(memory));
}

void add_times(Lines& lines, const boost::json::object& job) {
  const auto add = [&](std::string_view label, std::string_view key) {
    if (const auto ms = optional_number(job, key); ms && *ms != 0) lines.add(label, moment_cell(ms));
  };
  add("submitted", "submitted_ms");
  add("eligible", "eligible_ms");
  add("started", "started_ms");
  add("ends by", "ends_by_ms");
  add("ended", "ended_ms");
  lines.add("time limit", limit_of(job));
}

void add_tasks(Lines& lines, const boost::json::object& job) {
  for (const auto& value : array_field(object_field(job, "allocation"), "tasks")) {
    const auto& task = as_object(value);
    std::vector<std::string> devices;
    for (const auto& slice : array_field(task, "gpus")) {
      const auto& gpu = as_object(slice);
      const auto milli = number_field(gpu, "milli");
      devices.push_back(fmt::format("{}{}{}", number_field(gpu, "index"),
                                    milli < kWholeGpu.value() ? ":" + gpus_cell(milli) : "",
                                    flag_field(gpu, "is_virtual") ? " (virtual)" : ""));
    }
    lines.add(
        fmt::format("task {}", number_field(task, "rank")),
        fmt::format("{}, {}, {}{}", text_field(task, "node"), cpu_text(MilliCpu(number_field(task, "cpus_milli"))),
                    number_field(task, "memory_mib") == 0 ? "no memory asked"
                                                          : memory_text(Mib(number_field(task, "memory_mib"))),
                    devices.empty() ? "" : ", GPU " + joined(devices, ",")));
  }
}

std::string show_text(const boost::json::object& job) {
  Lines lines;
  const auto& spec = object_field(job, "spec");
  lines.heading(
      fmt::format("Job {}  {}  {}", text_field(job, "display_id"), text_field(job, "name"), text_field(job, "state")));
  lines.add("why", text_field(job, "reason_text"));
  lines.add("detail", text_field(job, "reason_detail"));
  lines.add("user", text_field(job, "user"));
  lines.add("queue", text_field(job, "queue"));
  lines.add("held by", text_field(job, "held_by"));
  lines.add("runs", command_of(spec));
  lines.add("in", text_field(spec, "workdir"));
  lines.add("asks", asks_of(job));
  lines.add("GPU types", joined(texts_field(job, "gpu_types"), ", "));
  lines.add("priority", fmt::format("{}", number_field(job, "priority")));
  add_times(lines, job);
  if (const auto start = optional_number(job, "expected_start_ms")) {
    lines.add("expected", (flag_field(job, "expected_exact") ? "" : "about ") + moment_cell(start));
  }
  lines.add("attempt", fmt::format("{}, {} retries spent", number_field(job, "attempt"), number_field(job, "retries")));
  lines.add("exit", exit_of(job));
  add_tasks(lines, job);
  lines.add("output", text_field(spec, "stdout_path"));
  return lines.take();
}

std::string why_text(const boost::json::object& why) {
  std::string text = fmt::format("Job {} ({}) is {}\n", text_field(why, "display_id"),
                                 printable(text_field(why, "name")), text_field(why, "state"));
  for (const auto& blocker : array_field(why, "blockers")) {
    text += "  - " + printable(text_field(as_object(blocker), "text")) + '\n';
  }
  if (text_field(why, "state") == "pending") {
    const auto start = optional_number(why, "expected_start_ms");
    text += start ? fmt::format("It starts {}{} as things stand.\n",
                                flag_field(why, "expected_exact") ? "at " : "about ", moment_cell(start))
                  : "No start can be foreseen as things stand.\n";
  }
  const auto fixes = texts_field(why, "fixes");
  if (!fixes.empty()) text += "What would help, the cheapest first:\n";
  for (const auto& fix : fixes) text += "  - " + printable(fix) + '\n';
  return text;
}

using JobText = std::string (*)(const boost::json::object&);

int show_each(Client& client, const Listing& listing, const JobNames& jobs, const std::string& suffix, JobText text) {
  int worst = 0;
  for (const auto& name : jobs) {
    const int status = show(
        client, listing, [&](Client& from) { return from.get(job_path(name) + suffix); },
        [&](const boost::json::value& value) { return text(as_object(value)); });
    if (status > worst) worst = status;
  }
  return worst;
}

}  // namespace

int run_show(Client& client, const Listing& listing, const JobNames& jobs) {
  return show_each(client, listing, jobs, "", show_text);
}
int run_why(Client& client, const Listing& listing, const JobNames& jobs) {
  return show_each(client, listing, jobs, "/why", why_text);
}

}  // namespace berth
