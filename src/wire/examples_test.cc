// Every file of examples/ must be read without an error, as users start from them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "wire/config.h"
#include "wire/job_toml.h"
#include "wire/sbatch.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

template <class T>
void expect_read(const Result<T>& result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message + " | " + result.error().hint);
}

TEST(Examples, AreRead) {
  SubmitContext context;
  context.cwd = "/home/ann";
  context.now = Time(1'796'119'200'000);
  int jobs = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(__FILE__).parent_path() / "../../examples")) {
    const std::string name = entry.path().filename().string();
    const std::string text = contents(entry.path());
    if (name == "berth.toml") {
      expect_read(parse_config(text, name));
    } else if (entry.path().extension() == ".toml") {
      expect_read(parse_job_toml(text, name, {}, context));
      ++jobs;
    } else if (looks_like_script(text)) {
      expect_read(parse_sbatch(text, name, {}, context));
      ++jobs;
    }
  }
  EXPECT_GT(jobs, 0);
}

}  // namespace
}  // namespace berth
