#include "app/cli/table.h"

#include <gmock/gmock.h>

namespace berth {
namespace {

TEST(Table, AlignsAndNeverPadsTheLastColumn) {
  Table table({{"ID", Align::right}, {"NAME"}, {"WHY"}});
  table.add({"7", "a", "x"});
  table.add({"123", "long-name", ""});
  EXPECT_EQ(table.text(true), " ID  NAME       WHY\n  7  a          x\n123  long-name\n");
  EXPECT_EQ(table.text(false), "  7  a          x\n123  long-name\n");
}

TEST(Table, CountsCharactersNotBytes) {
  Table table({{"N"}, {"W"}});
  table.add({"größe", "x"});
  table.add({"abcde", "y"});
  EXPECT_EQ(table.text(false), "größe  x\nabcde  y\n");
}

TEST(Table, ANameCannotDriveTheTerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\x0a");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
  EXPECT_EQ(printable("日本"), "日本");
}

TEST(Table, OnlyTheHeaderWhenEmpty) {
  const Table table({{"A"}, {"B"}});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.text(true), "A  B\n");
  EXPECT_EQ(table.text(false), "");
}

}  // namespace
}  // namespace berth
