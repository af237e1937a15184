// SPDX-License-Identifier: MIT
#include "api/checked_call.hpp"

#include <utility>

#include "api/attempts.hpp"
#include "api/report.hpp"
#include "core/block_capacity.hpp"

namespace procmap {

CheckedCall checked_call(Graph const& graph, Topology const& topology, Options const& options) {
  check_imbalance(options.imbalance);
  options.config.validate();
  check_cost_fits(graph, topology);
  check_attempts(options);
  auto constraints = make_constraints(graph, topology, options);
  return {std::move(constraints), choose_device(options.device, graph, topology.num_pes(), options.config)};
}

}  // namespace procmap
