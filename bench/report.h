// Report: what a benchmark measured, as a table for people or as JSON (--json). Times are kept in the unit that the
// column names. Used by the programs of bench/ only.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace berth::bench {

// The middle of the samples, and the value that a share of them does not pass; 0 without samples.
double median(std::vector<double> samples);
double percentile(std::vector<double> samples, double percent);

std::int64_t now_ns();         // monotonic
std::int64_t realtime_ns();    // since the epoch
std::int64_t thread_cpu_ns();  // spent by this thread

class Report {
 public:
  using Figures = std::vector<std::pair<std::string, double>>;  // column, value

  // Takes --json out of the arguments.
  Report(std::string name, int& argc, char** argv);

  // A line under the title: what was measured, and how.
  void note(std::string text);
  void row(std::string what, Figures figures, std::string goal = "");
  void print() const;

 private:
  struct Row {
    std::string what;
    Figures figures;
    std::string goal;
  };

  std::vector<std::string> columns() const;
  void print_table() const;
  void print_json() const;

  std::string name_;
  bool json_ = false;
  std::vector<std::string> notes_;
  std::vector<Row> rows_;
};

// The value of `--flag N` among the arguments, or `otherwise`.
std::int64_t option(int argc, char** argv, const std::string& flag, std::int64_t otherwise);

}  // namespace berth::bench
