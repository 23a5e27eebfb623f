// Readers of single values as people and Slurm write them. Each takes the whole text or refuses it: an error names the
// value and says what would be right. Nothing empty, negative, overflowing or followed by anything ever becomes zero or
// "unlimited". Callers add where the value stood with at().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "base/result.h"
#include "base/time.h"
#include "model/job.h"
#include "wire/zone.h"

namespace berth {

// Puts the place in front of the message: at("--time", error) -> "--time: `4x` is not a time".
Error at(std::string_view where, Error error);

Result<std::int64_t> parse_integer(std::string_view text, std::int64_t least, std::int64_t most);

// Slurm's --time: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S. UNLIMITED, INFINITE and 0 are kUnlimited, as in Slurm.
Result<Duration> parse_slurm_time(std::string_view text);
// 1h30m, 90s, 2d, 1w, 500ms, 1.5h; a bare number is refused (seconds? minutes?), except 0.
Result<Duration> parse_duration(std::string_view text);
// For berth's own --time: what has a letter behind a digit is read as a duration, all else as Slurm does.
Result<Duration> parse_time_limit(std::string_view text);

// Slurm's --mem: MB if no unit; K M G T, with B or iB if wanted, in powers of 1024; 0 is 0 (the caller's "all of it").
Result<Mib> parse_slurm_memory(std::string_view text);
// 64GiB, "64 GB", 512M: a unit is required, powers of 1024, fractions allowed ("1.5G").
Result<Mib> parse_memory(std::string_view text);
// 8, 0.5, 500m.
Result<MilliCpu> parse_cpus(std::string_view text);

// "TERM", "SIGTERM", "15".
Result<std::int32_t> parse_signal(std::string_view text);
// Slurm's --signal: [B:]SIG[@SECONDS].
Result<WarningSignal> parse_warning_signal(std::string_view text);

inline constexpr std::int64_t kMaxArrayIndexes = 100'000;  // Policy::max_array_size is the administrator's
// 0-14%4, 1-7:2, 1,3,5-9.
Result<ArraySpec> parse_array(std::string_view text);

// GPUs of one kind. `type` is empty if any will do. request.any() is false for "0".
struct GpuSpec {
  std::string type;
  GpuRequest request;
  friend bool operator==(const GpuSpec&, const GpuSpec&) = default;
};
// N, TYPE:N, gpu:N, gpu:TYPE:N, gpu:TYPE (one of it); a share: 0.5, TYPE:0.5, or by memory: 20G, TYPE:20G.
Result<GpuSpec> parse_gpus(std::string_view text);
// Slurm's --gres: a list of which only gpu means something here; "none" is no GPUs.
Result<GpuSpec> parse_gres(std::string_view text);
// "H100,A100:0.5": types in order of preference, each with its relative speed.
Result<std::vector<GpuTypePreference>> parse_gpu_types(std::string_view text);

// 1-3,137: inclusive ranges of exit codes, each 0..255.
Result<std::vector<std::pair<std::int32_t, std::int32_t>>> parse_exit_codes(std::string_view text);

// Slurm's --begin: now, now+1hour, 16:00, tomorrow, noon, 2026-12-01, 2026-12-01T10:00[:00][Z], 12/01/26, and so on.
// A time of day that is past means tomorrow's.
Result<Time> parse_moment(std::string_view text, Time now, const Zone& zone);

inline constexpr std::size_t kMaxNodeNames = 65'536;
// n[1-3,7],m05: names, in order, each once.
Result<std::vector<std::string>> parse_node_list(std::string_view text);
// a&b, a|b, a&(b|c): as NodeConstraints::features has it. [a|b] and a*2 are refused.
Result<std::vector<std::vector<std::string>>> parse_features(std::string_view text);
// Slurm's --dependency: afterok:1:2,after:3+10,singleton. `?` (any of) and what is not offered are refused.
struct Dependencies {
  std::vector<Dependency> list;
  bool singleton = false;
};
Result<Dependencies> parse_dependencies(std::string_view text);

// The candidate that is nearest to what was typed; empty if none is near. For "did you mean".
std::string nearest(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace berth
