// Words for people, the same on every face: blockers, states as Slurm has them, amounts, durations and times. Everything
// here is total: it has words for every value. Stable names for programs are in wire/names.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/amount.h"
#include "base/time.h"
#include "model/hold.h"
#include "model/job.h"
#include "wire/names.h"
#include "wire/zone.h"

namespace berth {

// One short sentence with numbers, no capital at the start, no full stop at the end:
// "queue nlp is at its limit of 8 GPUs: 2 asked, 1 left".
std::string to_text(const Blocker& blocker, const Zone& zone = {});

// Slurm's words for a state: "PD" and "PENDING". An ended state is seen through its exit too: a timeout is TO.
std::string_view slurm_code(JobState state);
std::string_view slurm_name(JobState state);
// Either word, any case, ours or Slurm's ("PD", "pending", "CG"); for filters such as squeue -t.
std::optional<JobState> state_from_any_name(std::string_view name);

std::string gpu_text(MilliGpu amount);                               // "2 GPUs", "1 GPU", "0.5 GPU"
std::string cpu_text(MilliCpu amount);                               // "8 cores", "0.5 core"
std::string memory_text(Mib amount);                                 // "40 GiB", "1.5 GiB", "512 MiB"
std::string amount_text(std::string_view unit, std::int64_t value);  // by Blocker::unit

std::string duration_text(Duration duration);  // "1h30m", "2d", "45s", "1.5s" under 10 s, "0s", "no limit"
std::string slurm_duration(
    Duration duration);  // "1-02:03:04", "2:03:04", "0:05", "UNLIMITED"; whole seconds, rounded down

std::string iso_utc(Time at);                       // "2026-12-01T10:00:00Z", with .123 only if not a whole second
std::string local_time(Time at, const Zone& zone);  // "2026-12-01 10:00:00"
std::string slurm_time(Time at, const Zone& zone);  // "2026-12-01T10:00:00"; "Unknown" for 0, "N/A" for kForever
std::string local_time_near(Time at, Time now,
                            const Zone& zone);  // "14:05" today, "Tue 14:05" within a week, else the date

// "SIGUSR1" for 10; "signal 77" for what has no name.
std::string signal_text(std::int32_t signal_number);

}  // namespace berth
