// Scripts as people write them, against what berth understands of them: tests/sbatch/*.sh beside *.expected.
// BERTH_UPDATE_GOLDEN=1 writes the expected files anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "wire/config.h"
#include "wire/lint.h"
#include "wire/sbatch.h"
#include "wire/understood.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(__FILE__).parent_path() / "../../tests/sbatch"; }

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Node node(const std::string& name, const std::string& gpus, std::int64_t cores, std::int64_t gib) {
  Node n;
  n.name = name;
  n.cpus = MilliCpu(cores * 1000);
  n.memory = Mib(gib * 1024);
  n.features = {"h100", "ib"};
  n.gpus = virtual_gpus(*parse_gpu_declarations(gpus), name);
  return n;
}

std::string told(const std::string& script, const std::string& name) {
  SubmitContext context;
  context.user = "ann";
  context.cwd = "/home/ann/work";
  context.now = Time(1'796'119'200'000);
  context.zone = Zone::fixed(3600);
  context.env = {{"PATH", "/usr/bin"}};
  context.queues = {{"nlp", "vision", "default"}};
  const auto parsed = parse_sbatch(script, name, {}, context);
  if (!parsed) return "error: " + parsed.error().message + "\nhint: " + parsed.error().hint + "\n";
  std::string text;
  for (const std::string& line : understood(parsed->spec, context.zone)) text += line + "\n";
  for (const std::string& warning : parsed->warnings) text += "warning: " + warning + "\n";
  const std::vector<Node> nodes = {node("n1", "8 x H100-80GB", 96, 1024), node("n2", "8 x H100-80GB", 96, 1024),
                                   node("n3", "4 x L40S", 32, 256)};
  for (const LintFinding& finding : lint(parsed->spec, nodes)) text += "lint: " + to_text(finding) + "\n";
  return text;
}

TEST(SbatchGolden, RealScripts) {
  std::vector<fs::path> scripts;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".sh") scripts.push_back(entry.path());
  std::sort(scripts.begin(), scripts.end());
  EXPECT_GE(scripts.size(), 10u);
  for (const fs::path& script : scripts) {
    fs::path expected = script;
    expected.replace_extension(".expected");
    const std::string text = told(contents(script), script.filename().string());
    if (std::getenv("BERTH_UPDATE_GOLDEN") != nullptr) std::ofstream(expected, std::ios::binary) << text;
    EXPECT_EQ(text, contents(expected)) << script.filename();
  }
}

}  // namespace
}  // namespace berth
