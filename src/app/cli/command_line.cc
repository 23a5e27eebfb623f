#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/client.h"
#include "app/cli/command_tree.h"
#include "app/cli/commands.h"
#include "app/cli/completion.h"
#include "app/cli/screen.h"
#include "app/cli/socket_path.h"
#include "wire/errors.h"
#include "wire/options.h"

namespace berth {
namespace {

// Everything that options are read into, and the command that was chosen.
struct Line {
  std::string socket;
  Listing listing;
  JobFilter filter;
  JobNames jobs;
  std::vector<std::string> nodes;
  std::string reason, file, shell;
  LogsOptions logs;
  std::int32_t timeout_s = 0;
  ServeOptions serve;
  std::vector<std::string> submit_words;
  std::function<int()> run;
};

class CommandLine {
 public:
  explicit CommandLine(const std::function<int(const ServeOptions&)>& serve) : serve_(serve) {
    app_.require_subcommand(1);
    app_.option_defaults()->always_capture_default(false);
    app_.add_option("--socket", line_.socket,
                    "the daemon's socket (default: BERTH_SOCKET, else berth.sock in the data directory)");
    app_.footer(
        "Exit status: 0 done; 1 the answer is no (a job failed, nothing was found); 2 usage; 3 the daemon cannot be "
        "reached.\n"
        "Example: berth submit --gpus 1 -- python train.py; berth queue; berth why 12; berth logs -f 12");
    app_.fallthrough();
    add_daemon();
    add_submit();
    add_listings();
    add_job_commands();
    add_actions();
    add_others();
  }

  int run(std::vector<std::string> words) {
    split_submit(words);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
      say(help_text());
      return kExitDone;
    } catch (const CLI::ParseError& error) {
      note(std::string("berth: ") + error.what());
      note("  see: berth " + (chosen() == nullptr ? "" : chosen()->get_name() + " ") + "--help");
      return kExitUsage;
    }
    return line_.run();
  }

  CommandTree tree() const { return tree_of(app_); }

 private:
  using Run = std::function<int()>;

  CLI::App* add(const std::string& name, const std::string& description, const std::string& example, Run run) {
    CLI::App* command = app_.add_subcommand(name, description);
    if (!example.empty()) command->footer("Examples:\n" + example);
    command->callback([this, run = std::move(run)] { line_.run = run; });
    return command;
  }

  // For commands whose whole work is one function of commands.h.
  template <class F>
  Run with_client(F f) {
    return [this, f] {
      Client to_daemon(client_socket(line_.socket));
      return f(to_daemon, line_);
    };
  }

  // How many words `--socket PATH` at this place takes; 0 if something else stands there.
  static std::size_t socket_words(const std::vector<std::string>& words, std::size_t at) {
    if (at >= words.size()) return 0;
    if (words[at] == "--socket") return std::min<std::size_t>(2, words.size() - at);
    return words[at].starts_with("--socket=") ? 1 : 0;
  }

  // What stands behind `submit` is read by wire/options.h, not by CLI11: one table of options for submit and sbatch.
  // Only --socket is berth's own, directly behind `submit`.
  void split_submit(std::vector<std::string>& words) {
    std::size_t i = 0;
    while (i < words.size() && words[i].starts_with('-')) i += words[i] == "--socket" ? 2 : 1;
    if (i >= words.size() || words[i] != "submit") return;
    while (const std::size_t taken = socket_words(words, i + 1)) i += taken;
    line_.submit_words.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    words.resize(i + 1);
  }

  void add_daemon() {
    CLI::App* serve = add("serve", "run the daemon", "  berth serve --data ~/berth-data --config berth.toml", [this] {
      line_.serve.socket = line_.socket;
      return serve_(line_.serve);
    });
    serve->add_option("--data", line_.serve.data, "data directory (default: " + default_data_dir() + ")");
    serve->add_option("--config", line_.serve.config, "configuration, a TOML file; read again at SIGHUP")
        ->type_name("FILE");
    serve->add_option(
        "--listen", line_.serve.listen,
        "loopback address of the HTTP API (default: 127.0.0.1:7474; port 0: any free one; none: only the socket)");
  }

