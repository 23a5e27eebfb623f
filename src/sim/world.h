// World: a whole berth in virtual time: the real Controller and View on a JournalStore and a VirtualEngine.
// It steps the controller as the daemon does, until nothing more happens at an instant ("at rest"), and checks after
// every step that the invariants hold, the plan is complete, and the view shows the controller's state.
// Everything that it does follows from its calls: no clock, no randomness.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/controller.h"
#include "sim/event_queue.h"
#include "sim/journal_store.h"
#include "sim/virtual_engine.h"

namespace berth {

// Where virtual time starts; 0 would read as "never".
inline constexpr Time kSimStart{1'000'000'000'000};

class World {
 public:
  explicit World(FateOf fate);

  // Starts the daemon. Nodes that are there by now are reported.
  void boot();
  bool is_up() const { return controller_ != nullptr; }
  Time now() const { return queue_.now(); }

  // Posts a command; it is handled when the world next comes to rest. The reply runs then.
  void post(Command command, Reply reply);
  // Posts a command, comes to rest and gives the answer.
  Result<Answer> ask(Command command);
  // Posts an observation that no engine made: a stale or forged message.
  void inject(Observation observation);
  // Lets all happen that is due now.
  void rest();
  // Lets time pass to `to`; comes to rest at every instant at which something is due.
  void run_until(Time to);
  // When something is due next; kForever: never.
  Time next_due() const;

  // kill -9 and a start `down` later; what came in meanwhile is lost with its messages. The books before and after are compared.
  void crash();
  void recover();

  const ClusterState& state() const { return controller_->state(); }
  const Plan& plan() const { return controller_->plan(); }
  const Controller& controller() const { return *controller_; }
  VirtualEngine& engine() { return engine_; }
  const VirtualEngine& engine() const { return engine_; }
  JournalStore& store() { return store_; }
  const JournalStore& store() const { return store_; }
  // All that was found broken so far, in words, with the instant.
  std::vector<std::string> faults() const;
  // fold(journal) == rows; added to faults() if broken. Not done after each step, as it reads the whole journal.
  void check_journal();
  // Invariants after every step cost time with the square of a run's size: off for long runs, which check now and then.
  void set_check_every(int steps) { check_every_ = steps; }
  // Called after each step: for traces.
  void on_step(std::function<void()> hook) { hook_ = std::move(hook); }

 private:
  void check();
  void fault(const std::string& what);

  EventQueue queue_;
  VirtualEngine engine_;
  JournalStore store_;
  std::unique_ptr<Inbox> inbox_;
  std::unique_ptr<View> view_;
  std::unique_ptr<Controller> controller_;
  Time wake_ = kForever;
  bool posted_ = false;      // something was put into the inbox by a caller
  std::uint64_t heard_ = 0;  // messages of the engine that a step has seen
  bool stuck_ = false;       // it did not come to rest: nothing more runs
  int check_every_ = 1;
  int steps_ = 0;
  std::vector<std::string> faults_;
  std::function<void()> hook_;
};

}  // namespace berth
