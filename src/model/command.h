// Command: what somebody asks for. core/handle.h checks it against the state and turns it into events, or an Error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "model/job.h"
#include "model/policy.h"
#include "model/queue.h"

namespace berth::command {

struct Submit {
  std::shared_ptr<const JobSpec> spec;
};
// A job id names one job; an array's first id with all_elements names all of its elements.
struct Cancel {
  JobId job;
  bool all_elements = false;
};
struct Hold {
  JobId job;
  bool all_elements = false;
};
struct Release {
  JobId job;
  bool all_elements = false;
};
struct Requeue {
  JobId job;
};  // active: stopped and put back; ended: refused
struct Drain {
  std::string node;
  std::string reason;
};
struct Undrain {
  std::string node;
};
// The whole configuration of queues and policy, as read from a file; differences become events.
struct Configure {
  std::vector<QueueSpec> queues;
  Policy policy;
};

using Body = std::variant<Submit, Cancel, Hold, Release, Requeue, Drain, Undrain, Configure>;

}  // namespace berth::command

namespace berth {

struct Command {
  std::string user;  // who asks
  command::Body body;
};

// What a command that was carried out answers. Jobs that were made or touched, in order of id.
struct Answer {
  std::vector<JobId> jobs;
  std::vector<std::string> notes;  // for people: what to know about it
};

}  // namespace berth
