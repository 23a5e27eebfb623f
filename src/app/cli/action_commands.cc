// cancel, hold, release, requeue, drain, undrain: what changes something.
#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/fields.h"
#include "app/cli/job_rows.h"
#include "app/cli/screen.h"
#include "wire/errors.h"
#include "wire/json_document.h"

namespace berth {
namespace {

std::string past_of(const std::string& action) {
  if (action == "cancel") return "Cancelled";
  if (action == "hold") return "Held";
  return action == "release" ? "Released" : "Requeued";
}

std::string jobs_of(const boost::json::value& answer) {
  std::vector<std::string> ids;
  for (const auto& id : array_field(as_object(answer), "jobs")) {
    if (id.is_number()) ids.push_back(fmt::format("{}", id.to_number<std::int64_t>()));
  }
  if (ids.size() > 3) return fmt::format("{} to {} ({} jobs)", ids.front(), ids.back(), ids.size());
  return joined(ids, ", ");
}

int act_on(Client& client, const std::string& action, const std::string& name, bool json) {
  const Result<boost::json::value> answer = client.post(job_path(name) + "/" + action, "{}");
  if (!answer) return fail(answer.error());
  if (json) {
    say(to_text(*answer));
    return kExitDone;
  }
  const std::string jobs = jobs_of(*answer);
  say(fmt::format("{} job {}", past_of(action), jobs.empty() ? name : jobs));
  for (const auto& line : texts_field(as_object(*answer), "notes")) note("note: " + line);
  return kExitDone;
}

int act_on_nodes(Client& client, const std::vector<std::string>& nodes, const std::string& action,
                 const std::string& body, const std::string& done) {
  int worst = kExitDone;
  for (const auto& node : nodes) {
    const Result<boost::json::value> answer =
        client.post(fmt::format("/v1/nodes/{}/{}", Client::escape(node), action), body);
    if (!answer) {
      worst = std::max(worst, fail(answer.error()));
      continue;
    }
    say(fmt::format("{} node {}", done, node));
    for (const auto& line : texts_field(as_object(*answer), "notes")) note("note: " + line);
  }
  return worst;
}

}  // namespace

int run_job_action(Client& client, const std::string& action, const JobNames& jobs, bool json) {
  int worst = kExitDone;
  for (const auto& name : jobs) worst = std::max(worst, act_on(client, action, name, json));
  return worst;
}

int run_drain(Client& client, const std::vector<std::string>& nodes, const std::string& reason) {
  return act_on_nodes(client, nodes, "drain", to_text(boost::json::object{{"reason", reason}}), "Drained");
}

int run_undrain(Client& client, const std::vector<std::string>& nodes) {
  return act_on_nodes(client, nodes, "undrain", "{}", "Undrained");
}

}  // namespace berth
