#include "wire/sbatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "wire/sbatch_scan.h"

namespace berth {
namespace {

using Words = std::vector<std::string>;

SubmitContext context() {
  SubmitContext c;
  c.cwd = "/home/ann";
  c.now = Time(1'796'119'200'000);
  return c;
}

Result<ParsedJob> parse(std::string_view script, const Words& options = {}) {
  static const SubmitContext c = context();
  return parse_sbatch(script, "job.sh", options, c);
}

std::string error_of(std::string_view script) {
  const auto parsed = parse(script);
  if (parsed.ok()) return "";
  EXPECT_NE(parsed.error().hint, "") << parsed.error().message;
  return parsed.error().message;
}

std::string warnings_of(std::string_view script) {
  const auto parsed = parse(script);
  if (!parsed.ok()) return "error: " + parsed.error().message;
  std::string all;
  for (const std::string& warning : parsed->warnings) all += warning + "\n";
  return all;
}

TEST(Words, AsSlurmSplitsThem) {
  const std::vector<std::pair<std::string, Words>> cases = {
      {"", {}},
      {"  ", {}},
      {" -n 4 --time=10", {"-n", "4", "--time=10"}},
      {"\t-J\tname", {"-J", "name"}},
      {" --mem=4G # four", {"--mem=4G"}},
      {" # all of it", {}},
      {" --comment='a b # c' -n 1", {"--comment=a b # c", "-n", "1"}},
      {R"( --comment="say \"hi\"")", {"--comment=say \"hi\""}},
      {R"( a\ b)", {"a b"}},
      {R"( --x='')", {"--x="}},
      {R"( a"b"'c'd)", {"abcd"}},
      {R"( trailing\)", {"trailing\\"}}};
  for (const auto& [line, words] : cases) {
    const auto found = directive_words(line);
    ASSERT_TRUE(found.ok()) << line;
    EXPECT_EQ(*found, words) << line;
  }
  EXPECT_FALSE(directive_words(" --comment='open").ok());
  EXPECT_FALSE(directive_words(" --job-name=a#b").ok());
}

TEST(Sbatch, SeveralOptionsOnOneLine) {
  const auto parsed =
      parse("#!/bin/bash\n#SBATCH -J x -t 2-12 --gres gpu:2   # two days and a half\n#SBATCH --mem 8G\nsrun x\n");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->spec.name, "x");
  EXPECT_EQ(parsed->spec.time_limit, hours(60));
  EXPECT_EQ(parsed->spec.groups[0].gpus.count, 2);
  EXPECT_EQ(parsed->spec.groups[0].memory, Mib(8192));
  EXPECT_TRUE(parsed->warnings.empty());
}

TEST(Sbatch, DirectivesStopAtTheFirstCommand) {
  const std::string script =
      "#!/bin/bash\n\n# a comment\n   \t\n  # another\n#SBATCH -n 2\nmodule load x\n#SBATCH -n 4\n#SBATCH --time=5\n";
  EXPECT_EQ(parse(script)->spec.groups[0].cpus, MilliCpu(2000));
  EXPECT_NE(warnings_of(script).find("job.sh:8: 2 directives after the first command are ignored"), std::string::npos);
}

TEST(Sbatch, HereDocumentsAreNoDirectives) {
  EXPECT_EQ(warnings_of("#!/bin/bash\ncat <<EOF > inner.sh\n#!/bin/bash\n#SBATCH -n 4\nEOF\n"), "");
  EXPECT_EQ(warnings_of("#!/bin/bash\ncat <<-'EOF' > inner.sh\n\t#SBATCH -n 4\n#SBATCH -n 5\n\tEOF\n"), "");
  EXPECT_NE(warnings_of("#!/bin/bash\ncat <<EOF\nEOF\n#SBATCH -n 4\n"), "");
  EXPECT_NE(warnings_of("#!/bin/bash\ncat <<< EOF\n#SBATCH -n 4\n"), "");
}

TEST(Sbatch, LookalikesAreCommentsWithAHint) {
  for (const std::string line :
       {"##SBATCH -n 4", "# SBATCH -n 4", "#sbatch -n 4", " #SBATCH -n 4", "## SBATCH -n 4", "#PBS -l nodes=1"}) {
    const std::string script = "#!/bin/bash\n" + line + "\ntrue\n";
    EXPECT_EQ(parse(script)->spec.groups[0].cpus, MilliCpu(1000)) << line;
    EXPECT_NE(warnings_of(script).find("job.sh:2: "), std::string::npos) << line;
  }
  EXPECT_EQ(warnings_of("#!/bin/bash\n# SBATCHES of bread\n#SBATCHES -n\ntrue\n"), "");
}

TEST(Sbatch, NoBlankBehindTheMagicWord) {
  EXPECT_EQ(parse("#!/bin/bash\n#SBATCH--ntasks=3\n")->spec.groups[0].cpus, MilliCpu(3000));
}

TEST(Sbatch, WhatIsNoOptionEndsTheLine) {
  EXPECT_NE(warnings_of("#!/bin/bash\n#SBATCH --mem 40 GB -n 4\ntrue\n").find("job.sh:2: `GB` is no option"),
            std::string::npos);
  EXPECT_EQ(parse("#!/bin/bash\n#SBATCH --mem 40 GB -n 4\n")->spec.groups[0].cpus, MilliCpu(1000));
}

