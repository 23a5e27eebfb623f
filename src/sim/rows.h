// Rows: comparing what two states keep, and folding a journal. For checks: the law of every store is that folding its
// journal gives its rows; a restart must give the books that were there before.
#pragma once

#include <string>
#include <vector>

#include "model/state.h"
#include "ports/store.h"

namespace berth {

// The first difference in what stores keep (not indexes), in words; empty if there is none.
std::string rows_difference(const ClusterState& a, const ClusterState& b);
// The state that the records lead to, from nothing.
ClusterState fold(const std::vector<JournalRecord>& records);

}  // namespace berth
