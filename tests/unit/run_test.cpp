// SPDX-License-Identifier: MIT
#include "core/run.hpp"

#include <gtest/gtest.h>

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

TEST(Stopwatch, DoesNotRunBackwards) {
  Stopwatch const watch;

  auto const first = watch.seconds();

  EXPECT_GE(first, 0);
  EXPECT_GE(watch.seconds(), first);
}

}  // namespace
}  // namespace procmap::test
