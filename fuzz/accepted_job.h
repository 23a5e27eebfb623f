// What must hold of every job that a reader accepts, whatever the input was. For fuzz targets.
#pragma once

#include "base/check.h"
#include "model/job.h"
#include "wire/job_json.h"
#include "wire/lint.h"
#include "wire/log_path.h"
#include "wire/understood.h"

namespace berth {

inline void check_accepted(const JobSpec& spec) {
  BERTH_CHECK(!spec.groups.empty());
  for (const TaskGroup& group : spec.groups) {
    BERTH_CHECK(group.count >= 1 && group.gpus.count >= 0 && group.cpus >= MilliCpu{} && group.memory >= Mib{});
    BERTH_CHECK(group.gpus.count == 0 || group.gpus.milli == MilliGpu{});
  }
  BERTH_CHECK(!spec.time_limit || *spec.time_limit > Duration{});
  BERTH_CHECK(spec.command.empty() != spec.script.empty());
  // What is accepted is stored as JSON, and must come back as it was.
  const auto stored = job_spec_from_json(job_spec_to_json(spec));
  BERTH_CHECK(stored.ok(), stored.ok() ? "" : stored.error().message);
  BERTH_CHECK(*stored == spec);
  BERTH_CHECK(!understood(spec, Zone()).empty());
  Node node;
  node.name = "n1";
  node.gpus.resize(8);
  (void)lint(spec, {node});
  (void)log_paths(spec, {JobId(1), ArrayRef{JobId(1), 0, 0}, "ann", spec.name, "n1", 0, 0});
}

// An error is for people: it says something, and it can be sent as JSON.
inline void check_refusal(const Error& error) {
  BERTH_CHECK(!error.message.empty());
  BERTH_CHECK(error.message.size() < 4096);
}

}  // namespace berth
