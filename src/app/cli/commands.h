// The commands of `berth`, one function each; all but serve talk to the daemon. Each prints its answer to stdout, what is
// said about it to stderr, and returns the exit status of wire/errors.h. command_line.cc calls them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/client.h"

namespace berth {

struct Listing {
  bool json = false;
  bool no_header = false;
  std::int32_t watch_s = 0;  // 0: once
};

struct JobFilter {
  std::vector<std::string> states;  // empty: the command's own choice
  std::string queue, user, name;
};

// Jobs as people name them: "12", or "12_3" for an element of an array; the id of an array names all of it.
using JobNames = std::vector<std::string>;

int run_queue(Client& client, const Listing& listing, const JobFilter& filter);
int run_jobs(Client& client, const Listing& listing, const JobFilter& filter);
int run_nodes(Client& client, const Listing& listing);
int run_gpus(Client& client, const Listing& listing);
int run_queues(Client& client, const Listing& listing);
int run_plan(Client& client, const Listing& listing);
int run_show(Client& client, const Listing& listing, const JobNames& jobs);
int run_why(Client& client, const Listing& listing, const JobNames& jobs);

// `action` is cancel, hold, release or requeue.
int run_job_action(Client& client, const std::string& action, const JobNames& jobs, bool json);
int run_drain(Client& client, const std::vector<std::string>& nodes, const std::string& reason);
int run_undrain(Client& client, const std::vector<std::string>& nodes);

struct LogsOptions {
  std::string job;
  bool follow = false;
  bool errors = false;  // the stream of errors, if it has a file of its own
  std::int32_t task = 0;
};
int run_logs(Client& client, const LogsOptions& options);
// Until all have ended or `timeout_s` is over (0: no bound).
int run_wait(Client& client, const JobNames& jobs, std::int32_t timeout_s, bool json);

// `words` are those behind `submit`; wire/options.h reads them.
int run_submit(Client& client, const std::vector<std::string>& words);
int run_check(Client& client, const std::string& file);
int run_version(Client& client);

}  // namespace berth
