#include <fmt/core.h>

#include <array>

#include "wire/config.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

struct TypeMemory {
  std::string_view type;  // lower case
  std::int64_t mib;
};

// What a driver reports of these; the name alone does not tell.
constexpr std::array<TypeMemory, 20> kTypes = {
    {{"h100", 81'559},    {"h200", 143'771},   {"b200", 183'359},   {"a100", 40'960},    {"v100", 16'384},
     {"p100", 16'384},    {"t4", 15'360},      {"l4", 23'034},      {"l40", 46'068},     {"l40s", 46'068},
     {"a10", 23'028},     {"a30", 24'576},     {"a40", 46'068},     {"a6000", 49'140},   {"a5000", 24'564},
     {"rtx4090", 24'564}, {"rtx3090", 24'576}, {"rtx5090", 32'607}, {"rtx2080", 11'264}, {"gh200", 97'871}}};

const char* const kHint = "write 8 x H100-80GB, 2 x T4, 4 x NAME:24G, several with commas, `auto` or `none`";

// "H100-80GB" says it itself.
std::optional<std::int64_t> memory_in_name(std::string_view type) {
  const std::size_t dash = type.rfind('-');
  const std::string tail = dash == std::string_view::npos ? "" : to_lower(type.substr(dash + 1));
  if (!tail.ends_with("gb")) return std::nullopt;
  const auto gigabytes = to_number(tail.substr(0, tail.size() - 2));
  if (!gigabytes || *gigabytes < 1 || *gigabytes > 100'000) return std::nullopt;
  return *gigabytes * 1024;
}

std::optional<std::int64_t> memory_of(std::string_view type) {
  if (const auto named = memory_in_name(type)) return named;
  for (const TypeMemory& known : kTypes)
    if (to_lower(type) == known.type) return known.mib;
  return std::nullopt;
}

bool is_type_name(std::string_view type) {
  for (const char c : type)
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '_' && c != '.') return false;
  return !type.empty() && !to_number(type);
}

Result<GpuDeclaration> parse_one(std::string_view text) {
  GpuDeclaration declaration{1, "", {}};
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  std::string_view rest = trimmed(text.substr(digits));
  const bool counted = digits > 0 && rest.size() > 1 && (rest[0] == 'x' || rest[0] == 'X' || rest[0] == '*');
  if (counted) {
    const auto count = to_number(text.substr(0, digits));
    if (!count || *count < 1 || *count > kMaxGpusPerNode)
      return not_a(text, "a number of GPUs", fmt::format("a node has 1 to {} GPUs", kMaxGpusPerNode));
    declaration.count = static_cast<std::int32_t>(*count);
    rest = trimmed(rest.substr(1));
  } else {
    rest = text;
  }
  const std::size_t colon = rest.find(':');
  declaration.type = rest.substr(0, colon);
  if (!is_type_name(declaration.type)) return not_a(text, "a declaration of GPUs", kHint);
  if (colon != std::string_view::npos) {
    const auto memory = parse_memory(rest.substr(colon + 1));
    if (!memory || *memory == Mib{}) return not_a(text, "a declaration of GPUs", kHint);
    declaration.memory = *memory;
    return declaration;
  }
  const auto memory = memory_of(declaration.type);
  if (!memory)
    return Error{ErrorCode::invalid, "the memory of a GPU of type " + shown(declaration.type) + " is not known",
                 fmt::format("put it into the name or behind it: {} x {}-24GB or {}:24G", declaration.count,
                             declaration.type, declaration.type)};
  declaration.memory = Mib(*memory);
  return declaration;
}

}  // namespace

Result<std::vector<GpuDeclaration>> parse_gpu_declarations(std::string_view text) {
  std::vector<GpuDeclaration> declarations;
  if (to_lower(trimmed(text)) == "none") return declarations;
  std::int64_t total = 0;
  for (const std::string_view item : split(text, ',')) {
    auto declaration = parse_one(trimmed(item));
    if (!declaration) return declaration.error();
    total += declaration->count;
    if (total > kMaxGpusPerNode)
      return not_a(text, "a declaration of GPUs", fmt::format("a node has at most {} GPUs", kMaxGpusPerNode));
    declarations.push_back(*std::move(declaration));
  }
  return declarations;
}

std::vector<Gpu> virtual_gpus(const std::vector<GpuDeclaration>& declarations, std::string_view node) {
  std::vector<Gpu> gpus;
  for (const GpuDeclaration& declaration : declarations) {
    for (std::int32_t i = 0; i < declaration.count; ++i) {
      Gpu gpu;
      gpu.uuid = fmt::format("GPU-virtual-{}-{}", node, gpus.size());
      gpu.type = declaration.type;
      gpu.memory = declaration.memory;
      gpu.is_virtual = true;
      gpus.push_back(std::move(gpu));
    }
  }
  return gpus;
}

}  // namespace berth
