#include "app/cli/screen.h"

#include <fmt/core.h>
#include <unistd.h>

#include <boost/json.hpp>

#include <chrono>
#include <cstdio>
#include <thread>

#include "app/cli/fields.h"
#include "app/cli/table.h"
#include "wire/errors.h"
#include "wire/json_document.h"
#include "wire/text.h"
#include "wire/zone.h"

namespace berth {
namespace {

// A decision that is so old while something waits to be decided means that the loop stands still.
constexpr std::int64_t kStalledMs = 30'000;

// What must be known whatever is looked at; empty if there is nothing.
std::string standing_notes(Client& client) {
  const Result<boost::json::value> status = client.get("/v1/status");
  if (!status) return {};
  const auto& fields = as_object(status.value());
  std::string notes;
  if (const auto count = number_field(fields, "virtual_gpus"); count > 0) {
    notes += fmt::format("virtual GPUs: {} of {} are declared in the configuration and have no device behind them\n",
                         count, number_field(fields, "gpus"));
  }
  const std::string failure = text_field(fields, "last_failure");
  if (!failure.empty()) notes += "the store refuses to write: " + printable(failure) + "\n";
  if (number_field(fields, "stalled_ms") > kStalledMs) {
    notes +=
        fmt::format("the daemon has not decided for {}\n", duration_text(Duration(number_field(fields, "stalled_ms"))));
  }
  return notes;
}

void write_all(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

int show_once(Client& client, const Listing& listing, const Fetch& fetch, const Render& render, bool clear) {
  const Result<boost::json::value> value = fetch(client);
  if (!value) return fail(value.error());
  if (listing.json) {
    say(to_text(value.value()));
    return kExitDone;
  }
  const std::string text = render(value.value());
  const std::string notes = listing.no_header ? std::string() : standing_notes(client);
  if (clear) write_all(stdout, "\x1b[H\x1b[2J");
  write_all(stdout, text);
  write_all(stderr, notes);
  return kExitDone;
}

}  // namespace

int fail(const Error& error) {
  note("berth: " + printable(error.message));
  if (!error.hint.empty()) note("  " + printable(error.hint));
  return exit_status(error.code);
}

void say(std::string_view line) { write_all(stdout, std::string(line) + '\n'); }
void note(std::string_view line) { write_all(stderr, std::string(line) + '\n'); }

int show(Client& client, const Listing& listing, const Fetch& fetch, const Render& render) {
  const bool clear = listing.watch_s > 0 && !listing.json && isatty(STDOUT_FILENO) == 1;
  for (;;) {
    const int status = show_once(client, listing, fetch, render, clear);
    if (status != kExitDone || listing.watch_s == 0) return status;
    std::this_thread::sleep_for(std::chrono::seconds(listing.watch_s));
  }
}

Time now() {
  using namespace std::chrono;
  return Time(duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count());
}

std::string gpus_cell(std::int64_t milli) {
  return milli == 0 ? "-" : fmt::format("{:g}", static_cast<double>(milli) / 1000);
}

std::string cpus_cell(std::int64_t milli) { return gpus_cell(milli); }

std::string memory_cell(std::int64_t mib) {
  if (mib == 0) return "-";
  return mib % 1024 == 0 || mib >= 10 * 1024 ? fmt::format("{}G", mib / 1024) : fmt::format("{}M", mib);
}

std::string elapsed_cell(std::int64_t ms) { return slurm_duration(Duration(ms)); }

std::string moment_cell(std::optional<std::int64_t> ms) {
  if (!ms || *ms == 0) return "-";
  return local_time_near(Time(*ms), now(), Zone::of_process());
}

std::string devices_cell(const std::vector<std::string>& devices) {
  std::string out, node;
  for (const auto& device : devices) {
    const auto slash = device.rfind('/');
    const std::string of = device.substr(0, slash);
    const std::string index = slash == std::string::npos ? "" : device.substr(slash + 1);
    if (!out.empty() && of == node) {
      out += ',' + index;
    } else {
      out += (out.empty() ? "" : " ") + device;
      node = of;
    }
  }
  return out;
}

}  // namespace berth
