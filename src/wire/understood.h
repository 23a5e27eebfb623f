// What berth prints back after reading a job, so that a misunderstanding is seen at once.
#pragma once

#include <string>
#include <vector>

#include "model/job.h"
#include "wire/zone.h"

namespace berth {

// Lines without ends; the first says what is held. Only what was asked for or matters is named.
std::vector<std::string> understood(const JobSpec& spec, const Zone& zone);

// One task of the group: "2 GPUs of H100, 8 cores, 64 GiB".
std::string task_text(const TaskGroup& group, const std::vector<GpuTypePreference>& gpu_types);

}  // namespace berth
