// What can never work here, or is surely a mistake, told at submit. Advice only: core decides (HoldReason::never_fits).
#pragma once

#include <string>
#include <vector>

#include "model/job.h"
#include "model/node.h"

namespace berth {

struct LintFinding {
  enum class Kind { never, mistake, note };  // can never run here; surely not what was meant; good to know
  Kind kind = Kind::note;
  std::string text;
  std::string hint;  // what would do; may be empty
  friend bool operator==(const LintFinding&, const LintFinding&) = default;
};

// The worst first. Without nodes nothing is said about what fits.
std::vector<LintFinding> lint(const JobSpec& spec, const std::vector<Node>& nodes);

// "this can never run here: ... (...)" in one line; what is only good to know stands without an introduction.
std::string to_text(const LintFinding& finding);

}  // namespace berth
