#include "wire/log_path.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth {
namespace {

LogNames names() { return {JobId(123), ArrayRef{JobId(120), 14, 0}, "ann", "train", "n1.cluster", 2, 3}; }

TEST(LogPath, Patterns) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"%x_%A_%a.out", "train_120_14.out"},
                                                                  {"slurm-%j.out", "slurm-123.out"},
                                                                  {"%J", "123"},
                                                                  {"%u/%N/%n.%t", "ann/n1/2.3"},
                                                                  {"%4t", "0003"},
                                                                  {"%2j", "123"},
                                                                  {"%6A", "000120"},
                                                                  {"%%j", "%j"},
                                                                  {"%s", "batch"},
                                                                  {"%b", "4"},
                                                                  {"%q", "%q"},
                                                                  {"100%", "100%"},
                                                                  {"%", "%"},
                                                                  {"%12", "%12"},
                                                                  {"%99t", "0000000003"},
                                                                  {"%99999999999999999999t", "3"},
                                                                  {"", ""}};
  for (const auto& [pattern, path] : cases) EXPECT_EQ(expand_log_path(pattern, names()), path) << pattern;
}

TEST(LogPath, NamesLeadNowhereElse) {
  LogNames evil = names();
  evil.job_name = "../../etc/x";
  evil.user = "..";
  EXPECT_EQ(expand_log_path("logs/%u/%x", evil), "logs/__/.._.._etc_x");
}

TEST(LogPath, WithoutArray) {
  LogNames plain = names();
  plain.array.reset();
  EXPECT_EQ(expand_log_path("%A_%a", plain), "123_0");
}

TEST(LogPath, DefaultsAndPlaces) {
  JobSpec spec;
  spec.workdir = "/home/ann";
  LogPaths paths = log_paths(spec, names());
  EXPECT_EQ(paths.out, "/home/ann/berth-120_14.out");
  EXPECT_EQ(paths.err, paths.out);
  EXPECT_EQ(paths.in, "/dev/null");
  spec.stdout_path = "/var/log/%j";
  spec.stderr_path = "err/%t";
  spec.stdin_path = "in.txt";
  paths = log_paths(spec, names());
  EXPECT_EQ(paths.out, "/var/log/123");
  EXPECT_EQ(paths.err, "/home/ann/err/3");
  EXPECT_EQ(paths.in, "/home/ann/in.txt");
}

}  // namespace
}  // namespace berth
