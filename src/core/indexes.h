// Keeps ClusterState::indexes in step with the rows. Called by apply.cc only, around each change of a row:
// what a row contributed is taken out before it changes and put in again after.
#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "model/state.h"

namespace berth {

// A job that is pending (or not): its place in the queue, its shape, whom it waits for.
void add_pending(ClusterState& state, const Job& job);
void remove_pending(ClusterState& state, const Job& job);
// Names, arrays and dependents, for as long as a job is in memory.
void add_job(ClusterState& state, const Job& job);
void remove_job(ClusterState& state, const Job& job);
void note_ended(ClusterState& state, const Job& job);

// What an allocation holds: of nodes, of its queue and every queue above, and the timers that it needs.
void add_allocation(ClusterState& state, const Allocation& allocation);
void remove_allocation(ClusterState& state, const Allocation& allocation);

// After a node or its use changed.
void refresh_node(ClusterState& state, NodeId node);
// A new node, or one whose amounts, features or GPU types changed. A kind that was not known before changes what pending
// jobs are taken to ask for: then rebuild_indexes() is due instead.
void note_node_kind(ClusterState& state, NodeId node);
bool is_known_kind(const ClusterState& state, const Node& node);
// After any queue changed: parents, children, and the keys of all pending jobs.
void relink_queues(ClusterState& state);

// The limit that a job runs under: its own, or the nearest default above it, or none.
Duration effective_limit(const ClusterState& state, const Job& job);
// When the allocation's resources will be free, as far as is known.
Time known_end(const Allocation& allocation, Duration limit);
Shape shape_of(const JobSpec& spec);
// Asked for by the whole job; a share by memory counts as the part of a GPU that it is of the smallest GPU allowed.
Resources total_request(const ClusterState& state, const JobSpec& spec);

}  // namespace berth
