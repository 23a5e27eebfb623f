#include "wire/sbatch.h"

#include <fmt/core.h>

#include "wire/json_document.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/sbatch_scan.h"
#include "wire/utf8.h"

namespace berth {
namespace {

// The end of the path, fit to be a job's name: file names may hold any bytes.
std::string base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return clean_text(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

Result<void> check_arguments(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (is_utf8_without_nul(word)) continue;
    return Error{ErrorCode::invalid, "the argument " + shown(word) + " is not text",
                 "arguments are UTF-8 without NUL bytes"};
  }
  return {};
}

Result<void> apply_directives(const ScannedScript& script, std::string_view file, Draft& draft) {
  for (const Directive& directive : script.directives) {
    const OptionFace face = directive.berths_own ? OptionFace::berth_script : OptionFace::script;
    const auto applied = apply_options(directive.words, face, fmt::format("{}:{}: ", file, directive.line), draft);
    if (!applied) return applied.error();
  }
  return {};
}

// The command line's options; what stands behind them was split off before.
Result<void> apply_command_line(const std::vector<std::string>& options, OptionFace face, Draft& draft) {
  const auto operands = apply_options(options, face, "", draft);
  if (!operands) return operands.error();
  if (operands->words.empty()) return {};
  return Error{ErrorCode::invalid, shown(operands->words[0]) + " stands where an option is expected",
               "options begin with a dash"};
}

Result<ParsedJob> done(Draft& draft) {
  auto spec = finish(draft);
  if (!spec) return spec.error();
  return ParsedJob{*std::move(spec), std::move(draft.notes), draft.flags};
}

// Files are named as Slurm names them, so that what looks for them finds them.
void settle_log_names(JobSpec& spec) {
  if (spec.stdout_path.empty()) spec.stdout_path = spec.array ? "slurm-%A_%a.out" : "slurm-%j.out";
}

}  // namespace

bool looks_like_script(std::string_view text) { return text.starts_with("#!") || text.starts_with("\xEF\xBB\xBF#!"); }

Result<ParsedJob> parse_sbatch(std::string_view script, std::string_view file_name,
                               const std::vector<std::string>& command_line_options, const SubmitContext& context,
                               OptionFace face, const std::vector<std::string>& script_args) {
  auto scanned = scan_script(script, file_name);
  if (!scanned) return scanned.error();
  Draft draft(context);
  draft.notes = std::move(scanned->warnings);
  draft.spec.launch = LaunchMode::first;
  auto applied = apply_directives(*scanned, file_name, draft);
  if (applied) applied = apply_environment(draft);
  if (applied) applied = apply_command_line(command_line_options, face, draft);
  if (applied) applied = check_arguments(script_args);
  if (!applied) return applied.error();
  if (!draft.wrap.empty())
    return Error{ErrorCode::invalid, "--wrap and the script " + std::string(file_name) + " are given together",
                 "leave one of them out"};
  if (draft.spec.name.empty()) draft.spec.name = base_name(file_name);
  settle_log_names(draft.spec);
  draft.spec.script = std::move(scanned->text);
  draft.spec.script_args = script_args;
  return done(draft);
}

Result<ParsedJob> parse_command_job(const std::vector<std::string>& command_line_options,
                                    const std::vector<std::string>& command, const SubmitContext& context,
                                    OptionFace face) {
  Draft draft(context);
  auto applied = face == OptionFace::sbatch ? apply_environment(draft) : Result<void>();
  if (applied) applied = apply_command_line(command_line_options, face, draft);
  if (!applied) return applied.error();
  if (!draft.wrap.empty() && !command.empty())
    return Error{ErrorCode::invalid, "--wrap and a command are given together", "leave one of them out"};
  if (draft.wrap.empty() && (command.empty() || command[0].empty()))
    return Error{ErrorCode::invalid, "there is nothing to run", "name a script, or write a command behind --"};
  if (const auto checked = check_arguments(command); !checked) return checked.error();
  if (draft.spec.name.empty()) draft.spec.name = draft.wrap.empty() ? base_name(command[0]) : "wrap";
  if (draft.wrap.empty()) {
    draft.spec.command = command;
    return done(draft);
  }
  draft.spec.launch = LaunchMode::first;
  draft.spec.script = "#!/bin/sh\n" + draft.wrap + "\n";
  settle_log_names(draft.spec);
  return done(draft);
}

Result<SubmitLine> split_submit_line(const std::vector<std::string>& words, const SubmitContext& context,
                                     OptionFace face) {
  Draft scratch(context);
  auto operands = apply_options(words, face, "", scratch);
  if (!operands) return operands.error();
  SubmitLine line;
  const std::size_t behind = operands->words.size() + (operands->is_command ? 1 : 0);
  line.options.assign(words.begin(), words.end() - static_cast<std::ptrdiff_t>(behind));
  line.flags = scratch.flags;
  line.wrapped = !scratch.wrap.empty();
  if (operands->is_command) {
    line.command = std::move(operands->words);
  } else if (!operands->words.empty()) {
    line.file = operands->words[0];
    line.args.assign(operands->words.begin() + 1, operands->words.end());
  }
  return line;
}

}  // namespace berth
