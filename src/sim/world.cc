#include "sim/world.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "core/decide.h"
#include "sim/checks.h"
#include "sim/rows.h"

namespace berth {
namespace {

// More turns than this at one instant and the loop feeds itself.
constexpr int kMaxTurns = 10'000;

std::string clock_text(Time t) { return std::to_string((t - kSimStart).ms()) + " ms"; }

}  // namespace

World::World(FateOf fate) : queue_(kSimStart), engine_(queue_, std::move(fate)) {}

void World::boot() {
  inbox_ = std::make_unique<Inbox>();
  view_ = std::make_unique<View>();
  controller_ = std::make_unique<Controller>(store_, engine_, *inbox_, *view_);
  const auto recovered = controller_->recover(now());
  BERTH_CHECK(recovered.ok(), recovered.ok() ? "" : recovered.error().message);
  posted_ = true;
  wake_ = now();
}

void World::post(Command command, Reply reply) {
  if (!is_up()) return reply(Error{ErrorCode::unavailable, "the daemon is down", "recover it first"});
  posted_ = true;
  inbox_->post(std::move(command), std::move(reply));
}

Result<Answer> World::ask(Command command) {
  std::optional<Result<Answer>> answer;
  post(std::move(command), [&answer](Result<Answer> result) { answer = std::move(result); });
  rest();
  BERTH_CHECK(answer.has_value(), "a command was not answered");
  return *answer;
}

void World::inject(Observation observation) {
  if (!is_up()) return;
  posted_ = true;
  inbox_->post(std::move(observation));
}

void World::rest() {
  for (int turn = 0; turn < kMaxTurns && !stuck_; ++turn) {
    queue_.run_due();
    const bool heard = std::exchange(heard_, engine_.delivered()) != engine_.delivered();
    const bool posted = std::exchange(posted_, false);
    if (!is_up() || (!heard && !posted && wake_ > now())) {
      if (queue_.next().value_or(kForever) > now()) return;
      continue;
    }
    wake_ = controller_->step(now());
    check();
    if (hook_) hook_();
  }
  if (!std::exchange(stuck_, true)) fault("does not come to rest");
}

Time World::next_due() const {
  const auto queued = queue_.next().value_or(kForever);
  return is_up() ? std::min(queued, wake_) : queued;
}

void World::run_until(Time to) {
  rest();
  while (!stuck_ && next_due() <= to && next_due() != kForever) {
    queue_.advance(next_due());
    rest();
  }
  if (!stuck_ && to > now()) queue_.advance(to);
}

void World::crash() {
  BERTH_CHECK(is_up(), "the daemon is down already");
  engine_.detach();
  controller_.reset();
  view_.reset();
  inbox_.reset();
  wake_ = kForever;
}

void World::recover() {
  BERTH_CHECK(!is_up(), "the daemon is up");
  const auto books = store_.rows();
  boot();
  if (const auto found = rows_difference(books, controller_->state()); !found.empty())
    fault("the books differ after the restart: " + found);
  rest();
}

void World::check() {
  if (++steps_ % check_every_ != 0) return;
  for (const auto& broken : broken_invariants(state())) fault(broken);
  // A step that could not be written was taken back; the next one that can decides anew.
  if (!controller_->stats().last_failure.empty()) return;
  for (const auto& gap : plan_gaps(state(), plan())) fault(gap);
  for (const auto& gap : explanation_gaps(state(), plan(), now())) fault(gap);
  const auto seen = view_->read([&](const Snapshot& shown) { return rows_difference(shown.state, state()); });
  if (!seen.empty()) fault("the view differs from the state: " + seen);
}

void World::check_journal() {
  const auto found = rows_difference(fold(store_.records()), store_.rows());
  if (!found.empty()) fault("fold(journal) differs from the rows: " + found);
}

void World::fault(const std::string& what) { faults_.push_back("at " + clock_text(now()) + ": " + what); }

std::vector<std::string> World::faults() const {
  auto all = faults_;
  for (const auto& breach : engine_.breaches()) all.push_back(breach);
  return all;
}

}  // namespace berth
