#include "app/cli/slurm/applets.h"

#include <utility>

namespace berth::slurm {

Applet applet_named(std::string_view program) {
  static constexpr std::pair<std::string_view, Applet> kApplets[] = {
      {"sbatch", run_sbatch}, {"squeue", run_squeue}, {"scancel", run_scancel}, {"sinfo", run_sinfo}};
  for (const auto& [name, applet] : kApplets) {
    if (name == program) return applet;
  }
  return nullptr;
}

}  // namespace berth::slurm
