// Arguments: options as Slurm's programs take them, read by getopt_long. One thread: getopt keeps its place in globals.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::slurm {

struct OptionSpec {
  char letter = 0;  // 0: it has none
  std::string_view name;
  bool takes_value = false;
};

class Arguments {
 public:
  static Result<Arguments> parse(const std::string& program, const std::vector<std::string>& words,
                                 const std::vector<OptionSpec>& table);

  bool has(std::string_view name) const { return value(name).has_value(); }
  // Of the last one given; empty for an option without a value.
  std::optional<std::string> value(std::string_view name) const;
  // Split at commas.
  std::vector<std::string> list(std::string_view name) const;
  const std::vector<std::string>& operands() const { return operands_; }

 private:
  std::vector<std::pair<std::string, std::string>> given_;
  std::vector<std::string> operands_;
};

std::vector<std::string> split(std::string_view text, char separator);

}  // namespace berth::slurm
