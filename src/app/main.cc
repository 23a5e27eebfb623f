// berth: one program. By the name that it is called by it is berth itself or one of Slurm's programs. `berth gpu-probe` is
// the helper process that the daemon starts for itself.
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/slurm/applets.h"
#include "app/daemon/serve.h"
#include "engine/local/gpu/gpu_probe.h"

int main(int argc, char** argv) {
  const std::string program = argc > 0 ? argv[0] : "berth";
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (const auto applet = berth::slurm::applet_named(program.substr(program.rfind('/') + 1))) return applet(words);
  if (!words.empty() && words.front() == "gpu-probe") return berth::run_gpu_probe(argc - 1, argv + 1);
  return berth::run_command_line(words, berth::serve);
}
