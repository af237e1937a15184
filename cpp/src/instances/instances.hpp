// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/coarsen.hpp"
#include "refinement/flow/pairwise.hpp"
#include "refinement/jet/jet.hpp"
#include "refinement/jet/settle.hpp"

// The parts of the method that are compiled in sources of their own, so that no source takes minutes. `how` is empty
// in that source and `extern` where the part is used; in namespace procmap.

#define PROCMAP_COARSENING_INSTANCE(how, Exec)                                                       \
  how template std::vector<Level<Exec>> coarsen(Exec&, CsrView, VertexLabels, CoarseningPlan const&, \
                                                ClusterHistory<Exec>*);

#define PROCMAP_REFINEMENT_INSTANCE(how, Exec, Objective)                                                            \
  how template void refine(Exec&, RefinementProblem<Objective> const&, RefinementScratch<Exec>&, Block*,             \
                           RefinementRules const&);                                                                  \
  how template FlowResult refine_pairs(Exec&, RefinementProblem<Objective> const&, RefinementScratch<Exec>&, Block*, \
                                       FlowConfig const&, std::uint64_t);                                            \
  how template void settle(Exec&, RefinementProblem<Objective> const&, RefinementScratch<Exec>&, Block*,             \
                           RefinementRules const&, Edge);
