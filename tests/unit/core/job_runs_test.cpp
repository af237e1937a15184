// SPDX-License-Identifier: MIT
#include "core/job_runs.hpp"
#include "core/stopwatch.hpp"
#include "procmap/error.hpp"
#include "procmap/monitor.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace procmap::test {
namespace {

TEST(JobRuns, AreAdoptedInTheirOrder) {
  std::vector<std::string> lines;
  Monitor const monitor{{}, [&](std::string const& line) { lines.push_back(line); }};
  procmap::Run whole(monitor);
  JobRuns jobs(whole, 3);
  for (int const job : {2, 0, 1})
    jobs.run(job, [&](procmap::Run& run) {
      run.add_phase("phase " + std::to_string(job), 0);
      run.add_phase("shared", 0);
      run.add_level({.stage = "job " + std::to_string(job)});
    });
  EXPECT_TRUE(lines.empty()) << "jobs may run on any thread";

  jobs.finish();

  std::vector<std::string> names, stages;
  for (auto const& phase : whole.stats().phases) names.push_back(phase.name + " " + std::to_string(phase.calls));
  for (auto const& level : whole.stats().levels) stages.push_back(level.stage);
  EXPECT_EQ(names, (std::vector<std::string>{"phase 0 1", "shared 3", "phase 1 1", "phase 2 1"}));
  EXPECT_EQ(stages, (std::vector<std::string>{"job 0", "job 1", "job 2"}));
  EXPECT_EQ(lines.size(), 3u);
}

TEST(JobRuns, TakeNoMoreTimeThanTheCall) {
  Monitor const monitor;
  procmap::Run whole(monitor);
  Stopwatch const watch;
  {
    Phase const outer(whole, "outer");
    JobRuns jobs(whole, 2);
    for (int const job : {0, 1}) jobs.run(job, [](procmap::Run& run) { run.add_phase("inner", 1000); });
    jobs.finish();
  }

  double sum = 0;
  for (auto const& phase : whole.stats().phases) sum += phase.seconds;
  EXPECT_LE(sum, watch.seconds());
}

TEST(JobRuns, TakeNoMoreTimeThanTheCallBeforeItsFirstPhase) {
  Monitor const monitor;
  procmap::Run whole(monitor);
  Stopwatch const watch;
  JobRuns jobs(whole, 2);
  for (int const job : {0, 1}) jobs.run(job, [](procmap::Run& run) { run.add_phase("inner", 1000); });

  jobs.finish();

  ASSERT_EQ(whole.stats().phases.size(), 1u);
  EXPECT_LE(whole.stats().phases[0].seconds, watch.seconds());
}

TEST(JobRuns, PassOnWhatTheFirstHasThrownAndEndTheOthers) {
  Monitor const monitor;
  procmap::Run whole(monitor);
  JobRuns jobs(whole, 3);
  jobs.run(0, [](procmap::Run& run) { EXPECT_NO_THROW(run.checkpoint()); });
  EXPECT_THROW(jobs.run(1, [](procmap::Run&) { throw std::runtime_error("first"); }), std::runtime_error);
  EXPECT_THROW(jobs.run(2, [](procmap::Run& run) { run.checkpoint(); }), Interrupted);

  try {
    jobs.finish();
    ADD_FAILURE() << "nothing thrown";
  } catch (std::runtime_error const& error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

TEST(JobRuns, PassOnWhatFailsOutsideOfThem) {
  Monitor const monitor;
  procmap::Run whole(monitor);
  JobRuns jobs(whole, 1);

  EXPECT_THROW(jobs.run_all([](auto, void*) { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(JobRuns, PassOnWhatOneOfThemHasThrownFirst) {
  Monitor const monitor;
  procmap::Run whole(monitor);
  JobRuns jobs(whole, 1);
  auto const share = [&](auto, void*) {
    EXPECT_THROW(jobs.run(0, [](procmap::Run&) { throw std::runtime_error("job"); }), std::runtime_error);
    throw std::bad_alloc();
  };

  EXPECT_THROW(jobs.run_all(share), std::runtime_error);
}

TEST(JobRuns, AskNobodyOnceOneHasFailed) {
  int asked = 0;
  Monitor const monitor{[&] { return ++asked > 1; }, {}};
  procmap::Run whole(monitor);
  JobRuns jobs(whole, 2);
  jobs.poll();
  EXPECT_THROW(jobs.run(0, [](procmap::Run& run) { run.checkpoint(); }), Interrupted);
  EXPECT_EQ(asked, 2);

  jobs.poll();

  EXPECT_EQ(asked, 2);
  EXPECT_THROW(jobs.finish(), Interrupted);
}

TEST(JobRuns, EndWithTheJobThatTheyArePartsOf) {
  Monitor const monitor;
  procmap::Run whole(monitor);
  JobRuns outer(whole, 2);
  outer.run(0, [&](procmap::Run& run) {
    JobRuns inner(run, 1);
    EXPECT_THROW(outer.run(1, [](procmap::Run&) { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_THROW(inner.run(0, [](procmap::Run& job) { job.checkpoint(); }), Interrupted);
  });

  EXPECT_THROW(outer.finish(), std::bad_alloc);
}

TEST(JobRuns, AskTheCallerOnItsOwnThreadOnly) {
  bool stop = true;
  Monitor const monitor{[&] { return stop; }, {}};
  procmap::Run whole(monitor);
  JobRuns jobs(whole, 2);

  std::thread([&] { jobs.run(0, [](procmap::Run& run) { EXPECT_NO_THROW(run.checkpoint()); }); }).join();
  EXPECT_THROW(jobs.poll(), Interrupted);
  std::thread([&] { EXPECT_THROW(jobs.run(1, [](procmap::Run& run) { run.checkpoint(); }), Interrupted); }).join();

  EXPECT_THROW(jobs.finish(), Interrupted);
}

}  // namespace
}  // namespace procmap::test
