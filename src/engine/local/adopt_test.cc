// A daemon that restarts: the engine object is destroyed, or its whole process killed, and another one takes over.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/local/processes.h"
#include "engine/local/rig.h"
#include "engine/local/run_dir.h"

namespace berth {
namespace {

class Adopt : public testing::TestWithParam<bool> {
 protected:
  Rig rig{GetParam()};
  RunDir dirs() { return RunDir(rig.options().run_dir); }
  bool has_settled(AttemptKey key) {
    return soon([&] { return dirs().state_record(key, 0).has_value(); });
  }
};
INSTANTIATE_TEST_SUITE_P(Local, Adopt, testing::Bool(),
                         [](const auto& which) { return which.param ? "Cgroups" : "NoCgroups"; });

TEST_P(Adopt, RunningTasksGoOnAndTheirExitIsLearned) {
  const Launch launch = make_launch(1, rig.spec("while [ ! -e go ]; do sleep 0.02; done; exit 9"));
  rig.run(launch);
  ASSERT_TRUE(rig.started(launch.key));
  ASSERT_TRUE(has_settled(launch.key));
  rig.close();
  rig.open();
  rig.engine().adopt({launch});
  ASSERT_TRUE(rig.started(launch.key));
  std::ofstream(rig.dir() + "/go") << "\n";
  const auto ended = rig.ended(launch.key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.code, 9);
  EXPECT_EQ(ended->outcome, Outcome::failed);
}

TEST_P(Adopt, ATaskOfTheFirstMomentIsAdoptedToo) {
  for (int id = 1; id <= 20; ++id) {
    const Launch launch = make_launch(id, rig.spec("sleep 0.03; exit 3"));
    rig.run(launch);
    rig.close();
    rig.open();
    rig.engine().adopt({launch});
    rig.engine().start(launch);  // as the controller does for what was never answered
    const auto ended = rig.ended(launch.key);
    ASSERT_TRUE(ended) << id;
    EXPECT_EQ(ended->exit.code, 3) << id;
  }
}

TEST_P(Adopt, ExitsOfTheTimeBetweenAreLearnedFromDisk) {
  const Launch launch = make_launch(1, rig.spec("while [ ! -e go ]; do sleep 0.02; done; kill -HUP $$"));
  rig.run(launch);
  ASSERT_TRUE(rig.started(launch.key));
  rig.close();
  std::ofstream(rig.dir() + "/go") << "\n";
  ASSERT_TRUE(soon([&] { return dirs().exit_record(launch.key, 0).has_value(); }));
  for (int life = 0; life < 3; ++life) {  // told again until the books no longer expect it
    rig.open();
    rig.engine().adopt({launch});
    const auto ended = rig.ended(launch.key);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->exit, (ExitStatus{128 + SIGHUP, SIGHUP}));
    rig.close();
  }
  rig.open();
  rig.engine().adopt({});
  EXPECT_TRUE(soon([&] { return dirs().attempts().empty(); }));
}

TEST_P(Adopt, StopWorksOnWhatWasAdopted) {
  const Launch launch = make_launch(1, rig.spec("trap '' TERM; echo $$ > ready; while :; do sleep 0.05; done"));
  rig.run(launch);
  ASSERT_TRUE(soon([&] { return !text_of(rig.dir() + "/ready").empty(); }));
  ASSERT_TRUE(has_settled(launch.key));
  rig.close();
  rig.open();
  rig.engine().adopt({launch});
  ASSERT_TRUE(rig.started(launch.key));
  rig.stop(launch.key, milliseconds(300));
  const auto ended = rig.ended(launch.key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.signal, SIGKILL);
}

TEST_P(Adopt, WhatIsNotExpectedIsKilledAndForgotten) {
  const auto key = rig.run(1, "setsid sleep 300 & echo $! > escaped; sleep 300");
  ASSERT_TRUE(rig.started(key));
  ASSERT_TRUE(soon([&] { return !text_of(rig.dir() + "/escaped").empty(); }));
  const pid_t escaped = std::stoi(text_of(rig.dir() + "/escaped"));
  rig.close();
  rig.open();
  rig.engine().adopt({});
  EXPECT_TRUE(soon([&] { return kill(escaped, 0) != 0 && dirs().attempts().empty(); }));
}

TEST_P(Adopt, WhatWasNeverLaunchedIsLeftToStart) {
  const Launch launch = make_launch(1, rig.spec("echo ran"));
  rig.engine().adopt({launch});
  EXPECT_FALSE(rig.any_lives());
  EXPECT_EQ(rig.count<observation::AttemptEnded>([](const auto&) { return true; }), 0U);
  rig.run(launch);
  ASSERT_TRUE(rig.ended(launch.key));
  EXPECT_EQ(rig.output(1), "ran\n");
}

TEST_P(Adopt, AGangOfWhichOnlyAPartWasLaunchedIsCompleted) {
  const Launch whole = make_launch(1, rig.spec("echo rank $RANK >> ranks; while [ ! -e go ]; do sleep 0.02; done"), 3);
  // As if the daemon had died after the first task: the gang's first task is all that is on disk.
  Launch part = whole;
  part.placement.resize(1);
  rig.run(part);
  ASSERT_TRUE(rig.started(part.key));
  ASSERT_TRUE(has_settled(part.key));
  rig.close();
  rig.open();
  rig.engine().adopt({whole});
  ASSERT_TRUE(rig.started(whole.key));
  std::ofstream(rig.dir() + "/go") << "\n";
  const auto ended = rig.ended(whole.key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::succeeded);
  const std::string ranks = text_of(rig.dir() + "/ranks");
  for (const char* line : {"rank 0\n", "rank 1\n", "rank 2\n"}) EXPECT_EQ(ranks.find(line), ranks.rfind(line)) << ranks;
}

TEST_P(Adopt, AShimThatWasKilledLosesTheExitStatusButNotTheJob) {
  const auto key = rig.run(1, "echo $$ > ready; while [ ! -e go ]; do sleep 0.02; done");
  ASSERT_TRUE(has_settled(key));
  const pid_t shim = dirs().state_record(key, 0)->shim.pid;
  const pid_t job = dirs().state_record(key, 0)->job.pid;
  ASSERT_EQ(kill(shim, SIGKILL), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(kill(job, 0), 0);  // it goes on
  EXPECT_TRUE(rig.any_lives());
  std::ofstream(rig.dir() + "/go") << "\n";
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::lost);
  EXPECT_EQ(ended->node, "here");
  EXPECT_NE(ended->message.find("berth-shim was killed"), std::string::npos) << ended->message;
}

TEST_P(Adopt, AnOrphanCanBeStoppedWithAllThatItStarted) {
  const auto key = rig.run(1, "setsid sh -c 'echo $$ > escaped; exec sleep 300' & sleep 300");
  ASSERT_TRUE(has_settled(key));
  ASSERT_TRUE(soon([&] { return !text_of(rig.dir() + "/escaped").empty(); }));
  const pid_t escaped = std::stoi(text_of(rig.dir() + "/escaped"));
  ASSERT_EQ(kill(dirs().state_record(key, 0)->shim.pid, SIGKILL), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  rig.stop(key, Duration{});
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::lost);
  EXPECT_FALSE(is_alive({escaped, start_of(escaped)}));
}

TEST_P(Adopt, AnotherBootMeansLost) {
  const Launch launch = make_launch(1, rig.spec("sleep 300"));
  rig.run(launch);
  ASSERT_TRUE(has_settled(launch.key));
  const StateRecord state = *dirs().state_record(launch.key, 0);
  rig.close();
  // A restart of the machine leaves the files, and neither shim nor job. The start time tells that pids are others' now.
  ASSERT_EQ(kill(state.shim.pid, SIGKILL), 0);
  ASSERT_TRUE(soon([&] { return !dirs().is_locked(launch.key, 0); }));
  std::ofstream(dirs().task_dir(launch.key, 0) + "/state")
      << "boot=another\nshim=" << state.shim.pid << " 1\njob=" << state.job.pid << " 1\n";
  std::ofstream(rig.options().run_dir + "/boot") << "another";
  rig.open();
  rig.engine().adopt({launch});
  const auto ended = rig.ended(launch.key);
  kill(state.job.pid, SIGKILL);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::lost);
  EXPECT_NE(ended->message.find("restarted"), std::string::npos) << ended->message;
}

