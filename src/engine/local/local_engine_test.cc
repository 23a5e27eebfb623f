#include "engine/local/local_engine.h"

#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/local/processes.h"
#include "engine/local/rig.h"

namespace berth {
namespace {

// Every test of processes runs with cgroups (as far as the machine has them) and without.
class LocalEngineRun : public testing::TestWithParam<bool> {
 protected:
  Rig rig{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Local, LocalEngineRun, testing::Bool(),
                         [](const auto& which) { return which.param ? "Cgroups" : "NoCgroups"; });

pid_t pid_in(const std::string& path) {
  std::string text;
  soon([&] { return !(text = text_of(path)).empty() && text.back() == '\n'; });
  return text.empty() ? 0 : std::stoi(text);
}

bool is_gone(pid_t pid) { return pid > 0 && kill(pid, 0) != 0; }

TEST_P(LocalEngineRun, ReportsTheNodeSoonAfterAttach) {
  const auto nodes = rig.wait<observation::NodesReported>([](const auto&) { return true; });
  ASSERT_TRUE(nodes);
  EXPECT_EQ(nodes->nodes.front().name, "here");
  EXPECT_GT(nodes->nodes.front().cpus, MilliCpu{});
  EXPECT_GT(nodes->nodes.front().memory, Mib{});
}

TEST_P(LocalEngineRun, KeepsExitCodes) {
  for (const int code : {0, 1, 7, 85, 255}) {
    const auto key = rig.run(100 + code, "exit " + std::to_string(code));
    const auto ended = rig.ended(key);
    ASSERT_TRUE(ended) << code;
    EXPECT_EQ(ended->exit, (ExitStatus{code, 0}));
    EXPECT_EQ(ended->outcome, code == 0 ? Outcome::succeeded : Outcome::failed);
    EXPECT_TRUE(rig.started(key));
  }
}

TEST_P(LocalEngineRun, KeepsSignals) {
  const auto ended = rig.ended(rig.run(1, "kill -SEGV $$"));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit, (ExitStatus{128 + SIGSEGV, SIGSEGV}));
  EXPECT_EQ(ended->outcome, Outcome::failed);
  EXPECT_EQ(ended->message, "ended by signal SIGSEGV");
}

TEST_P(LocalEngineRun, ChargesCpuAndMemory) {
  const auto ended = rig.ended(rig.run(1, "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"));
  ASSERT_TRUE(ended);
  EXPECT_GT(ended->cpu_ms, 10);
  EXPECT_GT(ended->peak_memory, Mib{});
}

TEST_P(LocalEngineRun, ScriptsRunByTheirFirstLineWithTheirArguments) {
  JobSpec spec = rig.spec("");
  spec.command.clear();
  spec.script = "#!/bin/sh\necho \"$1-$2\"; echo wrong >&2; pwd\n";
  spec.script_args = {"a", "b c"};
  spec.stderr_path = "err-%j";
  const auto ended = rig.ended(rig.run(make_launch(4, spec)));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::succeeded) << ended->message;
  EXPECT_EQ(rig.output(4), "a-b c\n" + rig.dir() + "\n");
  EXPECT_EQ(text_of(rig.dir() + "/err-4"), "wrong\n");
}

TEST_P(LocalEngineRun, LogsAreEmptiedOrAppendedTo) {
  JobSpec spec = rig.spec("echo new; echo more >&2");
  std::ofstream(rig.dir() + "/out-5") << "old\n";
  std::ofstream(rig.dir() + "/out-6") << "old\n";
  ASSERT_TRUE(rig.ended(rig.run(make_launch(5, spec))));
  EXPECT_EQ(rig.output(5), "new\nmore\n");
  spec.append_logs = true;
  ASSERT_TRUE(rig.ended(rig.run(make_launch(6, spec))));
  EXPECT_EQ(rig.output(6), "old\nnew\nmore\n");
}

TEST_P(LocalEngineRun, ReadsStandardInput) {
  std::ofstream(rig.dir() + "/in") << "hello\n";
  JobSpec spec = rig.spec("cat");
  spec.stdin_path = rig.dir() + "/in";
  ASSERT_TRUE(rig.ended(rig.run(make_launch(7, spec))));
  EXPECT_EQ(rig.output(7), "hello\n");
}

struct Mistake {
  std::string name;
  std::function<void(JobSpec&)> make;
  std::vector<std::string> words;
};

TEST_P(LocalEngineRun, NamesTheUsersMistakes) {
  const std::vector<Mistake> mistakes{
      {"no program",
       [](JobSpec& s) { s.command = {"no-such-program-of-berth"}; },
       {"no-such-program-of-berth", "PATH", "ENOENT"}},
      {"not executable", [](JobSpec& s) { s.command = {"/etc/passwd"}; }, {"/etc/passwd", "EACCES"}},
      {"no directory", [](JobSpec& s) { s.workdir += "/vanished"; }, {"working directory", "/vanished", "ENOENT"}},
      {"log in no directory",
       [](JobSpec& s) { s.stdout_path = "/no/such/dir/%j.log"; },
       {"/no/such/dir/", "standard output", "ENOENT"}},
      {"log is a directory", [](JobSpec& s) { s.stderr_path = "/etc"; }, {"/etc", "standard error", "EISDIR"}},
      {"no input", [](JobSpec& s) { s.stdin_path = "/no/such/input"; }, {"/no/such/input", "ENOENT"}},
      {"no interpreter",
       [](JobSpec& s) {
         s.command.clear();
         s.script = "#!/bin/no-shell -e\n";
       },
       {"/bin/no-shell", "interpreter"}},
      {"too long", [](JobSpec& s) { s.command.push_back(std::string(3'000'000, 'x')); }, {"too large"}},
  };
  std::int64_t id = 20;
  for (const Mistake& mistake : mistakes) {
    JobSpec spec = rig.spec("exit 0");
    mistake.make(spec);
    const auto key = rig.run(make_launch(id++, spec));
    const auto ended = rig.ended(key);
    ASSERT_TRUE(ended) << mistake.name;
    EXPECT_EQ(ended->outcome, Outcome::rejected) << mistake.name << ": " << ended->message;
    EXPECT_EQ(ended->node, "") << mistake.name;
    for (const std::string& word : mistake.words)
      EXPECT_NE(ended->message.find(word), std::string::npos) << mistake.name << ": " << ended->message;
    EXPECT_EQ(rig.count<observation::AttemptStarted>([&](const auto& s) { return s.key == key; }), 0U);
  }
}

TEST_P(LocalEngineRun, AMissingShimIsTheMachinesFault) {
  rig.close();
  rig.options().shim_path = "/no/such/shim";
  rig.open();
  const auto ended = rig.ended(rig.run(1, "true"));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::launch_failed);
  EXPECT_EQ(ended->node, "here");
  EXPECT_NE(ended->message.find("ENOENT"), std::string::npos) << ended->message;
}

