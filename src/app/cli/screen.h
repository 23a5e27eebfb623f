// Screen: what all commands share when they show something: errors, listings as JSON or text, once or again and again,
// and the cells of tables.
#pragma once

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/client.h"
#include "app/cli/commands.h"
#include "base/result.h"
#include "base/time.h"

namespace berth {

// Prints the error to stderr; returns the exit status that belongs to it.
int fail(const Error& error);
void say(std::string_view line);   // to stdout, with a line end
void note(std::string_view line);  // to stderr, with a line end

using Fetch = std::function<Result<boost::json::value>(Client&)>;
using Render = std::function<std::string(const boost::json::value&)>;
// Shows what `fetch` brings, by `render` or as JSON, and what must be said with every screen: virtual GPUs, and a daemon
// that does not decide. Repeats if the listing is watched, until it is interrupted.
int show(Client& client, const Listing& listing, const Fetch& fetch, const Render& render);

Time now();
std::string gpus_cell(std::int64_t milli);                          // "2", "0.5", "-"
std::string cpus_cell(std::int64_t milli);                          // "8", "0.5", "-"
std::string memory_cell(std::int64_t mib);                          // "64G", "512M", "-"
std::string elapsed_cell(std::int64_t ms);                          // "1:05:00"
std::string moment_cell(std::optional<std::int64_t> ms);            // "14:05", "-"
std::string devices_cell(const std::vector<std::string>& devices);  // ["n0/0", "n0/1"] -> "n0/0,1"

}  // namespace berth
