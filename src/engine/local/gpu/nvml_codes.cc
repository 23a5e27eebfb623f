#include "engine/local/gpu/nvml_codes.h"

#include <algorithm>
#include <array>

namespace berth {
namespace {

struct Row {
  int code;
  NvmlClass meaning;
  const char* words;
};

constexpr std::array<Row, 30> kRows{{
    {0, NvmlClass::ok, "success"},
    {1, NvmlClass::stale, "NVML is not initialized"},
    {2, NvmlClass::stale, "invalid argument"},
    {3, NvmlClass::absent, "not supported"},
    {4, NvmlClass::permission, "no permission"},
    {6, NvmlClass::absent, "not found"},
    {7, NvmlClass::transient, "a buffer was too small"},
    {8, NvmlClass::dead, "its external power is not connected"},
    {9, NvmlClass::node, "the NVIDIA driver is not loaded"},
    {10, NvmlClass::transient, "timeout"},
    {11, NvmlClass::dead, "interrupts do not arrive"},
    {12, NvmlClass::node, "a driver library is missing"},
    {13, NvmlClass::absent, "the driver has no such function"},
    {14, NvmlClass::transient, "its inforom is corrupted"},
    {15, NvmlClass::dead, "GPU is lost"},
    {16, NvmlClass::dead, "needs a reset"},
    {17, NvmlClass::transient, "blocked by the operating system"},
    {18, NvmlClass::node, "the driver and its library are of different versions: reboot, or reload the driver"},
    {19, NvmlClass::busy, "in use"},
    {20, NvmlClass::transient, "out of memory"},
    {21, NvmlClass::transient, "no data"},
    {22, NvmlClass::absent, "no ECC under vGPU"},
    {23, NvmlClass::busy, "insufficient resources"},
    {24, NvmlClass::absent, "frequency not supported"},
    {25, NvmlClass::absent, "structure version not supported"},
    {26, NvmlClass::absent, "deprecated"},
    {27, NvmlClass::transient, "not ready"},
    {28, NvmlClass::dead, "no such GPU"},
    {29, NvmlClass::dead, "in an invalid state"},
    {999, NvmlClass::transient, "unknown error"},
}};

const Row* row_of(int code) {
  const auto found = std::find_if(kRows.begin(), kRows.end(), [code](const Row& row) { return row.code == code; });
  return found == kRows.end() ? nullptr : &*found;
}

}  // namespace

NvmlClass class_of(int code) {
  const Row* row = row_of(code);
  return row == nullptr ? NvmlClass::transient : row->meaning;
}

std::string nvml_text(int code) {
  const Row* row = row_of(code);
  return std::string(row == nullptr ? "error" : row->words) + " (NVML " + std::to_string(code) + ")";
}

}  // namespace berth