TEST_P(LocalEngineRun, EndsWhatTheJobLeavesBehind) {
  // Three sessions away from the job, as daemons do it.
  const auto key = rig.run(1, "setsid sh -c 'setsid sh -c \"echo \\$\\$ > escaped; exec sleep 300\" &' & sleep 0.3");
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::succeeded);
  EXPECT_TRUE(is_gone(pid_in(rig.dir() + "/escaped")));
}

TEST_P(LocalEngineRun, StopEndsEscapedProcessesToo) {
  const auto key = rig.run(1,
                           "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$ > escaped; while :; do sleep 1; done' "
                           "& echo $$ > main; wait; sleep 300");
  const pid_t escaped = pid_in(rig.dir() + "/escaped");
  ASSERT_GT(escaped, 0);
  rig.stop(key, milliseconds(200));
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.signal, SIGKILL);
  EXPECT_TRUE(is_gone(escaped));
  EXPECT_TRUE(is_gone(pid_in(rig.dir() + "/main")));
}

TEST_P(LocalEngineRun, AJobThatTrapsTermEndsInsideItsGrace) {
  const auto key = rig.run(1, "trap 'echo saved; exit 0' TERM; echo $$ > ready; while :; do sleep 0.05; done");
  ASSERT_GT(pid_in(rig.dir() + "/ready"), 0);
  const Time before = wall_now();
  rig.stop(key, seconds(15));
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::succeeded);
  EXPECT_NE(rig.output(1).find("saved\n"), std::string::npos) << rig.output(1);
  EXPECT_LT(wall_now() - before, seconds(10));
}

TEST_P(LocalEngineRun, SignalsComeInOrderAndTheFileSaysWhy) {
  const std::string body =
      "trap 'cat $BERTH_INTERRUPT_FILE; echo usr1' USR1; trap 'echo term' TERM; echo $$ > ready; while :; do sleep "
      "0.05; done";
  const auto key = rig.run(1, body);
  ASSERT_GT(pid_in(rig.dir() + "/ready"), 0);
  const Time deadline = wall_now() + milliseconds(1500);
  rig.engine().stop({key, StopCause::reclaim, deadline, SIGUSR1});
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.signal, SIGKILL);
  EXPECT_GE(wall_now(), deadline);
  const std::string out = rig.output(1);
  EXPECT_NE(out.find("cause=reclaim\n"), std::string::npos) << out;
  EXPECT_NE(out.find("deadline_ms=" + std::to_string(deadline.ms())), std::string::npos) << out;
  EXPECT_LT(out.find("usr1"), out.find("term")) << out;
}

