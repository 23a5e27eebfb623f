// Completion scripts for shells, generated from the CommandTree, so that they never differ from what is accepted.
#pragma once

#include <string>
#include <string_view>

#include "app/cli/command_tree.h"
#include "base/result.h"

namespace berth {

// `shell` is bash, zsh or fish.
Result<std::string> completion_script(const CommandTree& root, std::string_view shell);

}  // namespace berth
