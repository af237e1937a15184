// SPDX-License-Identifier: MIT
#include "refinement/weights/refine_scopes.hpp"

namespace procmap {

#define PROCMAP_OBJECTIVE(objective, header) PROCMAP_SEVERAL_WEIGHTS_INSTANCE(, objective)
#include "instances/objectives.def"
#undef PROCMAP_OBJECTIVE

}  // namespace procmap
