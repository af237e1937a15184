// SPDX-License-Identifier: MIT
#pragma once

#include "metis/graph.hpp"
#include "metis/options.hpp"

namespace procmap_metis {

/// What the environment asks for, in programs that know only METIS: PROCMAP_PRESET, PROCMAP_THREADS, PROCMAP_DEVICE.
Handle<procmap_options> options_of_environment(Wanted const& wanted);

/// The machine that PROCMAP_TOPOLOGY describes, or `wanted.parts` PEs that are all equally far from each other. Throws
/// Failure if it has not as many PEs.
Handle<procmap_topology> machine_of_environment(Wanted const& wanted);

}  // namespace procmap_metis
