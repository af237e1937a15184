// SPDX-License-Identifier: MIT
#pragma once

namespace procmap {

/// Asks memory for what lies at `address`, and goes on.
inline void prefetch([[maybe_unused]] void const* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

}  // namespace procmap
