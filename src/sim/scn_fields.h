// The fields that expectations compare: a table of names and kinds, so that a wrong name or value is found when the
// file is read, and both sides of a comparison are the same canonical text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scn_line.h"

namespace berth::scn {

enum class FieldKind {
  text,    // equal
  state,   // name of a JobState
  reason,  // name of a HoldReason
  gpus,    // "n0/0,1;n1/3", nodes in any order
  part,    // stands in it
  one_of,  // a HoldReason that is one of a comma-separated list
  number,
  milli,   // 8, 0.5
  amount,  // 8, 0.5 or 20G
  span,    // a time since the start, or a span; "never"
};

using FieldTable = std::map<std::string_view, FieldKind>;
using Fields = std::vector<std::pair<std::string, std::string>>;

const FieldTable& job_fields();
const FieldTable& node_fields();
const FieldTable& queue_fields();

// Takes all fields of the table off the line, values in canonical form.
Fields read_fields(Line& line, const FieldTable& table);
// True if what was seen meets what was asked for.
bool field_matches(FieldKind kind, const std::string& wanted, const std::string& seen);

}  // namespace berth::scn
