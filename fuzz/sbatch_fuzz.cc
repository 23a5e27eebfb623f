// Batch scripts, and (input that does not begin with #!) command lines with one word a line.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "accepted_job.h"
#include "wire/quantity_scan.h"
#include "wire/sbatch.h"

namespace berth {
namespace {

const SubmitContext& context() {
  static const SubmitContext made = [] {
    SubmitContext c;
    c.cwd = "/home/ann";
    c.now = Time(1'796'119'200'000);
    c.zone = Zone::fixed(3600);
    c.env = {{"PATH", "/bin"}};
    return c;
  }();
  return made;
}

void check(const Result<ParsedJob>& parsed) {
  if (parsed)
    check_accepted(parsed->spec);
  else
    check_refusal(parsed.error());
}

void check_command_line(std::string_view text, OptionFace face) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, '\n')) words.emplace_back(word);
  const auto line = split_submit_line(words, context(), face);
  if (!line) return check_refusal(line.error());
  if (line->file.empty())
    check(parse_command_job(line->options, line->command, context(), face));
  else
    check(parse_sbatch("#!/bin/sh\n", line->file.substr(0, 100), line->options, context(), face));
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (berth::looks_like_script(text)) {
    berth::check(berth::parse_sbatch(text, "job.sh", {}, berth::context()));
    return 0;
  }
  berth::check_command_line(text, berth::OptionFace::berth);
  berth::check_command_line(text, berth::OptionFace::sbatch);
  return 0;
}
