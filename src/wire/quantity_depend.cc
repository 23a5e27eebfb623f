#include <limits>

#include "wire/names.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

const char* const kHint =
    "write KIND:JOB[:JOB...], several with commas; kinds: after, afterok, afternotok, afterany, singleton";

Result<Dependency> parse_one(DependencyKind kind, std::string_view text) {
  Dependency dependency;
  dependency.kind = kind;
  const std::size_t plus = text.find('+');
  const std::string_view id = text.substr(0, plus);
  if (id.find('_') != std::string_view::npos)
    return unsupported(shown(text) + " names one element of an array",
                       "give the element's own id, or the array's for all of it");
  const auto job = to_number(id);
  if (!job || *job < 1) return not_a(text, "a job id", kHint);
  dependency.job = JobId(*job);
  if (plus == std::string_view::npos) return dependency;
  const auto delay = to_number(text.substr(plus + 1));
  if (kind != DependencyKind::after || !delay || *delay > 100'000'000)
    return not_a(text, "a job id", "+MINUTES stands only behind the jobs of `after`: after:12+10");
  dependency.delay = minutes(*delay);
  return dependency;
}

Result<void> parse_item(std::string_view item, Dependencies& all) {
  const auto parts = split(item, ':');
  const std::string name = to_lower(parts[0]);
  if (name == "singleton" && parts.size() == 1) {
    all.singleton = true;
    return {};
  }
  if (name == "aftercorr" || name == "afterburstbuffer" || name == "expand")
    return unsupported(shown(item) + ": " + name + " is not offered", kHint);
  const auto kind = from_name<DependencyKind>(name);
  if (!kind || parts.size() < 2) return not_a(item, "a dependency", kHint);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto dependency = parse_one(*kind, parts[i]);
    if (!dependency) return dependency.error();
    all.list.push_back(*dependency);
  }
  return {};
}

}  // namespace

Result<Dependencies> parse_dependencies(std::string_view text) {
  constexpr std::size_t kMost = 10'000;
  if (text.find('?') != std::string_view::npos)
    return unsupported(shown(text) + ": any of several dependencies (?) is not offered",
                       "a comma asks for all of them");
  Dependencies all;
  for (const std::string_view item : split(text, ',')) {
    const auto parsed = parse_item(item, all);
    if (!parsed) return parsed.error();
    if (all.list.size() > kMost) return Error{ErrorCode::too_large, "more than 10000 dependencies", "split the job"};
  }
  return all;
}

}  // namespace berth
