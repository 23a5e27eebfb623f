#include "app/cli/completion.h"

#include <gmock/gmock.h>

namespace berth {
namespace {

using testing::HasSubstr;

CommandTree tree() {
  CommandTree queue{"queue", "what's waiting: [all]", {{{"-w", "--watch"}, "again", true, false, {}}}, {}};
  CommandTree check{"check", "a file", {{{}, "file", true, true, {}}}, {}};
  CommandTree completion{"completion", "for shells", {{{}, "shell", true, false, {"bash", "zsh"}}}, {}};
  return {"berth", "top", {{{"--socket"}, "path", true, false, {}}}, {queue, check, completion}};
}

TEST(Completion, EveryCommandAndOptionIsInEveryScript) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(tree(), shell);
    ASSERT_TRUE(script.ok());
    for (const char* word : {"queue", "check", "completion", "watch"}) EXPECT_THAT(*script, HasSubstr(word)) << shell;
  }
}

TEST(Completion, QuotesWhatShellsWouldRead) {
  EXPECT_THAT(*completion_script(tree(), "fish"), HasSubstr("'what'\\''s waiting: [all]'"));
  EXPECT_THAT(*completion_script(tree(), "zsh"), HasSubstr("'queue:what'\\''s waiting\\: \\[all\\]'"));
}

TEST(Completion, FilesAndChoices) {
  EXPECT_THAT(*completion_script(tree(), "bash"), HasSubstr("'berth check') words=''; files=1"));
  EXPECT_THAT(*completion_script(tree(), "bash"), HasSubstr("'berth completion') words='bash zsh'"));
}

TEST(Completion, RefusesAnUnknownShell) {
  EXPECT_EQ(completion_script(tree(), "tcsh").error().code, ErrorCode::invalid);
}

}  // namespace
}  // namespace berth
