// SPDX-License-Identifier: MIT
#include "exec/cpu_quota.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "exec/processors.hpp"
#include "support/files.hpp"

namespace procmap::test {
namespace {

/// What groups mounted in a folder allow a process whose groups are these.
int processors_in(TempFolder const& root, std::string const& cgroups) {
  return processors_of_groups(cgroups, (root / "").string());
}

TEST(CpuQuota, OfAGroupIsItsTimePerPeriodRoundedUp) {
  EXPECT_EQ(processors_of_quota("400000 100000\n"), 4);
  EXPECT_EQ(processors_of_quota("150000 100000"), 2);
  EXPECT_EQ(processors_of_quota("1000 100000"), 1);
  EXPECT_EQ(processors_of_quota("9223372036854775807 1"), 2147483647);
}

TEST(CpuQuota, IsNoneWithoutTwoNumbers) {
  for (auto const* const text : {"max 100000", "", "200000", "200000 0", "-1 100000", "x y", "99999999999999999999 1"})
    EXPECT_EQ(processors_of_quota(text), 0) << text;
}

TEST(CpuQuota, IsTheLeastOfAllGroupsAround) {
  TempFolder const root;
  std::filesystem::create_directories(root / "batch/job_7");
  root.write("cpu.max", "800000 100000\n");
  root.write("batch/cpu.max", "300000 100000\n");
  root.write("batch/job_7/cpu.max", "max 100000\n");
  EXPECT_EQ(processors_in(root, "1:cpu:/elsewhere\n0::/batch/job_7\n"), 3);
  EXPECT_EQ(processors_in(root, "0::/batch"), 3);
  EXPECT_EQ(processors_in(root, "0::/other\n"), 8);  // only the root says something
  EXPECT_EQ(processors_in(root, "0::/\n"), 8);
  EXPECT_EQ(processors_in(root, ""), 8);
}

TEST(CpuQuota, OfTheFirstVersionStandsInTwoFiles) {
  TempFolder const root;
  std::filesystem::create_directories(root / "cpu/batch/job_7");
  root.write("cpu/cpu.cfs_quota_us", "-1\n");
  root.write("cpu/cpu.cfs_period_us", "100000\n");
  root.write("cpu/batch/cpu.cfs_quota_us", "250000\n");
  root.write("cpu/batch/cpu.cfs_period_us", "100000\n");
  for (auto const* const cgroups : {"1:cpu:/batch/job_7\n", "9:name=x:/\n4:cpuacct,cpu:/batch/job_7", "1:cpu:/batch"})
    EXPECT_EQ(processors_in(root, cgroups), 3) << cgroups;
  for (auto const* const cgroups :
       {"1:cpu:/\n0::/batch", "2:cpuset:/batch\n", "1:cpu", ":", "\n\n", "1:cpu:", "1:cpu:other", "0::/batch/job_7"})
    EXPECT_EQ(processors_in(root, cgroups), 0) << cgroups;
}

TEST(CpuQuota, IsNoneWhereNoGroupIsMounted) {
  TempFolder const root;
  EXPECT_EQ(processors_of_groups("0::/batch/job_7\n", (root / "nothing").string()), 0);
}

TEST(CpuQuota, BoundsTheProcessorsOfThisProcess) {
  int const quota = processors_of_quota();
  EXPECT_GE(num_processors(), 1);
  if (quota > 0) {
    EXPECT_LE(num_processors(), quota);
  }
}

}  // namespace
}  // namespace procmap::test
