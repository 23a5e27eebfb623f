// Orders: the shim's command line, taken apart. Views into argv, nothing is copied. Filled once by main.
#pragma once

#include <sys/types.h>

namespace berth::shim {

// A file and what to write into it, from "FILE=VALUE" of one argument.
struct Setting {
  const char* file = nullptr;
  const char* value = nullptr;
};

// A v1 group that the job is moved into once it has settled.
inline constexpr int kMaxList = 16;

struct Orders {
  const char* boot = "";
  const char* track = nullptr;    // v2 group of the task, made by the shim
  const char* freezer = nullptr;  // v1 freezer group of the task, where there is no v2
  const char* late_groups[kMaxList]{};
  int late_group_count = 0;
  Setting early[kMaxList]{};  // written before the job is born
  int early_count = 0;
  Setting late[kMaxList]{};  // written once the job has settled
  int late_count = 0;
  const char* peak = nullptr;  // file with the peak of memory, in bytes
  const char* oom = nullptr;   // file with a line "oom_kill N"
  bool drop_user = false;
  uid_t uid = 0;
  gid_t gid = 0;
  const char* groups = nullptr;  // "1,2,3"
  const char* workdir = nullptr;
  const char* input = "/dev/null";
  const char* output = "/dev/null";
  const char* error_output = nullptr;  // none: the same file as output
  bool append = false;
  char** argv = nullptr;
};

// False if an argument is not understood.
bool read_orders(int argc, char** argv, Orders& orders);

}  // namespace berth::shim
