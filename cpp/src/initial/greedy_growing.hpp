// SPDX-License-Identifier: MIT
#pragma once

#include "initial/bisection.hpp"

namespace procmap::initial {

/// Where side 0 begins: at a hashed vertex, or at one as far from it as breadth-first search gets.
enum class Start { hashed, peripheral };

/// Greedy graph growing: moves vertices to side 0, always the one that costs least cut, until it
/// weighs balance.target. Expects all vertices on side 1.
void grow_side_zero(Bisection& work, Balance const& balance, Start start);

/// The same anew, for one of several starts: the first begins far out, the others anywhere.
inline void grow_from_start(Bisection& work, Balance const& balance, int start) {
  work.restart();
  grow_side_zero(work, balance, start == 0 ? Start::peripheral : Start::hashed);
}

}  // namespace procmap::initial
