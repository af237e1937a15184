// SPDX-License-Identifier: MIT
#pragma once

#include "initial/bisection.hpp"

namespace procmap::initial {

/// Fiduccia-Mattheyses: passes of best single moves, each rolled back to its best state, until one
/// brings nothing. Repairs overload first. Never worsens work.score(balance).
void refine_cut(Bisection& work, Balance const& balance, InitialConfig const& config);

}  // namespace procmap::initial
