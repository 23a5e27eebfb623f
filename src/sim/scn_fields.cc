#include "sim/scn_fields.h"

#include <algorithm>
#include <limits>

#include "wire/names.h"

namespace berth::scn {
namespace {

std::string right_for(FieldKind kind) {
  switch (kind) {
    case FieldKind::state:
      return "write one of: " + all_names<JobState>();
    case FieldKind::one_of:
    case FieldKind::reason:
      return "write one of: " + all_names<HoldReason>();
    case FieldKind::number:
      return "write a whole number";
    case FieldKind::milli:
    case FieldKind::amount:
      return "write an amount such as 8, 0.5 or 20G";
    case FieldKind::span:
      return "write a span such as 90s or 2h30m, or never";
    case FieldKind::text:
    case FieldKind::part:
    case FieldKind::gpus:
      break;
  }
  return "write it as it is shown";
}

// Some reasons have a longer name that reads better in a story.
std::optional<std::string> canonical_reason(std::string_view text) {
  if (text == "would_delay_reservation") return "reserved_room";
  if (text == "strict_order") return "behind";
  return from_name<HoldReason>(text) ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> canonical_gpus(std::string_view text) {
  auto parts = split(text, ';');
  std::sort(parts.begin(), parts.end());
  std::string all;
  for (const auto& part : parts) all += (all.empty() ? "" : ";") + part;
  return all;
}

std::optional<std::string> canonical_span(std::string_view text) {
  if (text == "never") return "never";
  const auto span = read_span(text);
  return span ? std::optional(show_span(*span)) : std::nullopt;
}

std::optional<std::string> canonical_amount(std::string_view text) {
  if (const auto memory = read_memory(text)) return show_memory(*memory);
  const auto milli = read_milli(text);
  return milli ? std::optional(show_milli(*milli)) : std::nullopt;
}

std::optional<std::string> canonical_number(std::string_view text) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto number = read_number(text, -kMost, kMost);
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

std::optional<std::string> canonical(FieldKind kind, std::string_view text) {
  switch (kind) {
    case FieldKind::number:
      return canonical_number(text);
    case FieldKind::milli:
    case FieldKind::amount:
      return canonical_amount(text);
    case FieldKind::span:
      return canonical_span(text);
    case FieldKind::one_of:
    case FieldKind::reason:
      return canonical_reason(text);
    case FieldKind::gpus:
      return canonical_gpus(text);
    case FieldKind::state:
      if (!from_name<JobState>(text)) return std::nullopt;
      break;
    case FieldKind::text:
    case FieldKind::part:
      break;
  }
  return std::string(text);
}

}  // namespace

const FieldTable& job_fields() {
  using enum FieldKind;
  static const FieldTable table{{"state", FieldKind::state},
                                {"reason", FieldKind::reason},
                                {"also", one_of},
                                {"subject", text},
                                {"want", amount},
                                {"have", amount},
                                {"unit", text},
                                {"until", span},
                                {"detail", part},
                                {"reserved_at", span},
                                {"expected", span},
                                {"exact", text},
                                {"attempt", number},
                                {"retries", number},
                                {"launch_failures", number},
                                {"exit", number},
                                {"signal", number},
                                {"started", span},
                                {"ended", span},
                                {"eligible", span},
                                {"held_by", text},
                                {"why", part},
                                {"fix", part},
                                {"signals", text},
                                {"launches", number},
                                {"cause", text},
                                {"ends_by", span},
                                {"backfilled", text},
                                {"gpus", FieldKind::gpus},
                                {"memory_held", amount}};
  return table;
}

const FieldTable& node_fields() {
  using enum FieldKind;
  static const FieldTable table{{"free", number}, {"held", milli},        {"lost", number}, {"foreign", amount},
                                {"state", text},  {"drained", text},      {"why", part},    {"cpus_held", milli},
                                {"gpus", number}, {"memory_held", amount}};
  return table;
}

const FieldTable& queue_fields() {
  using enum FieldKind;
  static const FieldTable table{{"held", milli}, {"cpus", milli},     {"memory", amount}, {"jobs", number},
                                {"off", part},   {"pending", number}, {"use", milli}};
  return table;
}

Fields read_fields(Line& line, const FieldTable& table) {
  Fields fields;
  for (const auto& [name, kind] : table) {
    const auto word = line.value(name);
    if (!word) continue;
    const auto value = canonical(kind, word->text);
    if (!value) line.fail(*word, std::string(name) + "=" + word->text + " is not understood", right_for(kind));
    fields.emplace_back(name, value.value_or(""));
  }
  return fields;
}

bool field_matches(FieldKind kind, const std::string& wanted, const std::string& seen) {
  if (kind == FieldKind::part) return seen.find(wanted) != std::string::npos;
  if (kind != FieldKind::one_of) return wanted == seen;
  const auto all = split(seen, ',');
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

}  // namespace berth::scn
