// What must be so at a time: `expect T WHAT ...`.
#include <algorithm>

#include "sim/scn_fields.h"
#include "sim/scn_read.h"
#include "wire/names.h"

namespace berth::scn {
namespace {

constexpr std::int64_t kMany = 1'000'000'000;

ExpectJob read_job(Line& line, const std::string& must) {
  ExpectJob expect;
  expect.must = must;
  expect.job = read_job_ref(line, line.take("the job"));
  if (line.take_if("on")) {
    const auto word = line.take("the nodes");
    expect.on = read_names(word.text);
    std::sort(expect.on.begin(), expect.on.end());
    if (expect.on.empty()) line.fail(word, "\"" + word.text + "\" names no nodes", "write n3, or n0..n3");
  }
  expect.fields = read_fields(line, job_fields());
  return expect;
}

ExpectCount read_count(Line& line, const std::string& state) {
  const auto word = line.take("how many");
  const auto count = read_number(word.text, 0, kMany);
  if (!count) line.fail(word, "\"" + word.text + "\" is no count", "write how many, as in: expect 5m pending 3");
  ExpectCount expect{state, count.value_or(0), "", ""};
  if (line.take_if("of")) expect.of = line.take("the job").text;
  expect.queue = line.text_of("queue");
  return expect;
}

}  // namespace

Expected read_expected(Line& line) {
  const auto what = line.take("what is expected");
  if (what.text == "run" || what.text == "hold" || what.text == "ended" || what.text == "job")
    return read_job(line, what.text);
  if (what.text == "queue") {
    const auto name = line.take("the queue").text;
    const bool off = line.flag("off");
    return ExpectQueue{name, read_fields(line, queue_fields()), off};
  }
  if (what.text == "node") {
    const auto name = line.take("the node").text;
    return ExpectNode{name, read_fields(line, node_fields())};
  }
  if (what.text == "active" || from_name<JobState>(what.text)) return read_count(line, what.text);
  line.fail(what, "\"" + what.text + "\" cannot be expected",
            "write run, hold, ended, job, queue, node, or a count of: active, " + all_names<JobState>());
  return ExpectCount{};
}

}  // namespace berth::scn
