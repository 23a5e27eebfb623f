#include "app/cli/slurm/format.h"

#include <gmock/gmock.h>

#include "app/cli/slurm/arguments.h"

namespace berth::slurm {
namespace {

std::string cell(char letter) { return letter == 'i' ? "12" : "größer"; }

TEST(SlurmFormat, PadsCutsAndAligns) {
  EXPECT_EQ(Format::parse("%.5i|%4j|%j", "ij")->line(cell), "   12|größ|größer");
  EXPECT_EQ(Format::parse("%i %i", "ij")->line(cell), "12 12");
  EXPECT_EQ(Format::parse("plain", "ij")->line(cell), "plain");
  EXPECT_EQ(Format::parse("%.9j", "ij")->line(cell), "   größer");
}

TEST(SlurmFormat, RefusesWhatItDoesNotOffer) {
  const auto refused = Format::parse("%i %x", "ij");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("%x"));
  EXPECT_FALSE(Format::parse("100%", "ij").ok());
}

TEST(SlurmFormat, AHugeWidthIsBounded) {
  EXPECT_LE(Format::parse("%99999999999999999999i", "ij")->line(cell).size(), 1000u);
}

const std::vector<OptionSpec> kTable = {
    {'u', "user", true}, {'h', "noheader", false}, {0, "me", false}, {0, "start", false}};

TEST(SlurmArguments, ReadsBothFormsAndOperandsAnywhere) {
  const auto got = Arguments::parse("squeue", {"-u", "ada,bob", "12", "--me", "13"}, kTable);
  ASSERT_TRUE(got.ok());
  EXPECT_THAT(got->list("user"), testing::ElementsAre("ada", "bob"));
  EXPECT_TRUE(got->has("me"));
  EXPECT_FALSE(got->has("noheader"));
  EXPECT_THAT(got->operands(), testing::ElementsAre("12", "13"));
}

TEST(SlurmArguments, NamesWhatIsNotUnderstood) {
  const auto message = [](const std::vector<std::string>& words) {
    return Arguments::parse("squeue", words, kTable).error().message;
  };
  EXPECT_THAT(message({"--colour=red"}), testing::HasSubstr("--colour=red"));
  EXPECT_THAT(message({"-hx"}), testing::HasSubstr("-x"));
  EXPECT_THAT(message({"-u"}), testing::HasSubstr("-u"));
  EXPECT_THAT(message({"--me=1"}), testing::HasSubstr("--me=1"));
}

TEST(SlurmArguments, CanBeReadTwice) {
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(Arguments::parse("squeue", {"-h"}, kTable)->has("noheader"));
}

}  // namespace
}  // namespace berth::slurm
