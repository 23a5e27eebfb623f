#include "engine/local/local_engine.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/local/attempt.h"
#include "engine/local/environment.h"
#include "engine/local/files.h"
#include "engine/local/gpu/gpu_watch.h"
#include "engine/local/machine.h"

namespace berth {
namespace {

constexpr std::size_t kMostEnded = 1000;
constexpr Duration kWaitForGpus = seconds(5);  // before the node is reported without them

// Two daemons on one machine have different run directories, and so different groups.
std::string instance_name(const std::string& run_dir) {
  return "berth-" +
         std::to_string(std::hash<std::string>{}(std::filesystem::absolute(run_dir).string()) % 1'000'000'007);
}

std::vector<std::int32_t> ranks_up_to(std::int32_t count) {
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

// Everything but the calls from outside; lives on the engine's thread once that runs.
class LocalEngine::Life {
 public:
  explicit Life(const LocalOptions& options);
  ~Life();

  void attach(Sink sink);
  void adopt(const std::vector<Launch>& expected);
  void start(const Launch& launch);
  void stop(const Stop& stop);
  void signal(AttemptKey key, std::int32_t signal_number, bool first_only);
  void reconcile();
  void post(EventLoop::Work work) { machine_.loop.post(std::move(work)); }
  std::string describe() const;

 private:
  void begin();
  void report_nodes();
  void on_gpus_changed();
  std::string gpu_trouble(const std::string& uuid) const;
  std::vector<Gpu> gpus() const;
  bool is_ours(pid_t pid) const;
  void describe_anew();
  Attempt::Events report_events();
  void on_ended(observation::AttemptEnded ended);
  void forget_oldest();
  void take_up(const Launch& launch);
  void kill_unexpected(AttemptKey key);

  Machine machine_;
  std::string instance_;
  Sink sink_;
  std::map<AttemptKey, std::unique_ptr<Attempt>> live_;
  std::map<AttemptKey, std::unique_ptr<Attempt>> unexpected_;
  std::map<AttemptKey, observation::AttemptEnded> ended_;
  std::deque<AttemptKey> ended_order_;
  std::unique_ptr<GpuWatch> gpu_watch_;
  bool reported_nodes_ = false;
  mutable std::mutex description_mutex_;
  std::string description_;
  std::thread thread_;
};

LocalEngine::Life::Life(const LocalOptions& options)
    : machine_{.options = completed(options),
               .dirs = RunDir(options.run_dir),
               .cgroups = {},
               .own = own_account(),
               .boot = boot_id(),
               .ports = {},
               .cuda_index = {},
               .gpu_trouble = {},
               .nursery = Nursery(options.shim_path),
               .loop = {}},
      instance_(instance_name(machine_.options.run_dir)) {
  std::error_code ignored;  // a directory that cannot be made fails every launch, with its name
  std::filesystem::create_directories(machine_.options.run_dir, ignored);
  chmod(machine_.options.run_dir.c_str(), 0711);
  if (machine_.options.use_cgroups) machine_.cgroups = find_cgroups(instance_);
  const std::string boot_file = machine_.options.run_dir + "/boot";
  const std::string before = read_file(boot_file);
  machine_.rebooted = !before.empty() && before != machine_.boot;
  replace_file(boot_file, machine_.boot, 0644);
  describe_anew();
}

LocalEngine::Life::~Life() {
  machine_.loop.quit();
  if (thread_.joinable()) thread_.join();
  const bool idle = live_.empty() && unexpected_.empty();
  live_.clear();
  unexpected_.clear();
  gpu_watch_.reset();
  if (!idle) return;  // a shim that is just coming up needs the groups
  for (const std::string& group : {machine_.cgroups.track, machine_.cgroups.freezer, machine_.cgroups.cpu,
                                   machine_.cgroups.memory, machine_.cgroups.pids})
    if (!group.empty()) rmdir(group.c_str());  // refused while jobs live in it
}

void LocalEngine::Life::attach(Sink sink) {
  sink_ = std::move(sink);
  thread_ = std::thread([this] { machine_.loop.run(); });
  post([this] { begin(); });
}

// With NVML the node is reported once its GPUs are known: before that, jobs that fit would look as if they never could.
void LocalEngine::Life::begin() {
  const LocalOptions& o = machine_.options;
  if (!o.virtual_gpus.empty() || o.probe_command.empty()) return report_nodes();
  gpu_watch_ = std::make_unique<GpuWatch>(
      o, machine_.loop, [this](std::int64_t pid) { return is_ours(static_cast<pid_t>(pid)); },
      [this] { on_gpus_changed(); });
  machine_.cuda_index = [this](const std::string& uuid) { return gpu_watch_->inventory().cuda_index(uuid); };
  machine_.gpu_trouble = [this](const std::string& uuid) { return gpu_trouble(uuid); };
  machine_.loop.after(kWaitForGpus, [this] {
    if (!reported_nodes_) report_nodes();
  });
  gpu_watch_->start();
}

void LocalEngine::Life::on_gpus_changed() {
  report_nodes();
  for (const Gpu& gpu : gpu_watch_->inventory().gone())
    for (const auto& [key, attempt] : live_)
      if (attempt->holds(gpu.uuid)) attempt->give_up(gpu.uuid + " failed under it: " + gpu.detail);
}

std::string LocalEngine::Life::gpu_trouble(const std::string& uuid) const {
  for (const Gpu& gpu : gpus())
    if (gpu.uuid == uuid && (gpu.health == GpuHealth::lost || gpu.health == GpuHealth::suspect))
      return uuid + ": " + gpu.detail;
  return {};
}

std::vector<Gpu> LocalEngine::Life::gpus() const {
  return gpu_watch_ ? gpu_watch_->inventory().gpus() : machine_.options.virtual_gpus;
}

// Below one of our shims, or in one of our groups (then also when its shim is gone).
bool LocalEngine::Life::is_ours(pid_t pid) const {
  if (read_file("/proc/" + std::to_string(pid) + "/cgroup").find("/" + instance_ + "/") != std::string::npos)
    return true;
  const auto ancestry = ancestry_of(pid);
  return std::any_of(live_.begin(), live_.end(), [&](const auto& entry) { return entry.second->owns_any(ancestry); });
}

void LocalEngine::Life::report_nodes() {
  const LocalOptions& o = machine_.options;
  NodeReport node{o.node_name, NodeState::up, o.cpus, o.memory, o.features, gpus()};
  reported_nodes_ = true;
  describe_anew();
  sink_({observation::NodesReported{{std::move(node)}}});
}

Attempt::Events LocalEngine::Life::report_events() {
  return {[this](AttemptKey key) { sink_({observation::AttemptStarted{key}}); },
          [this](observation::AttemptEnded ended) { on_ended(std::move(ended)); }};
}

void LocalEngine::Life::on_ended(observation::AttemptEnded ended) {
  const AttemptKey key = ended.key;
  unlink(machine_.dirs.script_file(key).c_str());  // may be large, and nobody needs it any more
  ended_[key] = ended;
  ended_order_.push_back(key);
  post([this, key] { live_.erase(key); });  // it is the attempt that calls us
  sink_({std::move(ended)});
  forget_oldest();
}

void LocalEngine::Life::forget_oldest() {
  while (ended_order_.size() > kMostEnded) {
    const AttemptKey key = ended_order_.front();
    ended_order_.pop_front();
    ended_.erase(key);
    remove_tree(machine_.dirs.attempt_dir(key));
  }
}

void LocalEngine::Life::adopt(const std::vector<Launch>& expected) {
  std::set<AttemptKey> keys;
  for (const Launch& launch : expected) keys.insert(launch.key);
  for (const AttemptKey key : machine_.dirs.attempts())
    if (!keys.contains(key) && !live_.contains(key)) kill_unexpected(key);
  std::erase_if(ended_, [&](const auto& entry) { return !keys.contains(entry.first); });
  std::erase_if(ended_order_, [&](AttemptKey key) { return !keys.contains(key); });
  for (const Launch& launch : expected) take_up(launch);
}

void LocalEngine::Life::take_up(const Launch& launch) {
  if (live_.contains(launch.key) || ended_.contains(launch.key)) return start(launch);
  auto attempt = std::make_unique<Attempt>(machine_, launch, ranks_up_to(process_count(launch)), report_events());
  Attempt& taken = *(live_[launch.key] = std::move(attempt));
  if (!taken.adopt()) live_.erase(launch.key);
}

// Nobody waits for its end, so nothing is told of it.
void LocalEngine::Life::kill_unexpected(AttemptKey key) {
  const auto forget = [this, key](const observation::AttemptEnded&) {
    post([this, key] {
      unexpected_.erase(key);
      remove_tree(machine_.dirs.attempt_dir(key));
    });
  };
  Launch unknown{.key = key,
                 .spec = std::make_shared<JobSpec>(),
                 .array = {},
                 .placement = {},
                 .nodes = {},
                 .ends_by = kForever,
                 .queue = {}};
  const auto ranks = machine_.dirs.ranks(key);
  Attempt& attempt = *(unexpected_[key] = std::make_unique<Attempt>(machine_, unknown, ranks,
                                                                    Attempt::Events{[](AttemptKey) {}, forget}));
  attempt.adopt_to_kill();
}

void LocalEngine::Life::start(const Launch& launch) {
  if (const auto ended = ended_.find(launch.key); ended != ended_.end()) return sink_({ended->second});
  if (const auto found = live_.find(launch.key); found != live_.end()) {
    if (found->second->is_running()) sink_({observation::AttemptStarted{launch.key}});
    return;
  }
  auto attempt = std::make_unique<Attempt>(machine_, launch, ranks_up_to(process_count(launch)), report_events());
  Attempt& started = *(live_[launch.key] = std::move(attempt));
  started.start();
}

void LocalEngine::Life::stop(const Stop& stop) {
  if (const auto ended = ended_.find(stop.key); ended != ended_.end()) return sink_({ended->second});
  if (const auto found = live_.find(stop.key); found != live_.end()) return found->second->stop(stop);
  observation::AttemptEnded unknown;
  unknown.key = stop.key;
  unknown.outcome = Outcome::lost;
  unknown.message = "it was not running on " + machine_.options.node_name;
  sink_({std::move(unknown)});
}

void LocalEngine::Life::signal(AttemptKey key, std::int32_t signal_number, bool first_only) {
  if (const auto found = live_.find(key); found != live_.end()) found->second->signal(signal_number, first_only);
}

void LocalEngine::Life::reconcile() {
  report_nodes();
  observation::AttemptsReported report;
  for (const auto& [key, attempt] : live_)
    if (!ended_.contains(key)) report.live.push_back(key);
  sink_({std::move(report)});
}

void LocalEngine::Life::describe_anew() {
  std::map<std::string, int> types;
  for (const Gpu& gpu : gpus()) ++types[gpu.type];
  std::string devices;
  for (const auto& [type, count] : types)
    devices += (devices.empty() ? "" : ", ") + std::to_string(count) + " x " + type;
  if (devices.empty()) {
    devices = "no GPUs";
  } else if (gpu_watch_) {
    devices += " by NVML (driver " + gpu_watch_->inventory().driver() + ")";
  } else {
    devices += ", virtual: declared, no devices behind them";
  }
  if (gpu_watch_ && !gpu_watch_->inventory().trouble().empty()) devices += "; " + gpu_watch_->inventory().trouble();
  const std::lock_guard lock(description_mutex_);
  description_ = "local: " + berth::describe(machine_.cgroups) + "; " + devices;
}

std::string LocalEngine::Life::describe() const {
  const std::lock_guard lock(description_mutex_);
  return description_;
}

LocalEngine::LocalEngine(const LocalOptions& options) : life_(std::make_unique<Life>(options)) {}
LocalEngine::~LocalEngine() = default;

void LocalEngine::attach(Sink sink) { life_->attach(std::move(sink)); }
void LocalEngine::adopt(const std::vector<Launch>& expected) {
  life_->post([this, expected] { life_->adopt(expected); });
}
void LocalEngine::start(const Launch& launch) {
  life_->post([this, launch] { life_->start(launch); });
}
void LocalEngine::stop(const Stop& stop) {
  life_->post([this, stop] { life_->stop(stop); });
}
void LocalEngine::signal(AttemptKey key, std::int32_t signal_number, bool batch_only) {
  life_->post([this, key, signal_number, batch_only] { life_->signal(key, signal_number, batch_only); });
}
void LocalEngine::reconcile() {
  life_->post([this] { life_->reconcile(); });
}
std::string LocalEngine::describe() const { return life_->describe(); }

}  // namespace berth
