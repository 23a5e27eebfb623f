// Format: Slurm's -o language for lines: %[.][width]letter and text between. "." pads on the left; a width also cuts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::slurm {

class Format {
 public:
  // `letters`: those that are offered; another is refused by name.
  static Result<Format> parse(std::string_view text, std::string_view letters);
  // One line, without its end; `cell` gives the value of a letter.
  std::string line(const std::function<std::string(char)>& cell) const;

 private:
  struct Field {
    std::string before;
    char letter = 0;
    bool right = false;
    std::size_t width = 0;  // 0: as wide as the value
  };
  std::vector<Field> fields_;
  std::string after_;
};

}  // namespace berth::slurm