// The whole daemon dies: its engine lives in a child process that is killed without warning.
TEST_P(Adopt, SurvivesTheDeathOfTheDaemonsProcess) {
  std::vector<Launch> launches;
  for (int id = 1; id <= 6; ++id)
    launches.push_back(make_launch(
        id, rig.spec("echo $$ >> pids-$BERTH_JOB_ID; sleep 0." + std::to_string(id) + "; exit " + std::to_string(id))));
  rig.close();
  const pid_t daemon = fork();
  if (daemon == 0) {
    LocalEngine engine(rig.options());
    engine.attach([](const Observation&) {});
    for (const Launch& launch : launches) engine.start(launch);
    for (;;) pause();
  }
  ASSERT_TRUE(soon([&] { return std::filesystem::exists(rig.dir() + "/pids-6"); }));
  kill(daemon, SIGKILL);
  waitpid(daemon, nullptr, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));  // some end while there is no daemon
  rig.open();
  rig.engine().adopt(launches);
  for (const Launch& launch : launches) {
    const auto ended = rig.ended(launch.key);
    ASSERT_TRUE(ended) << launch.key.job.value();
    EXPECT_EQ(ended->exit.code, launch.key.job.value()) << ended->message;
    const std::string pids = text_of(rig.dir() + "/pids-" + std::to_string(launch.key.job.value()));
    EXPECT_EQ(std::count(pids.begin(), pids.end(), '\n'), 1) << "run more than once";
  }
}

// At any moment of a launch: whatever the dead daemon got done, every job runs exactly once.
TEST_P(Adopt, DeathInTheMiddleOfLaunchesRunsNothingTwice) {
  rig.close();
  for (int round = 0; round < 15; ++round) {
    std::vector<Launch> launches;
    for (int i = 1; i <= 8; ++i)
      launches.push_back(make_launch(round * 100 + i, rig.spec("echo x >> ran-$BERTH_JOB_ID; sleep 0.05; exit 4")));
    const pid_t daemon = fork();
    if (daemon == 0) {
      LocalEngine engine(rig.options());
      engine.attach([](const Observation&) {});
      for (const Launch& launch : launches) engine.start(launch);
      for (;;) pause();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(1500 + round * 1000));
    kill(daemon, SIGKILL);
    waitpid(daemon, nullptr, 0);
    rig.open();
    rig.engine().adopt(launches);
    for (const Launch& launch : launches) rig.engine().start(launch);
    for (const Launch& launch : launches) {
      const auto ended = rig.ended(launch.key);
      ASSERT_TRUE(ended);
      EXPECT_EQ(ended->exit.code, 4) << ended->message;
      EXPECT_EQ(text_of(rig.dir() + "/ran-" + std::to_string(launch.key.job.value())), "x\n");
    }
    rig.close();
  }
}

}  // namespace
}  // namespace berth