  void add_submit() {
    add("submit", "submit a command, a job file or a batch script", "",
        with_client([](Client& c, const Line& line) { return run_submit(c, line.submit_words); }));
  }

  void add_listing_options(CLI::App* command, bool is_table = true) {
    command->add_flag("--json", line_.listing.json, "print JSON with stable field names");
    if (!is_table) return;
    command->add_flag("--no-header", line_.listing.no_header, "print the rows alone");
    command->add_option("--watch", line_.listing.watch_s, "show it again every SECONDS (2 if not given)")
        ->expected(0, 1)
        ->default_str("2")
        ->check(CLI::Range(1, 86400))
        ->type_name("SECONDS");
  }

  void add_filters(CLI::App* command) {
    command->add_option("--state", line_.filter.states, "only jobs in these states, as in pending,running")
        ->delimiter(',');
    command->add_option("--queue", line_.filter.queue, "only jobs of this queue");
    command->add_option("--user", line_.filter.user, "only jobs of this user");
    command->add_option("--name", line_.filter.name, "only jobs of this name");
  }

  void add_listings() {
    CLI::App* queue =
        add("queue", "what waits and what runs, where or why not", "  berth queue --user ada --watch",
            with_client([](Client& c, const Line& line) { return run_queue(c, line.listing, line.filter); }));
    CLI::App* jobs =
        add("jobs", "jobs that live or ended not long ago; --state all: every one, the newest first",
            "  berth jobs --state failed,timeout",
            with_client([](Client& c, const Line& line) { return run_jobs(c, line.listing, line.filter); }));
    for (CLI::App* command : {queue, jobs}) {
      add_listing_options(command);
      add_filters(command);
    }
    const auto listing = [this](const std::string& name, const std::string& description,
                                int (*list)(Client&, const Listing&)) {
      add_listing_options(add(name, description, "  berth " + name + " --json",
                              with_client([list](Client& c, const Line& line) { return list(c, line.listing); })));
    };
    listing("nodes", "nodes and what is held on them", run_nodes);
    listing("gpus", "every GPU: health, who holds it, to whom it is promised", run_gpus);
    listing("queues", "the tree of queues: quota, limit, use", run_queues);
    listing("plan", "what starts when and where, as things stand", run_plan);
  }

  CLI::App* add_for_jobs(const std::string& name, const std::string& description, const std::string& example, Run run) {
    CLI::App* command = add(name, description, example, std::move(run));
    command->add_option("jobs", line_.jobs, "ids: 12; 12_3 for one element of an array, 12 for all of it")
        ->required()
        ->type_name("JOB");
    return command;
  }

  void add_job_commands() {
    add_listing_options(
        add_for_jobs("show", "one job in full", "  berth show 12",
                     with_client([](Client& c, const Line& line) { return run_show(c, line.listing, line.jobs); })),
        false);
    add_listing_options(
        add_for_jobs("why", "why a job does not run, what would help, and when it will", "  berth why 12",
                     with_client([](Client& c, const Line& line) { return run_why(c, line.listing, line.jobs); })),
        false);
    CLI::App* logs = add("logs", "what a job wrote", "  berth logs -f 12",
                         with_client([](Client& c, const Line& line) { return run_logs(c, line.logs); }));
    logs->add_option("job", line_.logs.job, "id of the job")->required()->type_name("JOB");
    logs->add_flag("-f,--follow", line_.logs.follow, "go on until the job ends");
    logs->add_flag("--stderr", line_.logs.errors, "its errors, if they go to a file of their own");
    logs->add_option("--task", line_.logs.task, "rank of the task (default: 0)")->check(CLI::NonNegativeNumber);
    CLI::App* wait = add_for_jobs("wait", "until the jobs have ended; status 1 if one did not complete",
                                  "  berth wait 12 13 --timeout 60", with_client([](Client& c, const Line& line) {
                                    return run_wait(c, line.jobs, line.timeout_s, line.listing.json);
                                  }));
    wait->add_option("--timeout", line_.timeout_s, "give up after SECONDS")
        ->check(CLI::Range(1, 100'000'000))
        ->type_name("SECONDS");
    add_listing_options(wait, false);
  }

