// Services: all that a route may use. One per server, outlives every exchange; the loop's thread, but for what says otherwise.
#pragma once

#include <memory>
#include <string>

#include "api/handover.h"
#include "api/loop.h"
#include "api/metrics.h"
#include "api/news.h"
#include "control/inbox.h"
#include "control/view.h"
#include "ports/store.h"

namespace berth::api {

class EventFeed;
class JobWaiters;
class FileEvents;
class Pending;
class PlanParts;

struct Services {
  Loop& loop;
  Inbox& inbox;                        // any thread
  const View& view;                    // any thread
  Store& store;                        // find_job, ended_jobs, journal: any thread
  std::shared_ptr<Handover> handover;  // any thread
  std::shared_ptr<News> news;
  std::string version;
  Metrics& metrics;
  Pending& pending;  // commands that have no reply yet
  PlanParts& plan_parts;
  EventFeed& feed;      // GET /v1/events
  JobWaiters& waiters;  // GET /v1/jobs/{id}/wait
  FileEvents& files;    // followed logs
};

}  // namespace berth::api
