// CommandTree: the command line as plain data: what the parser accepts, for generating completions from it.
#pragma once

#include <string>
#include <vector>

namespace berth {

struct CommandTree {
  struct Option {
    std::vector<std::string> names;  // as typed: "-f", "--follow"
    std::string description;
    bool takes_value = false;
    bool takes_path = false;  // the value, or (no names) a positional, is a file
    std::vector<std::string> choices;
  };

  std::string name;
  std::string description;
  std::vector<Option> options;
  std::vector<CommandTree> commands;
};

}  // namespace berth