TEST_P(LocalEngineRun, ANoticeNeverKillsTheShellAroundTheProgram) {
  // The shell has no handler for USR1, the program below it has.
  const auto key = rig.run(1,
                           "sh -c 'trap \"echo checkpoint; exit 0\" USR1; echo $$ > ready; while :; do sleep 0.05; "
                           "done'; echo after; exit 85");
  ASSERT_GT(pid_in(rig.dir() + "/ready"), 0);
  rig.stop(key, seconds(15), SIGUSR1);
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.code, 85);
  EXPECT_EQ(rig.output(1), "checkpoint\nafter\n");
}

TEST_P(LocalEngineRun, SignalGoesToTheFirstProcessOnlyIfAsked) {
  const auto key = rig.run(1,
                           "trap 'echo first' USR2; sh -c 'trap \"echo second\" USR2; echo $$ > ready; while :; do "
                           "sleep 0.05; done' & while :; do sleep 0.05; done");
  ASSERT_GT(pid_in(rig.dir() + "/ready"), 0);
  ASSERT_TRUE(rig.started(key));
  rig.engine().signal(key, SIGUSR2, true);
  EXPECT_TRUE(soon([&] { return rig.output(1) == "first\n"; })) << rig.output(1);
  rig.engine().signal(key, SIGUSR2, false);
  EXPECT_TRUE(soon([&] { return rig.output(1).find("second") != std::string::npos; })) << rig.output(1);
}

TEST_P(LocalEngineRun, StartIsIdempotent) {
  const Launch launch = make_launch(1, rig.spec("echo once; sleep 0.2"));
  rig.run(launch);
  rig.engine().start(launch);
  ASSERT_TRUE(rig.ended(launch.key));
  rig.engine().start(launch);
  EXPECT_TRUE(soon([&] { return rig.count<observation::AttemptEnded>([](const auto&) { return true; }) == 2; }));
  EXPECT_EQ(rig.output(1), "once\n");
}

TEST_P(LocalEngineRun, StoppingWhatIsNotThereIsAnswered) {
  rig.stop({JobId(99), 3}, seconds(1));
  const auto ended = rig.ended({JobId(99), 3});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::lost);
}

TEST_P(LocalEngineRun, FiftyAtOnce) {
  std::vector<AttemptKey> keys;
  for (int i = 0; i < 50; ++i) keys.push_back(rig.run(1000 + i, "echo $BERTH_JOB_ID; exit " + std::to_string(i)));
  for (int i = 0; i < 50; ++i) {
    const auto ended = rig.ended(keys[static_cast<std::size_t>(i)]);
    ASSERT_TRUE(ended) << i;
    EXPECT_EQ(ended->exit.code, i);
    EXPECT_EQ(rig.output(1000 + i), std::to_string(1000 + i) + "\n");
  }
  EXPECT_TRUE(soon([&] { return !rig.any_lives(); }));
}

TEST_P(LocalEngineRun, AGangKnowsItsRanksAndItsLogs) {
  JobSpec spec =
      rig.spec("echo $RANK/$WORLD_SIZE $LOCAL_RANK $NODE_RANK $MASTER_ADDR $MASTER_PORT $SLURM_PROCID/$SLURM_NTASKS");
  spec.stdout_path = "out-%j-%t";
  const auto ended = rig.ended(rig.run(make_launch(3, spec, 4)));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::succeeded) << ended->message;
  std::set<std::string> ports;
  for (int rank = 0; rank < 4; ++rank) {
    std::stringstream words(text_of(rig.dir() + "/out-3-" + std::to_string(rank)));
    std::string world, local, node, address, port, slurm;
    words >> world >> local >> node >> address >> port >> slurm;
    const std::string r = std::to_string(rank);
    EXPECT_EQ(world, r + "/4");
    EXPECT_EQ(local, r);
    EXPECT_EQ(node, "0");
    EXPECT_EQ(address, "127.0.0.1");
    EXPECT_EQ(slurm, r + "/4");
    ports.insert(port);
  }
  EXPECT_EQ(ports.size(), 1U);
}

