// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>

#include "exec/executor.hpp"

namespace procmap {

/// The threads of the host, for large independent jobs. By default the calling thread alone.
struct HostTeam {
  using Job = std::function<void(Edge)>;

  int size = 1;
  /// job(i) for all i < n, in any order and on any thread; job may throw.
  std::function<void(Edge n, Job const& job)> for_each_job = [](Edge n, Job const& job) {
    for (Edge i = 0; i < n; ++i) job(i);
  };
  /// Throws if the call is to end, see Run; for what takes long between jobs.
  std::function<void()> checkpoint = [] {};
  /// Is what only makes a mapping better to be left out? See Run.
  std::function<bool()> in_hurry = [] { return false; };
};

template <HostExecutor Exec>
HostTeam host_team(Exec& ex) {
  return {ex.threads(), [&ex](Edge n, HostTeam::Job const& job) { ex.for_each_job(n, job); },
          [&ex] { ex.run().checkpoint(); }, [&ex] { return ex.run().in_hurry(); }};
}

/// Whether `jobs` equal jobs of `tasks` equal tasks each are done sooner one after the other, with a team for the
/// tasks of each, than all at once.
inline bool better_one_by_one(HostTeam const& team, Edge jobs, Edge tasks) {
  auto const shifts = [&](Edge n) { return (n + team.size - 1) / team.size; };
  return jobs * shifts(tasks) < shifts(jobs) * tasks;
}

}  // namespace procmap
