#include "bench/report.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace berth::bench {
namespace {

std::int64_t read_clock(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

// Three significant digits, without an exponent.
std::string number(double value) {
  const double size = std::fabs(value);
  const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

const double* find(const Report::Figures& figures, const std::string& column) {
  for (const auto& [name, value] : figures)
    if (name == column) return &value;
  return nullptr;
}

}  // namespace

double percentile(std::vector<double> samples, double percent) {
  if (samples.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(percent / 100 * static_cast<double>(samples.size())));
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(samples.begin(), at, samples.end());
  return *at;
}

double median(std::vector<double> samples) { return percentile(std::move(samples), 50); }

std::int64_t now_ns() { return read_clock(CLOCK_MONOTONIC); }
std::int64_t realtime_ns() { return read_clock(CLOCK_REALTIME); }
std::int64_t thread_cpu_ns() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

Report::Report(std::string name, int& argc, char** argv) : name_(std::move(name)) {
  char** const end = std::remove_if(argv + 1, argv + argc, [](const char* a) { return std::string(a) == "--json"; });
  json_ = end != argv + argc;
  argc = static_cast<int>(end - argv);
}

void Report::note(std::string text) { notes_.push_back(std::move(text)); }

void Report::row(std::string what, Figures figures, std::string goal) {
  rows_.push_back({std::move(what), std::move(figures), std::move(goal)});
}

void Report::print() const {
  if (json_)
    print_json();
  else
    print_table();
  std::fflush(stdout);
}

std::vector<std::string> Report::columns() const {
  std::vector<std::string> names;
  for (const auto& row : rows_)
    for (const auto& [name, value] : row.figures)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

void Report::print_table() const {
  const auto names = columns();
  std::size_t first = 0;
  for (const auto& row : rows_) first = std::max(first, row.what.size());
  std::printf("\n%s\n", name_.c_str());
  for (const auto& text : notes_) std::printf("  %s\n", text.c_str());
  std::printf("\n  %-*s", static_cast<int>(first), "");
  for (const auto& name : names) std::printf("  %*s", std::max(9, static_cast<int>(name.size())), name.c_str());
  std::printf("\n");
  for (const auto& row : rows_) {
    std::printf("  %-*s", static_cast<int>(first), row.what.c_str());
    for (const auto& name : names) {
      const double* value = find(row.figures, name);
      std::printf("  %*s", std::max(9, static_cast<int>(name.size())), value ? number(*value).c_str() : "");
    }
    std::printf("%s%s\n", row.goal.empty() ? "" : "   goal: ", row.goal.c_str());
  }
}

void Report::print_json() const {
  std::printf("{\"benchmark\":%s,\"rows\":[", quoted(name_).c_str());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::printf("%s{\"what\":%s", i ? "," : "", quoted(rows_[i].what).c_str());
    for (const auto& [name, value] : rows_[i].figures) std::printf(",%s:%.6g", quoted(name).c_str(), value);
    if (!rows_[i].goal.empty()) std::printf(",\"goal\":%s", quoted(rows_[i].goal).c_str());
    std::printf("}");
  }
  std::printf("]}\n");
}

std::int64_t option(int argc, char** argv, const std::string& flag, std::int64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == flag) return std::atoll(argv[i + 1]);
  return otherwise;
}

}  // namespace berth::bench
