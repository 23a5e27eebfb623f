#include <algorithm>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

constexpr std::int64_t kMostGpus = 1'000'000;
const char* const kGpuHint = "write 2, H100:2, gpu:2, 0.5 (a share of one GPU) or 20G (a share by memory)";

// A MIG profile: digits, "g.", digits, "gb" anywhere, or a ".10gb" tail, as in a100_3g.20gb and H100.10gb.
bool names_mig(std::string_view type) {
  const std::string lower = to_lower(type);
  const std::size_t dot = lower.find('.');
  return dot != std::string::npos && dot + 1 < lower.size() && is_digit(lower[dot + 1]) && lower.ends_with("gb");
}

Result<std::string> check_type(std::string_view type) {
  if (names_mig(type))
    return unsupported(shown(type) + " names a MIG slice; berth does not place on MIG slices",
                       "ask for a share instead, such as 0.5 or 20G, or for whole GPUs");
  const bool fits = std::all_of(type.begin(), type.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == '+';
  });
  const bool bare_number = to_number(type).has_value() && type.size() < 3;
  if (type.empty() || !fits || bare_number) return not_a(type, "a type of GPU", kGpuHint);
  return std::string(type);
}

Result<GpuRequest> share_or_memory(std::string_view text) {
  GpuRequest request;
  if (const auto thousandths = to_thousandths(text)) {
    if (*thousandths <= 0 || *thousandths >= 1000)
      return not_a(text, "a number of GPUs", "GPUs are asked for whole (2), or as one share between 0 and 1 (0.5)");
    request.milli = MilliGpu(*thousandths);
    return request;
  }
  const auto memory = parse_memory(text);
  if (!memory || *memory == Mib{}) return not_a(text, "a number of GPUs", kGpuHint);
  request.memory = *memory;
  return request;
}

Result<GpuRequest> parse_request(std::string_view text) {
  const auto count = to_number(text);
  if (!count) return share_or_memory(text);
  if (*count > kMostGpus) return Error{ErrorCode::invalid, shown(text) + " GPUs are more than there can be", kGpuHint};
  GpuRequest request;
  request.count = static_cast<std::int32_t>(*count);
  return request;
}

// In gpu:TYPE the count is left out; "20G" and "0.5" are amounts.
bool is_lone_type(std::string_view text) { return !text.empty() && is_letter(text[0]); }

}  // namespace

Result<GpuSpec> parse_gpus(std::string_view text) {
  if (text.find(',') != std::string_view::npos)
    return unsupported(shown(text) + " asks for several kinds of GPU in one task",
                       "give tasks of each kind a group of their own, or --gpu-type A,B for either");
  std::string_view rest = text;
  if (to_lower(rest) == "gpu") rest = "1";
  const bool named_gpu = to_lower(rest.substr(0, 4)) == "gpu:";
  if (named_gpu) rest.remove_prefix(4);
  const std::size_t colon = rest.rfind(':');
  GpuSpec spec;
  std::string_view amount = rest;
  std::string_view type;
  if (colon != std::string_view::npos) {
    type = rest.substr(0, colon);
    amount = rest.substr(colon + 1);
  } else if (named_gpu && is_lone_type(rest)) {
    type = rest;
    amount = "1";
  }
  if (!type.empty() || colon != std::string_view::npos) {
    auto checked = check_type(type);
    if (!checked) return at(shown(text), checked.error());
    spec.type = *checked;
  }
  auto request = parse_request(amount);
  if (!request) return colon == std::string_view::npos ? request.error() : at(shown(text), request.error());
  spec.request = *request;
  return spec;
}

Result<GpuSpec> parse_gres(std::string_view text) {
  if (to_lower(text) == "none") return GpuSpec{};
  std::string_view gpu;
  for (const std::string_view item : split(text, ',')) {
    const std::string name = to_lower(item.substr(0, item.find_first_of(":=/")));
    if (name == "shard" || name == "mps")
      return unsupported(shown(item) + ": shares are asked for otherwise here", "write --gpus 0.5 or --gpus 20G");
    if (name != "gpu")
      return name.empty() ? not_a(text, "a list of resources", "write gpu:2 or gpu:TYPE:2")
                          : unsupported(shown(item) + ": berth knows no such resource, only gpu",
                                        "ask for nodes that have it with --constraint");
    if (!gpu.empty())
      return unsupported(shown(text) + " asks for several kinds of GPU in one task",
                         "ask for one kind, or --gpu-type A,B for either");
    gpu = item;
  }
  return parse_gpus(gpu);
}

Result<std::vector<GpuTypePreference>> parse_gpu_types(std::string_view text) {
  constexpr std::string_view kHint = "write types in order of preference, each with its speed if wanted: H100,A100:0.5";
  std::vector<GpuTypePreference> types;
  for (const std::string_view item : split(text, ',')) {
    const std::size_t colon = item.find(':');
    const auto type = check_type(item.substr(0, colon));
    if (!type)
      return type.error().code == ErrorCode::unsupported ? type.error()
                                                         : not_a(text, "a list of GPU types", std::string(kHint));
    GpuTypePreference preference{*type};
    if (colon != std::string_view::npos) {
      const auto speed = to_thousandths(item.substr(colon + 1));
      if (!speed || *speed <= 0 || *speed > 1'000'000) return not_a(item, "a type with its speed", std::string(kHint));
      preference.speed_milli = static_cast<std::int32_t>(*speed);
    }
    for (const GpuTypePreference& before : types)
      if (before.type == preference.type)
        return Error{ErrorCode::invalid, shown(text) + " names " + preference.type + " twice", std::string(kHint)};
    types.push_back(preference);
  }
  return types;
}

}  // namespace berth
