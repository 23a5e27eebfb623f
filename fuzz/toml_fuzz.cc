// TOML: as a job file and as the daemon's configuration.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "accepted_job.h"
#include "wire/config.h"
#include "wire/job_toml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  berth::SubmitContext context;
  context.cwd = "/home/ann";
  context.now = berth::Time(1'796'119'200'000);
  const auto job = berth::parse_job_toml(text, "job.toml", {}, context);
  if (job)
    berth::check_accepted(job->spec);
  else
    berth::check_refusal(job.error());
  const auto config = berth::parse_config(text, "berth.toml");
  if (!config) berth::check_refusal(config.error());
  return 0;
}
