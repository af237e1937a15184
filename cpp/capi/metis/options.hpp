// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "metis.h"

namespace procmap_metis {

enum class Scheme { recursive, kway };

/// What the arguments of a call ask for, checked as METIS checks them.
struct Wanted {
  std::int64_t parts = 1;
  /// What a part may weigh above its share, in millionths of it, for every constraint.
  std::vector<std::int64_t> slack;
  std::int64_t seed = 0;
  int repeats = 1;
  bool contiguous = false;
  idx_t first = 0;  ///< number of the first vertex: 0 in C, 1 in Fortran
};

/// options[index], or `otherwise` if it is not set.
idx_t option(idx_t const* options, moptions_et index, idx_t otherwise);

/// Throws Failure exactly if METIS returns an error for these arguments, whatever the graph is, and for more weights
/// per vertex than procmap balances.
Wanted read_options(Scheme scheme, idx_t ncon, idx_t nparts, real_t const* tpwgts, real_t const* ubvec,
                    idx_t const* options);

}  // namespace procmap_metis
