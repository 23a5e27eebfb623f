// The values of scenario files as text: spans, amounts, lists, names. Readers give nothing for what does not parse;
// writers give the one canonical form, so that two values can be compared and shown as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/amount.h"
#include "base/time.h"
#include "model/job.h"

namespace berth::scn {

std::optional<std::int64_t> read_number(std::string_view text, std::int64_t low, std::int64_t high);
// "0s", "60m", "2h30m", "500ms", "3d": up to a century.
std::optional<Duration> read_span(std::string_view text);
// "8", "0.5": thousandths, up to three digits after the point.
std::optional<std::int64_t> read_milli(std::string_view text);
// "20G", "512M", "1T".
std::optional<Mib> read_memory(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
// "n0..n3" is n0 n1 n2 n3; "a,b" is a b. Empty if it makes no sense; at most 10,000.
std::vector<std::string> read_names(std::string_view text);
// "0-9%2", "1,3,7", "0-8:4".
std::optional<ArraySpec> read_array(std::string_view text);

std::string show_span(Duration span);        // "2h30m", "0s"; "never" for the end of time
std::string show_milli(std::int64_t milli);  // "0.5"
std::string show_memory(Mib memory);         // "20G", "300M"

}  // namespace berth::scn
