// The programs that berth is when it is called by a name of Slurm's: their common options and columns, for scripts that
// were written for Slurm. An option that is not understood is refused by name, never ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::slurm {

using Applet = int (*)(const std::vector<std::string>& words);

// The applet of that name, if there is one. `words` are those behind the program's name.
Applet applet_named(std::string_view program);

int run_sbatch(const std::vector<std::string>& words);
int run_squeue(const std::vector<std::string>& words);
int run_scancel(const std::vector<std::string>& words);
int run_sinfo(const std::vector<std::string>& words);

}  // namespace berth::slurm
