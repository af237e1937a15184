// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "coarsening/cluster_history.hpp"
#include "exec/cpu_executor.hpp"
#include "multilevel/split/ascent.hpp"
#include "multilevel/split/member_job.hpp"

namespace procmap {

/// The coarse end of a split, for the threads of the host: a graph of few arcs waits longer for every pass of a GPU
/// than a processor takes to make it.
struct HostPart {
  MemberJob split;             // of the coarsest graph that the GPU has; plan.finer is the next finer one
  std::vector<Block> members;  // one after the other, to be combined; empty: there is nothing yet
  int num_members = 0;
};

/// Its levels, starts and refinement. The members are those that go on.
Ascent<CpuExecutor> do_host_part(CpuExecutor& host, HostPart const& part, ClusterHistory<CpuExecutor>* history);

/// Arcs of the largest graph that is left to the host.
template <HostExecutor Exec>
Edge host_arcs(Exec const& ex, SplitPlan const& plan) {
  return std::min(ex.host_arcs(), plan.max_host_arcs);
}

/// A coarsening that leaves graphs of few arcs to the host.
inline CoarseningPlan above(CoarseningPlan plan, Edge host_arcs) {
  plan.goal.few_arcs = host_arcs;
  return plan;
}

/// The same split from the coarsest of `levels` on, which is made already.
template <class Exec>
SplitPlan rest_of(SplitPlan plan, Levels<Exec> const& levels) {
  auto const made = levels.coarsest();
  plan.first_level += static_cast<int>(made);
  plan.coarsening.levels_before += static_cast<int>(made);
  if (made > 0) plan.finer = levels.graph(made - 1).num_vertices;
  return plan;
}

/// Has the host split the coarsest of these levels, or combine `members` there if there are any.
template <HostExecutor Exec>
Ascent<Exec> leave_to_host(Exec& ex, Levels<Exec> const& levels, BlockTargets const& targets, SplitPlan const& plan,
                           Population<Exec> const& members, ClusterHistory<Exec>* history) {
  Phase phase(ex.run(), "to the host");
  HostPart part{
      member_job(ex, levels.coarsest_graph(), levels.coarsest_labels(), targets, rest_of(plan, levels)), {}, 0};
  part.members.resize(members.block.size());
  if (!part.members.empty()) {
    part.num_members = members.size;
    ex.download(members.block.data(), static_cast<Edge>(members.block.size()), part.members.data());
  }
  auto host = ex.host();
  ClusterHistory<CpuExecutor> clusters;
  if (history) clusters = history->rest(ex, host);
  auto const done = do_host_part(host, part, history ? &clusters : nullptr);
  if (history) history->append(ex, clusters);
  auto const& block = done.population.block;
  Population<Exec> population{done.population.size, put(ex, std::span<Block const>(block.data(), block.size()))};
  return {std::move(population), done.starters, done.coarsest, true};
}

}  // namespace procmap
