// Runs a property for many seeds. A failure prints the seed and the command that repeats it alone.
// BERTH_SEED runs one seed; BERTH_CASES changes how many are tried.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace berth {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

template <class Property>
void for_each_seed(std::uint64_t cases, Property&& property) {
  const bool one = std::getenv("BERTH_SEED") != nullptr;
  const std::uint64_t first = from_environment("BERTH_SEED", 1);
  const std::uint64_t count = one ? 1 : from_environment("BERTH_CASES", cases);
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test->test_suite_name()) + "." + test->name();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("repeat with: BERTH_SEED=" + std::to_string(seed) + " property_test --gtest_filter=" + name);
    property(seed);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace berth
