// SPDX-License-Identifier: MIT
#include "core/run.hpp"
#include "core/stopwatch.hpp"
#include "procmap/error.hpp"
#include "procmap/monitor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace procmap::test {
namespace {

TEST(Run, WithoutAMonitorIsSilentAndNeverStops) {
  Monitor const monitor;
  procmap::Run run(monitor);

  EXPECT_NO_THROW(run.checkpoint());
  EXPECT_NO_THROW(run.add_level({}));
  EXPECT_EQ(run.stats().levels.size(), 1u);
}

TEST(Run, StopsAtTheNextCheckpointOnceItsCallerWantsTo) {
  bool stop = false;
  Monitor const monitor{[&] { return stop; }, {}};
  procmap::Run run(monitor);
  EXPECT_NO_THROW(run.checkpoint());

  stop = true;

  EXPECT_THROW(run.checkpoint(), Interrupted);
  EXPECT_THROW(Phase(run, "never begun"), Interrupted);
  EXPECT_TRUE(run.stats().phases.empty());
}

TEST(Run, IsInAHurryAfterItsTimeAndGoesOn) {
  Monitor const monitor;
  procmap::Run run(monitor);
  EXPECT_FALSE(run.in_hurry());
  run.hurry_after(1e9);
  EXPECT_FALSE(run.in_hurry());

  run.hurry_after(0);

  EXPECT_TRUE(run.in_hurry());
  EXPECT_NO_THROW(run.checkpoint());
  std::atomic<bool> const stop = false;
  EXPECT_TRUE(procmap::Run(run, stop).in_hurry()) << "and so are its jobs";
}

TEST(Run, PassesOnWhatItsCallerThrows) {
  Monitor const monitor{[]() -> bool { throw std::runtime_error("signal"); }, {}};

  EXPECT_THROW(procmap::Run(monitor).checkpoint(), std::runtime_error);
}

TEST(Run, AddsUpPhasesOfTheSameNameInTheOrderOfTheFirst) {
  Monitor const monitor;
  procmap::Run run(monitor);

  run.add_phase("matching", 1.5);
  run.add_phase("contraction", 1);
  run.add_phase("matching", 0.25);

  auto const& phases = run.stats().phases;
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].name, "matching");
  EXPECT_DOUBLE_EQ(phases[0].seconds, 1.75);
  EXPECT_EQ(phases[0].calls, 2);
  EXPECT_EQ(phases[1].name, "contraction");
  EXPECT_EQ(phases[1].calls, 1);
}

TEST(Run, ReportsEveryLevelAsItIsDone) {
  std::vector<std::string> lines;
  Monitor const monitor{{}, [&](std::string const& line) { lines.push_back(line); }};
  procmap::Run run(monitor);
  LevelStats level;
  level.stage = "mapping";
  level.level = 3;
  level.vertices = 1000;
  level.rounds = 17;
  level.cost = 4242;

  run.add_level(level);

  EXPECT_EQ(lines, (std::vector<std::string>{"mapping, level 3: 1000 vertices, cost 4242 after 17 rounds"}));
  ASSERT_EQ(run.stats().levels.size(), 1u);
  EXPECT_EQ(run.stats().levels[0].stage, "mapping");
}

TEST(Phase, IsRecordedWhenItsBlockEndsAlsoByAnException) {
  Monitor const monitor;
  procmap::Run run(monitor);

  {
    Phase phase(run, "first");
    EXPECT_TRUE(run.stats().phases.empty());
  }
  EXPECT_THROW(
      {
        Phase phase(run, "second");
        throw std::runtime_error("out of memory");
      },
      std::runtime_error);

  ASSERT_EQ(run.stats().phases.size(), 2u);
  EXPECT_EQ(run.stats().phases[0].name, "first");
  EXPECT_EQ(run.stats().phases[1].name, "second");
  EXPECT_GE(run.stats().phases[0].seconds, 0);
}

double seconds_of(std::string const& name, procmap::Run& run) {
  for (auto const& phase : run.stats().phases)
    if (phase.name == name) return phase.seconds;
  return 0;
}

void work_for(double seconds) {
  Stopwatch const watch;
  while (watch.seconds() < seconds) {
  }
}

TEST(Phase, LeavesOutTheTimeOfPhasesInsideIt) {
  Monitor const monitor;
  procmap::Run run(monitor);
  Stopwatch const watch;

  {
    Phase outer(run, "outer");
    for (int i = 0; i < 2; ++i) {
      Phase inner(run, "inner");
      work_for(0.02);
      Phase innermost(run, "innermost");
      work_for(0.02);
    }
  }

  auto const whole = watch.seconds();
  EXPECT_GE(seconds_of("inner", run), 0.04);
  EXPECT_GE(seconds_of("innermost", run), 0.04);
  EXPECT_LE(seconds_of("outer", run) + seconds_of("inner", run) + seconds_of("innermost", run), whole);
}

TEST(Phase, LeavesOutWhatADeviceTimesItself) {
  Monitor const monitor;
  procmap::Run run(monitor);
  Stopwatch const watch;

  std::optional<DeviceTime> device;
  {
    Phase launch(run, "launch");
    device.emplace(run);
    work_for(0.02);
  }
  {
    Phase wait(run, "wait");
    work_for(0.02);
    device.reset();
    run.add_phase("on the device", 0.04);
    work_for(0.02);
  }

  auto const whole = watch.seconds();
  EXPECT_GE(seconds_of("wait", run), 0.02);
  EXPECT_LE(seconds_of("launch", run) + seconds_of("wait", run) + seconds_of("on the device", run), whole);
}

TEST(Stopwatch, DoesNotRunBackwards) {
  Stopwatch const watch;

  auto const first = watch.seconds();

  EXPECT_GE(first, 0);
  EXPECT_GE(watch.seconds(), first);
}

}  // namespace
}  // namespace procmap::test
