// The part of lint that compares a job with nodes as if they were empty. Only lint.cc calls it.
#pragma once

#include <vector>

#include "model/job.h"
#include "model/node.h"
#include "wire/lint.h"

namespace berth {

void lint_fit(const JobSpec& spec, const std::vector<Node>& nodes, std::vector<LintFinding>& found);

}  // namespace berth
