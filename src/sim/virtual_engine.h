// VirtualEngine: ports/Engine on virtual time. Attempts live here, not in the daemon, so a restarted controller finds
// them again by adopt(). It keeps its own books of what it was told to run and notes every breach of reality: a GPU
// given twice, an attempt of a job beside another one. Faults are switched on by the callers (scenarios, soak runs).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ports/engine.h"
#include "sim/event_queue.h"
#include "sim/fate.h"

namespace berth {

class VirtualEngine : public Engine {
 public:
  VirtualEngine(EventQueue& queue, FateOf fate) : queue_(queue), fate_(std::move(fate)) {}

  void attach(Sink sink) override;
  void adopt(const std::vector<Launch>& expected) override;
  void start(const Launch& launch) override;
  void stop(const Stop& stop) override;
  void signal(AttemptKey key, std::int32_t signal_number, bool batch_only) override;
  void reconcile() override;
  std::string describe() const override { return "virtual: simulated nodes, nothing really runs"; }

  // The daemon is gone: messages on their way to it are lost, attempts go on.
  void detach();
  // Node names are unique; the order of the first report is the order of ids.
  void add_node(NodeReport report);
  // Changes how a node reports itself and reports it. Attempts on it go on.
  void change_node(const std::string& name, const std::function<void(NodeReport&)>& change);
  // The node died: it reports down, and every attempt with a task there is lost.
  void lose_node(const std::string& name);
  // The node is silent: state unknown; what happens there is told only once it has returned.
  void silence_node(const std::string& name);
  void return_node(const std::string& name);
  void fail_launches_on(const std::string& name, bool fails);
  // The processes of this attempt die as if its node had been cut off.
  void lose_attempt(AttemptKey key, const std::string& node, const std::string& why);

  void set_start_latency(Duration latency) { start_latency_ = latency; }
  void set_message_delay(Duration delay) { message_delay_ = delay; }
  void set_double_messages(bool twice) { double_messages_ = twice; }

  const std::map<std::string, NodeReport>& nodes() const { return nodes_; }
  std::vector<AttemptKey> live() const;
  // Signals sent to an attempt so far, by Engine::signal or while stopping, in order.
  std::vector<std::int32_t> signals_of(AttemptKey key) const;
  int launches_of(JobId job) const;
  // How many messages were handed to the daemon so far.
  std::uint64_t delivered() const { return delivered_; }
  const std::vector<std::string>& breaches() const { return breaches_; }

 private:
  struct Attempt {
    Launch launch;
    Fate fate;
    bool started = false;
    bool stopping = false;
    Time kill_at = kForever;
    std::uint64_t ending = 0;  // only the newest way to end counts
  };

  void play(AttemptKey key);
  void begin(AttemptKey key);
  void end_later(AttemptKey key, Time when, observation::AttemptEnded how);
  void end(AttemptKey key, observation::AttemptEnded how);
  void send_signal(AttemptKey key, std::int32_t number);
  void deliver(const std::set<std::string>& nodes, Observation message);
  void report(const std::string& node);
  std::set<std::string> node_names(const Launch& launch) const;
  std::string failing_node(const Launch& launch) const;
  bool has_broken_gpu(const Launch& launch, const std::string& node) const;
  void check_books(const Launch& launch);
  // What the engine can say to be live: also what ended on a silent node and could not be told yet.
  std::vector<AttemptKey> believed_live() const;

  EventQueue& queue_;
  FateOf fate_;
  Sink sink_;
  std::uint64_t delivered_ = 0;
  std::uint64_t connection_ = 0;  // rises when the daemon goes: older messages are lost
  Duration start_latency_;
  Duration message_delay_;
  Time last_message_;  // no message overtakes another
  bool double_messages_ = false;
  std::vector<std::string> node_order_;
  std::map<std::string, NodeReport> nodes_;
  std::set<std::string> failing_;
  std::map<std::string, std::vector<Observation>> withheld_;  // by silent node
  std::map<AttemptKey, Attempt> live_;
  std::map<AttemptKey, observation::AttemptEnded> ended_;
  std::map<AttemptKey, std::vector<std::int32_t>> signals_;
  std::vector<std::string> breaches_;
};

}  // namespace berth
