// Metrics: what Prometheus reads at /metrics. Names are stable. Label sets are bounded: routes by pattern, states and types
// by what the model and the machine have, never users or jobs. Loop's thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "control/view.h"

namespace berth::api {

class Metrics {
 public:
  Metrics();
  ~Metrics();
  void count_request(std::string_view route, int status);
  void set_connections(std::size_t n);
  void set_watchers(std::size_t n);
  // The figures of now, in the text format.
  std::string text(const View& view, Time now, std::int64_t oldest_command_ms);

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace berth::api
