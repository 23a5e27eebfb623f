// PlanParts: what a plan says about a few jobs of a great many, for views of one job or of one page. A plan that is asked again
// and again is indexed; one that is soon replaced is only searched. Loop's thread, under View::read.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "model/plan.h"

namespace berth::api {

class PlanParts {
 public:
  // `ids` ascending. The part has the entries of these jobs, and the plan's times.
  Plan about(const Plan& plan, const std::vector<JobId>& ids);

 private:
  enum class List : std::uint32_t { starts, reservations, holds };
  struct Place {
    JobId job;
    List list;
    std::uint32_t at;
  };
  void notice(const Plan& plan);
  void index(const Plan& plan);

  Time at_;  // of the plan that was asked last
  std::uint64_t version_ = 0;
  std::size_t entries_ = 0;
  int uses_ = 0;
  bool indexed_ = false;
  std::vector<Place> places_;  // by job
};

}  // namespace berth::api