  void add_actions() {
    const std::pair<std::string, std::string> actions[] = {{"cancel", "end jobs, waiting or running"},
                                                           {"hold", "keep waiting jobs from starting"},
                                                           {"release", "let held jobs start again"},
                                                           {"requeue", "stop a running job and put it back"}};
    for (const auto& [name, description] : actions) {
      add_listing_options(add_for_jobs(name, description, "  berth " + name + " 12",
                                       with_client([action = name](Client& c, const Line& line) {
                                         return run_job_action(c, action, line.jobs, line.listing.json);
                                       })),
                          false);
    }
    CLI::App* drain =
        add("drain", "start nothing new on nodes; what runs goes on", "  berth drain n1 --reason \"new fan\"",
            with_client([](Client& c, const Line& line) { return run_drain(c, line.nodes, line.reason); }));
    drain->add_option("nodes", line_.nodes, "names of nodes")->required()->type_name("NODE");
    drain->add_option("--reason", line_.reason, "why, for everybody to read")->required();
    CLI::App* undrain = add("undrain", "take nodes back into use", "  berth undrain n1",
                            with_client([](Client& c, const Line& line) { return run_undrain(c, line.nodes); }));
    undrain->add_option("nodes", line_.nodes, "names of nodes")->required()->type_name("NODE");
  }

  void add_others() {
    CLI::App* check = add("check", "lint a configuration or a job file; runs and changes nothing",
                          "  berth check berth.toml\n  berth check train.sh",
                          with_client([](Client& c, const Line& line) { return run_check(c, line.file); }));
    check->add_option("file", line_.file, "the file")->required()->type_name("FILE");
    add("version", "of this program and of the daemon", "",
        with_client([](Client& c, const Line&) { return run_version(c); }));
    CLI::App* completion =
        add("completion", "print a completion script for a shell", "  source <(berth completion bash)", [this] {
          const Result<std::string> script = completion_script(tree(), line_.shell);
          if (!script) return fail(script.error());
          std::fputs(script->c_str(), stdout);
          return kExitDone;
        });
    completion->add_option("shell", line_.shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }

  const CLI::App* chosen() const {
    const auto commands = app_.get_subcommands();
    return commands.empty() ? nullptr : commands.front();
  }

  std::string help_text() const {
    const CLI::App* command = chosen();
    std::string text = command == nullptr ? app_.help() : command->help("berth");
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
  }

  static CommandTree::Option option_of(const CLI::Option& from) {
    CommandTree::Option option;
    for (const auto& name : from.get_snames()) option.names.push_back("-" + name);
    for (const auto& name : from.get_lnames()) option.names.push_back("--" + name);
    option.description = from.get_description();
    option.takes_value = from.get_items_expected_max() > 0;
    option.takes_path = from.get_type_name() == "FILE";
    if (from.get_name() == "shell") option.choices = {"bash", "zsh", "fish"};
    return option;
  }

  static CommandTree tree_of(const CLI::App& app) {
    CommandTree tree{app.get_name(), app.get_description(), {}, {}};
    for (const CLI::Option* option : app.get_options()) tree.options.push_back(option_of(*option));
    if (tree.name == "submit") {
      for (auto& name : option_names(OptionFace::berth))
        tree.options.push_back({{"--" + std::move(name)}, "", false, false, {}});
      tree.options.push_back({{}, "", false, true, {}});
    }
    for (const CLI::App* child : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
      tree.commands.push_back(tree_of(*child));
    }
    return tree;
  }

  const std::function<int(const ServeOptions&)>& serve_;
  CLI::App app_{"berth gives every job its berth: it decides which GPU job runs when and where, and sees it through.",
                "berth"};
  Line line_;
};

}  // namespace

int run_command_line(const std::vector<std::string>& words, const std::function<int(const ServeOptions&)>& serve) {
  return CommandLine(serve).run(words);
}

}  // namespace berth
