// SPDX-License-Identifier: MIT
#pragma once

#include "initial/bisection.hpp"

namespace procmap::initial {

/// A bisection by levels of its own: clusters of what belongs together, clusters of these, and so on, until a dozen or
/// two are left; the best of some growings there, refined on every level on the way back but for the last. It finds
/// what a growing of single vertices does not: which heavy edges to keep, and which branches of a tree. Expects that
/// the ties of `work` are set, and leaves the sides in it; false, and nothing done, where there are few vertices
/// already, or next to nobody may join anybody.
bool start_from_clusters(Bisection& work, Balance const& balance, InitialConfig const& config);

}  // namespace procmap::initial
