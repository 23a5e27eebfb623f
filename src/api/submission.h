// Submission: what the body of POST /v1/jobs asks for, read and given its user. Pure but for the clock and zone of scripts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/message.h"
#include "api/peer.h"
#include "api/query.h"
#include "base/result.h"
#include "model/job.h"

namespace berth::api {

inline constexpr std::size_t kMaxSpecs = 10'000;

struct ReadSpec {
  std::shared_ptr<const JobSpec> spec;
  std::vector<std::string> notes;  // of the reader, for people
};

struct Submission {
  bool many = false;  // {"specs": [...]}
  bool dry_run = false;
  std::vector<Result<ReadSpec>> specs;  // one error does not spoil the others; exactly one unless many
};

Result<Submission> read_submission(const Request& request, const Caller& caller);

}  // namespace berth::api
