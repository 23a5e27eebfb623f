// The rows of the one table of options, in five parts. Only options*.cc include it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/options.h"

namespace berth {

// One option as it was given.
struct Given {
  OptionFace face = OptionFace::berth;
  std::string_view flag;  // as typed, with its dashes
  std::string_view value;
  bool has_value = false;
};

enum class Takes { nothing, value, optional_value };
enum class Owner { slurm, berth };  // berth's own are refused where Slurm's own programs read too

using Effect = Result<void> (*)(const Given&, Draft&);

struct OptionRow {
  std::string_view name;  // long, without dashes
  char letter = 0;        // 0: none
  Takes takes = Takes::value;
  Owner owner = Owner::slurm;
  std::string_view variable = {};  // SBATCH_*; empty: none
  std::string_view help = {};      // one line; empty: not listed
  Effect effect = nullptr;         // none: `says` decides
  std::string_view says = {};      // without effect: why it has no meaning here
  bool refused = false;            // without effect: an error instead of a note
};

std::span<const OptionRow> job_options();       // options_job.cc: names, files, environment, the program's own flags
std::span<const OptionRow> resource_options();  // options_resources.cc
std::span<const OptionRow> schedule_options();  // options_schedule.cc: when, in which order, what after a failure
std::span<const OptionRow> noted_options();     // options_other.cc: known, and without effect
std::span<const OptionRow> refused_options();   // options_other.cc: known, and not offered

}  // namespace berth
