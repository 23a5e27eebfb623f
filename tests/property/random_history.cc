#include "random_history.h"

namespace berth {

RandomHistory::RandomHistory(std::uint64_t seed, const HistoryShape& shape)
    : seed_(seed), prng_(seed), shape_(shape), world_([this](const Launch& launch) { return fate_of(launch); }) {
  for (std::int64_t i = 0; i < shape_.size.nodes; ++i)
    world_.engine().add_node(random_node(prng_, "n" + std::to_string(i), shape_.size));
  world_.boot();
  world_.post({"admin", command::Configure{random_queues(prng_, shape_.queue_scale), Policy{}}},
              [](const Result<Answer>&) {});
  world_.rest();
}

// Of the launch alone, so that it is the same whenever it is asked.
Fate RandomHistory::fate_of(const Launch& launch) const {
  Prng prng(seed_ * 1'000'003 + static_cast<std::uint64_t>(launch.key.job.value() * 131 + launch.key.attempt));
  Fate fate;
  fate.runs = minutes(prng.between(1, 90));
  fate.exit_code = prng.chance(1, 4) ? static_cast<std::int32_t>(prng.between(1, 90)) : 0;
  fate.rejected = prng.chance(1, 40);
  fate.launch_fails = shape_.faults && prng.chance(1, 25);
  if (prng.chance(1, 6))
    fate.on_term = {.ignores = true, .exit_code = 0, .after = Duration{}};
  else if (prng.chance(1, 4))
    fate.on_term = {.ignores = false, .exit_code = 0, .after = seconds(prng.below(20))};
  if (prng.chance(1, 2)) fate.on_first_signal = {.ignores = false, .exit_code = 85, .after = seconds(prng.below(20))};
  return fate;
}

void RandomHistory::run() {
  for (std::int64_t i = 0; i < shape_.acts; ++i) {
    world_.run_until(world_.now() + milliseconds(prng_.below(2 * shape_.between.ms())));
    const auto together = prng_.chance(1, 4) ? prng_.between(2, 5) : 1;
    for (std::int64_t j = 0; j < together; ++j) act();
    if (i % 50 == 49) mend();  // somebody goes round
    world_.rest();
    if (prng_.chance(1, 4)) world_.store().set_failing(false);
  }
}

void RandomHistory::act() {
  const auto die = prng_.below(100);
  if (die < 45) return submit();
  if (die < 60) return on_some_job();
  if (!shape_.faults) return submit();
  if (die < 76) return on_some_node();
  if (die < 86) return on_some_gpu();
  if (die < 92) return configure();
  if (die < 96 || !shape_.crashes) return trouble_messages();
  crash();
}

void RandomHistory::submit() {
  auto spec = random_spec(prng_, "job" + std::to_string(prng_.below(12)), shape_.size);
  spec.retry.attempts = static_cast<std::int32_t>(prng_.below(3));
  if (prng_.chance(1, 6)) spec.interrupt.mode = Interruptible::checkpoint;
  if (prng_.chance(1, 6)) spec.begin = world_.now() + minutes(prng_.below(120));
  if (prng_.chance(1, 10)) spec.singleton = true;
  if (prng_.chance(1, 12)) spec.hold = true;
  if (prng_.chance(1, 8)) spec.warning = {.signal = 10, .before = minutes(5)};
  if (prng_.chance(1, 5))
    spec.depends.push_back({static_cast<DependencyKind>(prng_.below(4)), some_job(), minutes(prng_.below(10))});
  if (prng_.chance(1, 10)) spec.array = ArraySpec{{0, 1, 2, 5}, static_cast<std::int32_t>(prng_.below(3))};
  world_.post({"ann", command::Submit{std::make_shared<JobSpec>(std::move(spec))}},
              [this](const Result<Answer>& answer) {
                if (answer.ok()) submitted_ += static_cast<std::int64_t>(answer->jobs.size());
              });
}

JobId RandomHistory::some_job() { return JobId(prng_.between(1, submitted_ + 2)); }
std::string RandomHistory::some_node() { return "n" + std::to_string(prng_.below(shape_.size.nodes)); }

void RandomHistory::on_some_job() {
  const auto id = some_job();
  const bool all = prng_.chance(1, 3);
  Command command{"ann", command::Cancel{id, all}};
  const auto die = prng_.below(5);
  if (die == 1) command.body = command::Hold{id, all};
  if (die == 2 || die == 3) command.body = command::Release{id, all};
  if (die == 4) command.body = command::Requeue{id};
  world_.post(std::move(command), [](const Result<Answer>&) {});
}

void RandomHistory::on_some_node() {
  const auto name = some_node();
  auto& engine = world_.engine();
  // What breaks is mended sooner than it breaks, else nothing ever runs.
  switch (prng_.below(10)) {
    case 0:
      engine.lose_node(name);
      break;
    case 1:
      engine.silence_node(name);
      break;
    case 2:
      engine.fail_launches_on(name, true);
      break;
    case 3:
      world_.post({"eva", command::Drain{name, "why not"}}, [](const Result<Answer>&) {});
      break;
    case 4:
    case 5:
    case 6:
      engine.fail_launches_on(name, false);
      world_.post({"eva", command::Undrain{name}}, [](const Result<Answer>&) {});
      break;
    default:
      engine.return_node(name);
      break;
  }
}

void RandomHistory::on_some_gpu() {
  const auto name = some_node();
  const auto count = static_cast<std::int64_t>(world_.engine().nodes().at(name).gpus.size());
  if (count == 0) return;
  const auto index = static_cast<std::size_t>(prng_.below(count));
  const auto health = prng_.chance(1, 2) ? GpuHealth::ok : static_cast<GpuHealth>(prng_.below(4));
  const bool foreign = prng_.chance(1, 3);
  const Mib amount(prng_.below(3) * 4096);
  world_.engine().change_node(name, [&](NodeReport& node) {
    if (foreign)
      node.gpus[index].foreign = amount;
    else
      node.gpus[index].health = health;
  });
}

void RandomHistory::configure() {
  Policy policy;
  policy.backfill = static_cast<Backfill>(prng_.below(3));
  policy.reserve_depth = static_cast<std::int32_t>(prng_.below(20));
  policy.keep_ended = minutes(prng_.between(1, 120));
  world_.post({"admin", command::Configure{random_queues(prng_, shape_.queue_scale), policy}},
              [](const Result<Answer>&) {});
}

void RandomHistory::trouble_messages() {
  auto& engine = world_.engine();
  switch (prng_.below(4)) {
    case 0:
      engine.set_message_delay(seconds(prng_.below(40)));
      break;
    case 1:
      engine.set_double_messages(prng_.chance(1, 2));
      break;
    case 2:
      engine.set_start_latency(seconds(prng_.below(30)));
      break;
    default:
      fill_the_disk();
      break;
  }
}

// For some acts only: while nothing can be written every command is refused, and the rest of the history would be empty.
void RandomHistory::fill_the_disk() { world_.store().set_failing(true); }

void RandomHistory::crash() {
  world_.crash();
  if (prng_.chance(1, 2)) world_.run_until(world_.now() + minutes(prng_.below(30)));
  world_.store().set_failing(false);
  world_.recover();
}

void RandomHistory::mend() {
  auto& engine = world_.engine();
  const auto nodes = engine.nodes();
  for (const auto& [name, report] : nodes) {
    engine.fail_launches_on(name, false);
    engine.return_node(name);
    engine.change_node(name, [](NodeReport& node) {
      for (auto& gpu : node.gpus) {
        gpu.health = GpuHealth::ok;
        gpu.foreign = Mib{};
      }
    });
    world_.post({"eva", command::Undrain{name}}, [](const Result<Answer>&) {});
  }
  for (const auto& [id, job] : world_.state().jobs)
    if (!job.held_by.empty()) world_.post({"eva", command::Release{id}}, [](const Result<Answer>&) {});
}

void RandomHistory::heal_and_finish() {
  world_.engine().set_message_delay(Duration{});
  world_.engine().set_double_messages(false);
  QueueSpec a, b;
  a.name = "a";
  b.name = "b";
  a.is_default = true;
  const auto all_ended = [this] {
    for (const auto& [id, job] : world_.state().jobs)
      if (!is_ended(job.state)) return false;
    return true;
  };
  world_.set_check_every(10);
  for (int round = 0; round < 60 && (round == 0 || !all_ended()); ++round) {
    world_.post({"admin", command::Configure{{a, b}, Policy{}}}, [](const Result<Answer>&) {});
    mend();
    world_.run_until(world_.now() + hours(6));
  }
}

}  // namespace berth
