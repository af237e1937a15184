// SPDX-License-Identifier: MIT
#pragma once

#include "core/hd.hpp"

namespace procmap {

/// a && b without a branch: where a processor would guess it wrong, and b is quick to find out.
PROCMAP_HD constexpr bool both(bool a, bool b) { return (static_cast<int>(a) & static_cast<int>(b)) != 0; }

}  // namespace procmap