TEST_P(LocalEngineRun, AGangThatSharesALogLosesNoLine) {
  const auto ended = rig.ended(rig.run(8, "echo rank $RANK", 6));
  ASSERT_TRUE(ended);
  const std::string out = rig.output(8);
  for (int rank = 0; rank < 6; ++rank)
    EXPECT_NE(out.find("rank " + std::to_string(rank) + "\n"), std::string::npos) << out;
}

TEST_P(LocalEngineRun, ATaskThatFailsEndsTheOthers) {
  const auto key = rig.run(9, "[ $RANK = 1 ] && { sleep 0.1; exit 3; }; sleep 300", 3);
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.code, 3);
  EXPECT_EQ(ended->message, "task 1 exit code 3");
}

TEST_P(LocalEngineRun, ATaskThatIgnoresTermIsKilledAfterTheGrace) {
  JobSpec spec = rig.spec("[ $RANK = 0 ] && { sleep 0.1; exit 4; }; trap '' TERM; while :; do sleep 0.1; done");
  spec.interrupt.grace = milliseconds(300);
  const auto ended = rig.ended(rig.run(make_launch(9, spec, 2)));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.code, 4);
}

TEST_P(LocalEngineRun, AGangStartsWholeOrNotAtAll) {
  JobSpec spec = rig.spec("sleep 300");
  spec.stdout_path = "dir-%t/out";
  std::filesystem::create_directory(rig.dir() + "/dir-0");
  const auto ended = rig.ended(rig.run(make_launch(10, spec, 2)));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::rejected);
  EXPECT_NE(ended->message.find("/dir-1/out"), std::string::npos) << ended->message;
}

TEST_P(LocalEngineRun, LaunchModeFirstRunsTheCommandOnce) {
  JobSpec spec = rig.spec("echo $SLURM_NTASKS $WORLD_SIZE $RANK");
  spec.launch = LaunchMode::first;
  ASSERT_TRUE(rig.ended(rig.run(make_launch(11, spec, 4))));
  EXPECT_EQ(rig.output(11), "4 1 0\n");
}

TEST_P(LocalEngineRun, RunsAsTheJobsUserIfTheDaemonIsRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  const passwd* nobody = getpwnam("nobody");
  if (nobody == nullptr) GTEST_SKIP() << "no user nobody";
  const uid_t uid = nobody->pw_uid;
  std::filesystem::create_directory(rig.dir() + "/theirs");
  ASSERT_EQ(chmod(rig.dir().c_str(), 0755), 0);
  ASSERT_EQ(chown((rig.dir() + "/theirs").c_str(), uid, nobody->pw_gid), 0);
  JobSpec spec = rig.spec("");
  spec.command.clear();
  spec.script = "#!/bin/sh\nid -un; echo $USER $HOME\n";
  spec.user = "nobody";
  spec.workdir = rig.dir() + "/theirs";
  const auto ended = rig.ended(rig.run(make_launch(12, spec)));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::succeeded) << ended->message;
  EXPECT_EQ(text_of(spec.workdir + "/out-12").substr(0, 14), "nobody\nnobody ");
  struct stat info {};
  ASSERT_EQ(stat((spec.workdir + "/out-12").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, uid);
  spec.workdir = rig.dir();  // root's: the user may not write there
  const auto refused = rig.ended(rig.run(make_launch(13, spec)));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->outcome, Outcome::rejected);
  EXPECT_NE(refused->message.find("EACCES"), std::string::npos) << refused->message;
  spec.user = "no-such-user-here";  // never as root instead
  const auto unknown = rig.ended(rig.run(make_launch(14, spec)));
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->outcome, Outcome::rejected);
  EXPECT_NE(unknown->message.find("no-such-user-here"), std::string::npos) << unknown->message;
}

TEST_P(LocalEngineRun, MemoryBeyondTheLimitIsNamed) {
  if (!GetParam()) GTEST_SKIP() << "needs cgroups";
  if (rig.engine().describe().find("memory (") == std::string::npos) GTEST_SKIP() << "no memory controller";
  // Longer than the settling time, so that a late (v1) limit holds.
  Launch launch = make_launch(14, rig.spec("sleep 0.3; exec awk 'BEGIN { s = \"x\"; while (1) s = s s }'"));
  launch.placement.front().memory = Mib(64);
  const auto ended = rig.ended(rig.run(launch));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.signal, SIGKILL);
  EXPECT_NE(ended->message.find("out of memory"), std::string::npos) << ended->message;
}

}  // namespace
}  // namespace berth
