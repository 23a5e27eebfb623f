#include "app/cli/completion.h"

#include <fmt/core.h>

#include <algorithm>

namespace berth {
namespace {

// In single quotes for a shell.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// For a message inside zsh's _arguments and _describe, where [ ] and : mean something.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string words_of(const CommandTree& command) {
  std::string words;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) words += name + ' ';
    if (option.names.empty()) {
      for (const auto& choice : option.choices) words += choice + ' ';
    }
  }
  for (const auto& child : command.commands) words += child.name + ' ';
  if (!words.empty()) words.pop_back();
  return words;
}

bool takes_files(const CommandTree& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const auto& option) { return option.names.empty() && option.takes_path; });
}

void append_bash_case(std::string& out, const std::string& path, const CommandTree& command) {
  out += fmt::format("    {}) words={}; files={} ;;\n", quoted(path), quoted(words_of(command)),
                     takes_files(command) ? 1 : 0);
  for (const auto& child : command.commands) append_bash_case(out, path + ' ' + child.name, child);
}

std::string bash_script(const CommandTree& root) {
  std::string names;
  for (const auto& child : root.commands) names += (names.empty() ? "" : "|") + child.name;
  std::string out = fmt::format(
      "# bash completion for {0}; load it with: source <({0} completion bash)\n"
      "_{0}() {{\n"
      "  local path={0} word words files\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    [ \"$word\" = -- ] && {{ compopt -o default; return; }}\n"
      "    case $word in {1}) path=\"$path $word\"; break ;; esac\n"
      "  done\n"
      "  case $path in\n",
      root.name, names);
  append_bash_case(out, root.name, root);
  out += fmt::format(
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "  [ \"$files\" = 1 ] && COMPREPLY+=($(compgen -f -- \"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "  return 0\n"
      "}}\n"
      "complete -o filenames -F _{0} {0}\n",
      root.name);
  return out;
}

void append_zsh_options(std::string& out, const CommandTree& command) {
  for (const auto& option : command.options) {
    const std::string action = option.takes_path ? ":file:_files"
                               : !option.choices.empty() ? [&] {
                                   std::string list = ":value:(";
                                   for (const auto& choice : option.choices) list += choice + ' ';
                                   return list + ')';
                                 }()
                               : option.takes_value ? std::string(":value:") : std::string();
    if (option.names.empty()) {
      out += " \\\n        " + quoted("*" + (action.empty() ? std::string(":argument:") : action));
    }
    for (const auto& name : option.names) {
      out += " \\\n        " + quoted(fmt::format("{}[{}]{}", name, zsh_text(option.description), action));
    }
  }
}

std::string zsh_script(const CommandTree& root) {
  std::string out = fmt::format(
      "#compdef {0}\n# zsh completion for {0}: save it as _{0} in a directory of $fpath\n_{0}() {{\n"
      "  local -a commands\n  commands=(\n",
      root.name);
  for (const auto& child : root.commands) {
    out += "    " + quoted(child.name + ":" + zsh_text(child.description)) + "\n";
  }
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const auto& child : root.commands) {
    out += fmt::format("    {})\n      _arguments -s", child.name);
    append_zsh_options(out, child);
    out += "\n      ;;\n";
  }
  return out + fmt::format("  esac\n}}\ncompdef _{0} {0}\n", root.name);
}

std::string fish_option(const std::string& program, const std::string& command, const CommandTree::Option& option) {
  std::string line = fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program, command);
  for (const auto& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.takes_path)
    line += option.names.empty() ? " -F" : " -r -F";
  else if (option.takes_value && !option.names.empty())
    line += " -x";
  if (!option.choices.empty()) {
    std::string list;
    for (const auto& choice : option.choices) list += (list.empty() ? "" : " ") + choice;
    line += " -a " + quoted(list);
  }
  return line + " -d " + quoted(option.description) + "\n";
}

std::string fish_script(const CommandTree& root) {
  std::string out = fmt::format(
      "# fish completion for {0}; load it with: {0} completion fish | source\ncomplete -c {0} -f\n", root.name);
  for (const auto& child : root.commands) {
    out += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", root.name, child.name,
                       quoted(child.description));
    for (const auto& option : child.options) out += fish_option(root.name, child.name, option);
  }
  return out;
}

}  // namespace

Result<std::string> completion_script(const CommandTree& root, std::string_view shell) {
  if (shell == "bash") return bash_script(root);
  if (shell == "zsh") return zsh_script(root);
  if (shell == "fish") return fish_script(root);
  return Error{ErrorCode::invalid, fmt::format("completion: no shell '{}'", shell), "one of: bash, zsh, fish"};
}

}  // namespace berth
