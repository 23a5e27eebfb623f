#include "engine/local/gpu/xid.h"

#include <algorithm>
#include <array>

namespace berth {
namespace {

struct Row {
  int first;
  int last;
  XidClass meaning;
  const char* words;
};

using enum XidClass;

// Order matters where ranges overlap: the first row that holds the number counts.
constexpr Row kRows[] = {
    {8, 8, application, "GPU stopped processing"},
    {11, 11, application, "invalid command stream"},
    {13, 13, application, "graphics engine exception"},
    {25, 25, application, "invalid display settings"},
    {31, 31, application, "memory page fault"},
    {32, 32, application, "corrupted push buffer"},
    {39, 41, application, "engine exception"},
    {60, 60, application, "video processor exception"},
    {68, 72, application, "engine exception"},
    {75, 77, application, "engine exception"},
    {80, 80, application, "corrupted data sent to the GPU"},
    {82, 86, application, "engine exception"},
    {88, 89, application, "engine exception"},
    {96, 105, application, "engine exception"},
    {126, 135, application, "engine exception"},
    {137, 137, application, "NVLink privilege error"},
    {139, 139, application, "engine exception"},
    {14, 14, info, "driver event"},
    {37, 38, info, "driver firmware event"},
    {43, 43, info, "a program was stopped"},
    {44, 45, info, "cleaned up after another error"},
    {63, 63, info, "a row of memory was remapped"},
    {66, 67, info, "illegal access by the driver"},
    {92, 92, info, "high rate of corrected ECC errors"},
    {93, 93, info, "inforom is wearing out"},
    {106, 107, info, "driver event"},
    {121, 121, info, "corrected C2C link error"},
    {141, 141, info, "driver event"},
    {152, 153, info, "driver event"},
    {157, 157, info, "driver event"},
    {160, 165, info, "driver event"},
    {171, 172, info, "detail of another error"},
    {94, 94, contained, "contained memory error"},
    {46, 46, reset, "GPU stopped processing"},
    {48, 48, reset, "double-bit ECC error"},
    {62, 62, reset, "power management unit halted"},
    {95, 95, reset, "uncontained memory error"},
    {109, 110, reset, "context switch or security fault"},
    {119, 120, reset, "the GPU's system processor does not answer"},
    {136, 136, reset, "link training failed"},
    {140, 140, reset, "unrecovered ECC error"},
    {143, 143, reset, "initialization error"},
    {154, 156, reset, "the driver asks for recovery"},
    {158, 158, reset, "memory timeout"},
    {74, 74, fabric, "NVLink error"},
    {144, 150, fabric, "NVLink error"},
    {79, 79, reboot, "fallen off the bus"},
    {151, 151, reboot, "the virtual machine has to be restarted"},
    {54, 54, replace, "auxiliary power is not connected"},
    {57, 58, replace, "memory interface error"},
    {61, 61, replace, "internal microcontroller error"},
    {64, 64, replace, "a row of memory could not be remapped"},
    {78, 78, replace, "vGPU start error"},
    {123, 123, replace, "power management unit error"},
    {142, 142, replace, "hardware error"},
};

const char* what_next(XidClass meaning) {
  switch (meaning) {
    case application:
      return "the program's error";
    case info:
      return "noted";
    case contained:
      return "needs a reset when it is idle";
    case reset:
      return "needs a reset";
    case fabric:
      return "its NVLink is in doubt: needs a reset";
    case reboot:
      return "needs a restart of the machine";
    case replace:
      return "needs a look at the hardware";
    case unknown:
      break;
  }
  return "not in the table: needs a look";
}

const Row* row_of(int xid) {
  const auto found =
      std::find_if(std::begin(kRows), std::end(kRows), [xid](const Row& r) { return r.first <= xid && xid <= r.last; });
  return found == std::end(kRows) ? nullptr : &*found;
}

}  // namespace

XidClass xid_class(int xid) {
  const Row* row = row_of(xid);
  return row == nullptr ? unknown : row->meaning;
}

std::string xid_text(int xid) {
  const Row* row = row_of(xid);
  const std::string words = row == nullptr ? "" : std::string(" (") + row->words + ")";
  return "XID " + std::to_string(xid) + words + ": " + what_next(xid_class(xid));
}

}  // namespace berth
