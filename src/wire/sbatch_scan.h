// The lines of a batch script as Slurm reads them: which are directives, and the words on them. Only sbatch*.cc include it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth {

struct Directive {
  std::size_t line = 0;     // from 1
  bool berths_own = false;  // #BERTH
  std::vector<std::string> words;
};

struct ScannedScript {
  std::string text;  // as it will run: LF line ends, no byte order mark
  std::vector<Directive> directives;
  std::vector<std::string> warnings;
};

// Checks that it is a script at all, and finds its directives. `file_name` opens messages.
Result<ScannedScript> scan_script(std::string_view script, std::string_view file_name);

// The words of a directive: blanks separate, quotes and backslashes protect, an unquoted # ends the line.
Result<std::vector<std::string>> directive_words(std::string_view line);

}  // namespace berth
