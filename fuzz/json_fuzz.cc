// JSON of jobs, events and rows. What is read and written again must be stable: reading what was written gives the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "accepted_job.h"
#include "base/check.h"
#include "wire/errors.h"
#include "wire/event_json.h"
#include "wire/job_json.h"
#include "wire/state_json.h"

namespace berth {
namespace {

template <class Read, class Write>
void check(std::string_view text, Read read, Write write) {
  const auto value = read(text);
  if (!value) return check_refusal(value.error());
  const std::string written = write(*value);
  const auto again = read(written);
  BERTH_CHECK(again.ok(), again.ok() ? "" : again.error().message);
  BERTH_CHECK(write(*again) == written);
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(
      text, [](std::string_view t) { return job_spec_from_json(t); }, job_spec_to_json);
  check(
      text, [](std::string_view t) { return job_from_json(t); }, job_to_json);
  check(
      text, [](std::string_view t) { return event_from_json(t); }, event_to_json);
  check(
      text, [](std::string_view t) { return node_from_json(t); }, node_to_json);
  check(
      text, [](std::string_view t) { return queue_from_json(t); }, queue_to_json);
  check(
      text, [](std::string_view t) { return allocation_from_json(t); }, allocation_to_json);
  check(
      text, [](std::string_view t) { return policy_from_json(t); }, policy_to_json);
  (void)error_from_json(text, 400);
  return 0;
}
