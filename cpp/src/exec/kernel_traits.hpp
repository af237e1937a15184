// SPDX-License-Identifier: MIT
#pragma once

namespace procmap {

/// How a composite is compiled and launched unless it says otherwise.
struct DefaultKernelTraits {
  /// It has few barriers for its work, so it is worth to fill the machine with blocks that all wait at them.
  static constexpr bool fills_machine = false;
  /// It is worth to be compiled for several numbers of lanes, chosen by the arcs per item.
  static constexpr bool by_degree = false;
};

/// What HostExecutor::resident wants to know of a composite F before it runs. Specialise for those that differ:
///
///   template <>
///   struct KernelTraits<Matching> : DefaultKernelTraits {
///     static constexpr bool fills_machine = true;
///   };
template <class F>
struct KernelTraits : DefaultKernelTraits {};

}  // namespace procmap
