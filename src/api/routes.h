// The handlers of all routes, by the file that holds them.
#pragma once

#include "api/exchange.h"
#include "api/services.h"

namespace berth::api {

// status_routes.cc
void get_health(Services& services, const ExchangePtr& exchange);
void get_status(Services& services, const ExchangePtr& exchange);
void get_openapi(Services& services, const ExchangePtr& exchange);
void get_metrics(Services& services, const ExchangePtr& exchange);
// job_routes.cc
void get_jobs(Services& services, const ExchangePtr& exchange);
void get_job(Services& services, const ExchangePtr& exchange);
void get_why(Services& services, const ExchangePtr& exchange);
// job_waiters.cc, log_route.cc, event_feed.cc
void get_wait(Services& services, const ExchangePtr& exchange);
void get_logs(Services& services, const ExchangePtr& exchange);
void get_events(Services& services, const ExchangePtr& exchange);
// submit_route.cc
void post_jobs(Services& services, const ExchangePtr& exchange);
// command_routes.cc
void post_cancel(Services& services, const ExchangePtr& exchange);
void post_hold(Services& services, const ExchangePtr& exchange);
void post_release(Services& services, const ExchangePtr& exchange);
void post_requeue(Services& services, const ExchangePtr& exchange);
void post_drain(Services& services, const ExchangePtr& exchange);
void post_undrain(Services& services, const ExchangePtr& exchange);
// cluster_routes.cc
void get_nodes(Services& services, const ExchangePtr& exchange);
void get_gpus(Services& services, const ExchangePtr& exchange);
void get_queues(Services& services, const ExchangePtr& exchange);
void get_plan(Services& services, const ExchangePtr& exchange);

}  // namespace berth::api
