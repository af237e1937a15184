// SPDX-License-Identifier: MIT
#include "multilevel/split/host_part.hpp"

#include "instances/instances.hpp"
#include "multilevel/split/overlay.hpp"

namespace procmap {

PROCMAP_COARSENING_INSTANCE(extern, CpuExecutor)
PROCMAP_REFINEMENT_INSTANCE(extern, CpuExecutor, EdgeCut)

Ascent<CpuExecutor> do_host_part(CpuExecutor& host, HostPart const& part, ClusterHistory<CpuExecutor>* history) {
  auto const& [graph, scope, fixed, targets, plan] = part.split;
  VertexLabels const labels{scope.empty() ? nullptr : scope.data(), fixed.empty() ? nullptr : fixed.data()};
  if (part.members.empty())
    return split_with_host(host, graph.view(), labels, targets, plan, history, host.host_arcs());
  Population<CpuExecutor> members{part.num_members, put(host, std::span(part.members))};
  return combine_with_host(host, graph.view(), labels, targets, plan, std::move(members), host.host_arcs());
}

}  // namespace procmap
