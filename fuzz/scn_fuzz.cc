// Scenario files.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "sim/scenario.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scenario = berth::parse_scenario(text, "story.scn");
  if (!scenario) BERTH_CHECK(!scenario.error().message.empty());
  return 0;
}
