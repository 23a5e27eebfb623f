#include <algorithm>
#include <set>

#include "sim/scenario.h"
#include "sim/scn_line.h"
#include "sim/scn_read.h"

namespace berth {
namespace {

using namespace scn;

constexpr std::size_t kMostLines = 20'000;
constexpr std::size_t kMostNodes = 10'000;

QueueSpec plain_queue(const std::string& name, bool is_default) {
  QueueSpec queue;
  queue.name = name;
  queue.is_default = is_default;
  return queue;
}

class Parser {
 public:
  explicit Parser(const std::string& file) { scenario_.file = file; }

  std::optional<Error> take(Line& line) {
    line.scan();
    if (!line.empty()) directive(line);
    return line.finish();
  }

  Scenario finish() {
    add_implied_queues();
    const auto by_time = [](const auto& a, const auto& b) { return a.at < b.at; };
    std::stable_sort(scenario_.steps.begin(), scenario_.steps.end(), by_time);
    std::stable_sort(scenario_.expectations.begin(), scenario_.expectations.end(), by_time);
    return std::move(scenario_);
  }

 private:
  void directive(Line& line) {
    const auto word = line.take("a directive");
    if (word.text == "node") {
      add_nodes(line, word);
    } else if (word.text == "queue") {
      scenario_.queues.push_back(read_queue(line));
    } else if (word.text == "policy") {
      read_policy(line, scenario_.policy);
    } else if (word.text == "at") {
      const auto at = line.take_span("the time");
      add_step(line, {at, line.number(), line.text(), read_action(line, scenario_.policy)});
    } else if (word.text == "expect") {
      const auto at = line.take_span("the time");
      scenario_.expectations.push_back({at, line.number(), line.text(), read_expected(line)});
    } else {
      line.fail(word, "\"" + word.text + "\" is no directive", "write node, queue, policy, at or expect");
    }
  }

  void add_nodes(Line& line, const Word& word) {
    for (auto& node : read_nodes(line)) {
      if (!names_.insert(node.name).second)
        line.fail(word, "node " + node.name + " is there already", "give it another name");
      scenario_.nodes.push_back(std::move(node));
    }
    if (scenario_.nodes.size() > kMostNodes) line.fail(word, "too many nodes", "at most 10000");
  }

  void add_step(Line& line, Step step) {
    if (const auto* submit = std::get_if<Submit>(&step.action)) {
      if (!jobs_.insert(submit->name).second)
        line.fail({"", static_cast<int>(line.text().find(" " + submit->name)) + 2},
                  "job " + submit->name + " is submitted twice", "give it another name, or name= for the same name");
    }
    scenario_.steps.push_back(std::move(step));
  }

  // A story without queue lines means the queues that its jobs name, all alike; jobs that name none need a default one.
  void add_implied_queues() {
    auto& queues = scenario_.queues;
    const bool implied = queues.empty();
    std::set<std::string> named;
    bool wants_default = false;
    for (const auto& step : scenario_.steps)
      if (const auto* submit = std::get_if<Submit>(&step.action)) {
        wants_default |= submit->spec.queue.empty();
        const bool is_new = !submit->spec.queue.empty() && named.insert(submit->spec.queue).second;
        if (implied && is_new) queues.push_back(plain_queue(submit->spec.queue, false));
      }
    const bool has_default = std::any_of(queues.begin(), queues.end(), [](const auto& q) { return q.is_default; });
    if (wants_default && !has_default) queues.push_back(plain_queue("main", true));
  }

  Scenario scenario_;
  std::set<std::string> names_;
  std::set<std::string> jobs_;
};

}  // namespace

Result<scn::Scenario> parse_scenario(std::string_view text, const std::string& file) {
  Parser parser(file);
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    scn::Line line(file, static_cast<int>(++number), std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (number > kMostLines)
      return Error{ErrorCode::too_large, file + ": more than 20000 lines", "tell shorter stories"};
    if (const auto error = parser.take(line)) return *error;
  }
  return parser.finish();
}

}  // namespace berth
