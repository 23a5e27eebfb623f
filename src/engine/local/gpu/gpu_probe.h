// The helper process that talks to NVML for the engine: reads "read" and "links" lines from standard input, answers each
// with a report (probe_report.h), and says XID events as they come. It ends when its input does. `berth gpu-probe` runs it.
// NVML is initialized once and held; it is tried again at the next line where that failed.
//   --library FILE  or BERTH_NVML_LIBRARY: another library than the driver's
#pragma once

namespace berth {

int run_gpu_probe(int argc, char** argv);

}  // namespace berth
