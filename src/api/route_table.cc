#include "api/router.h"
#include "api/routes.h"

namespace berth::api {

std::span<const Route> routes() {
  static const std::vector<Route> table{
      {Method::get, "/healthz", {}, get_health},
      {Method::get, "/metrics", {}, get_metrics},
      {Method::get, "/v1/openapi.json", {}, get_openapi},
      {Method::get, "/v1/status", {}, get_status},
      {Method::get, "/v1/jobs", {"state", "queue", "user", "name", "array", "limit", "after"}, get_jobs},
      {Method::post, "/v1/jobs", {"dry_run", "workdir", "name"}, post_jobs},
      {Method::get, "/v1/jobs/{id}", {}, get_job},
      {Method::del, "/v1/jobs/{id}", {}, post_cancel},
      {Method::get, "/v1/jobs/{id}/why", {}, get_why},
      {Method::get, "/v1/jobs/{id}/wait", {"timeout_s"}, get_wait},
      {Method::get, "/v1/jobs/{id}/logs", {"task", "stream", "offset", "follow"}, get_logs},
      {Method::post, "/v1/jobs/{id}/cancel", {}, post_cancel},
      {Method::post, "/v1/jobs/{id}/hold", {}, post_hold},
      {Method::post, "/v1/jobs/{id}/release", {}, post_release},
      {Method::post, "/v1/jobs/{id}/requeue", {}, post_requeue},
      {Method::get, "/v1/nodes", {}, get_nodes},
      {Method::post, "/v1/nodes/{name}/drain", {}, post_drain},
      {Method::post, "/v1/nodes/{name}/undrain", {}, post_undrain},
      {Method::get, "/v1/gpus", {}, get_gpus},
      {Method::get, "/v1/queues", {}, get_queues},
      {Method::get, "/v1/plan", {"limit"}, get_plan},
      {Method::get, "/v1/events", {"after"}, get_events},
  };
  return table;
}

}  // namespace berth::api