TEST(Sbatch, DosLineEndsAndByteOrderMark) {
  const auto parsed = parse("\xEF\xBB\xBF#!/bin/bash\r\n#SBATCH -t 60\r\necho hi\r\n");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->spec.time_limit, hours(1));
  EXPECT_EQ(parsed->spec.script, "#!/bin/bash\n#SBATCH -t 60\necho hi\n");
  ASSERT_EQ(parsed->warnings.size(), 2u);
  EXPECT_NE(parsed->warnings[1].find("3 DOS line ends"), std::string::npos);
}

TEST(Sbatch, Interpreters) {
  for (const std::string shebang : {"#!/bin/zsh", "#!/usr/bin/env python3", "#! /bin/bash -l", "#!/usr/bin/python\r"})
    EXPECT_TRUE(parse(shebang + "\n").ok()) << shebang;
  EXPECT_TRUE(parse("#!/bin/sh").ok());
  for (const std::string script : {"", " \n\t\n", "echo hi\n", "\n#!/bin/bash\n", "#!\n", "#!   \n", " #!/bin/sh\n"})
    EXPECT_NE(error_of(script), "") << script;
}

TEST(Sbatch, WhatIsNoText) {
  EXPECT_EQ(error_of(std::string("#!/bin/sh\necho \0\n", 17)), "job.sh:2: there is a NUL byte; this is no text");
  EXPECT_EQ(error_of("#!/bin/sh\ntrue\n# caf\xE9\n"), "job.sh:3: the line is not valid UTF-8");
  EXPECT_TRUE(parse("#!/bin/sh\n# caf\xC3\xA9\n").ok());
  const auto large = parse("#!/bin/sh\n" + std::string(50u << 20, 'x'));
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, ErrorCode::too_large);
}

TEST(Sbatch, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("#!/bin/sh\n\n#SBATCH --time=4x\n"), "job.sh:3: --time: `4x` is not a time limit");
  EXPECT_EQ(error_of("#!/bin/sh\n#SBATCH --tme=4\n"), "job.sh:2: `--tme` is not an option that is known (value `4`)");
  EXPECT_EQ(error_of("#!/bin/sh\n#SBATCH --retries=4\n"),
            "job.sh:2: --retries is berth's own option; Slurm does not know it");
  EXPECT_EQ(error_of("#!/bin/sh\n#SBATCH hetjob\n"), "job.sh:2: heterogeneous jobs (hetjob) are not offered");
  EXPECT_EQ(error_of("#!/bin/sh\n#SBATCH --comment='open\n"), "job.sh:2: a quote is left open in `'open`");
  EXPECT_EQ(error_of("#!/bin/sh\n#SBATCH --workdir=/x\n").substr(0, 22), "job.sh:2: --workdir: `");
  EXPECT_EQ(error_of("#!/bin/sh\n#SBATCH -t\n"), "job.sh:2: -t: a value is missing behind it");
}

TEST(Sbatch, BerthsOwnDirectives) {
  const auto parsed = parse("#!/bin/sh\n#SBATCH --gpus=1\n#BERTH --retries 3 --queue nlp --time 1h30m\n");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->spec.retry.attempts, 3);
  EXPECT_EQ(parsed->spec.queue, "nlp");
  EXPECT_EQ(parsed->spec.time_limit, minutes(90));
}

TEST(Sbatch, CommandLineWins) {
  const std::string script = "#!/bin/sh\n#SBATCH -t 10 --mem-per-cpu=1G -J inner --no-requeue\n";
  const auto parsed = parse(script, {"-t", "20", "--mem=4G", "-J", "outer", "--requeue"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->spec.time_limit, minutes(20));
  EXPECT_EQ(parsed->spec.groups[0].memory, Mib(4096));
  EXPECT_EQ(parsed->spec.name, "outer");
  EXPECT_TRUE(parsed->spec.retry.requeue_on_node_failure);
  EXPECT_FALSE(parse(script, {"--wrap=x"}).ok());
  EXPECT_FALSE(parse(script, {"stray"}).ok());
}

TEST(Sbatch, Defaults) {
  const SubmitContext c = context();
  const auto parsed = parse_sbatch("#!/bin/sh\n", "dir/train.sh", {}, c, OptionFace::sbatch, {"a", "b c"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->spec.name, "train.sh");
  EXPECT_EQ(parsed->spec.stdout_path, "slurm-%j.out");
  EXPECT_EQ(parsed->spec.workdir, "/home/ann");
  EXPECT_EQ(parsed->spec.script_args, (Words{"a", "b c"}));
  EXPECT_EQ(parsed->spec.launch, LaunchMode::first);
  EXPECT_FALSE(parsed->spec.time_limit.has_value());
  EXPECT_FALSE(parse_sbatch("#!/bin/sh\n", "x", {}, c, OptionFace::sbatch, {"\xFF"}).ok());
  EXPECT_EQ(parse_sbatch("#!/bin/sh\n", "caf\xE9", {}, c)->spec.name, "caf\xEF\xBF\xBD");
  SubmitContext elsewhere = c;
  elsewhere.cwd = "/caf\xE9";
  EXPECT_FALSE(parse_sbatch("#!/bin/sh\n", "x", {}, elsewhere).ok());
  EXPECT_EQ(parse("#!/bin/sh\n#SBATCH -a 0-3\n")->spec.stdout_path, "slurm-%A_%a.out");
}

}  // namespace
}  // namespace berth
