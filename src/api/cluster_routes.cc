// GET /v1/nodes, /v1/gpus, /v1/queues, /v1/plan: one consistent moment each.
#include <boost/json.hpp>

#include "api/json_answer.h"
#include "api/query.h"
#include "api/routes.h"
#include "wire/json_document.h"
#include "wire/view_json.h"

namespace berth::api {

namespace json = boost::json;

Response json_response(const json::object& object, int status) {
  Response response;
  response.status = status;
  response.body = to_text(object);
  response.body += '\n';
  return response;
}

namespace {

// The values are made under the lock, the text outside of it.
template <class F>
void respond_with(Services& services, const ExchangePtr& exchange, const char* name, F&& rows) {
  json::array array = services.view.read([&](const Snapshot& snapshot) { return rows(snapshot); });
  json::object object;
  object[name] = std::move(array);
  exchange->respond(json_response(object));
}

}  // namespace

void get_nodes(Services& services, const ExchangePtr& exchange) {
  respond_with(services, exchange, "nodes", [](const Snapshot& s) { return node_rows(s.state); });
}

void get_gpus(Services& services, const ExchangePtr& exchange) {
  respond_with(services, exchange, "gpus", [](const Snapshot& s) {
    Plan reserved;  // gpu_rows looks at nothing else of it
    reserved.reservations = s.plan.reservations;
    return gpu_rows(s.state, PlanIndex(reserved));
  });
}

void get_queues(Services& services, const ExchangePtr& exchange) {
  respond_with(services, exchange, "queues", [](const Snapshot& s) { return queue_rows(s.state); });
}

void get_plan(Services& services, const ExchangePtr& exchange) {
  Query query(exchange->request());
  const auto limit = static_cast<std::size_t>(query.integer("limit", 1000, 0, 100'000));
  if (query.error()) return exchange->respond(*query.error());
  exchange->respond(
      json_response(services.view.read([&](const Snapshot& s) { return plan_view(s.state, s.plan, limit); })));
}

}  // namespace berth::api
