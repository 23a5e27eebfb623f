#include "app/daemon/serve.h"

#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include "api/server.h"
#include "app/cli/screen.h"
#include "app/daemon/clock.h"
#include "app/daemon/log.h"
#include "app/daemon/loop_thread.h"
#include "app/daemon/settings.h"
#include "app/daemon/signals.h"
#include "control/controller.h"
#include "engine/local/local_engine.h"
#include "store/sqlite_store.h"
#include "wire/errors.h"

namespace berth {
namespace {

constexpr const char* kItself = "berth";  // who configures
constexpr auto kNodesPatience = std::chrono::seconds(3);
constexpr auto kNodesStep = std::chrono::milliseconds(5);

void post_configuration(Inbox& inbox, const Config& config) {
  inbox.post(Command{kItself, configure_command(config)}, [](const Result<Answer>& answer) {
    if (!answer) return log::error("the configuration was refused: {} {}", answer.error().message, answer.error().hint);
    for (const auto& note : answer->notes) log::warning("configuration: {}", note);
  });
}

void reload(Inbox& inbox, const std::string& file) {
  const Result<Config> config = read_config(file);
  if (!config)
    return log::error("the configuration stays as it was: {} {}", config.error().message, config.error().hint);
  post_configuration(inbox, *config);
  log::info("read the configuration again; [server] and [local] take effect at the next start");
}

std::size_t count_gpus(const View& view) {
  return view.read([](const Snapshot& snapshot) {
    std::size_t gpus = 0;
    for (const auto& node : snapshot.state.nodes) gpus += node.gpus.size();
    return gpus;
  });
}

// The first submit should be judged by what there is; a machine whose devices are slow to answer is not waited for long.
void await_nodes(const View& view) {
  const auto until = std::chrono::steady_clock::now() + kNodesPatience;
  const auto known = [&] { return view.read([](const Snapshot& snapshot) { return !snapshot.state.nodes.empty(); }); };
  while (!known() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(kNodesStep);
}

void report_start(const Settings& settings, const ApiServer& server, const Engine& engine, const View& view) {
  log::info("berth {} serves {}", BERTH_VERSION, settings.data.string());
  log::info("socket {}", settings.socket);
  if (!server.tcp_address().empty()) log::info("http://{}", server.tcp_address());
  log::info("{}", engine.describe());
  const std::size_t live = view.read([](const Snapshot& snapshot) { return snapshot.state.allocations.size(); });
  if (live > 0) log::info("{} jobs were running; they are taken up again", live);
  if (count_gpus(view) == 0) {
    log::info(
        "no GPUs here: only CPU jobs run. Virtual ones are declared in a configuration: [local] gpus = \"8 x "
        "H100-80GB\"");
  }
}

Result<void> check_shim(const std::string& path) {
  if (access(path.c_str(), X_OK) == 0) return {};
  return Error{ErrorCode::not_found, "the program " + path + " is missing, and without it no job can run",
               "install berth-shim beside berth"};
}

// Everything that lives as long as the daemon; the members go in the reverse order of their making.
class Daemon {
 public:
  Daemon(Settings settings, std::unique_ptr<Store> store)
      : settings_(std::move(settings)),
        store_(std::move(store)),
        engine_(local_options(settings_)),
        controller_(*store_, engine_, inbox_, view_),
        server_(
            ApiOptions{settings_.socket, settings_.listen == "none" ? "" : settings_.listen, BERTH_VERSION, 4096, {}},
            inbox_, view_, *store_) {}

  Result<void> run() {
    if (Result<void> recovered = controller_.recover(clock_.now()); !recovered) return recovered;
    post_configuration(inbox_, settings_.config);
    LoopThread loop(controller_, inbox_, clock_);
    await_nodes(view_);
    if (Result<void> listening = server_.listen(); !listening) return listening;
    report_start(settings_, server_, engine_, view_);
    Signals signals([this] { server_.stop(); }, [this] { reload(inbox_, settings_.config_file); });
    server_.run();
    log::info("stopping; jobs go on");
    return {};
  }

 private:
  Settings settings_;
  std::unique_ptr<Store> store_;
  Inbox inbox_;
  View view_;
  Clock clock_;
  LocalEngine engine_;
  Controller controller_;
  ApiServer server_;
};

Result<void> run_daemon(const ServeOptions& options) {
  Result<Settings> settings = read_settings(options);
  if (!settings) return settings.error();
  if (Result<void> shim = check_shim(local_options(*settings).shim_path); !shim) return shim;
  Result<std::unique_ptr<Store>> store = open_sqlite_store(settings->data);
  if (!store) return store.error();
  return Daemon(*std::move(settings), *std::move(store)).run();
}

}  // namespace

int serve(const ServeOptions& options) {
  log::open();
  Signals::block();
  const Result<void> done = run_daemon(options);
  return done ? kExitDone : fail(done.error());
}

}  // namespace berth
