// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <type_traits>

#include "core/hd.hpp"

namespace procmap {

// Relaxed atomics on plain memory. Only commutative operations and stores of one agreed value are
// used, so results never depend on the order in which threads arrive.

template <class T>
PROCMAP_HD void atomic_add(T* target, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  using Raw = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  ::atomicAdd(reinterpret_cast<Raw*>(target), static_cast<Raw>(value));
#else
  std::atomic_ref<T>(*target).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Takes a place in a list whose order is made canonical afterwards.
template <class T>
PROCMAP_HD T fetch_add(T* target, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  using Raw = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  return static_cast<T>(::atomicAdd(reinterpret_cast<Raw*>(target), static_cast<Raw>(value)));
#else
  return std::atomic_ref<T>(*target).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Several threads may store the same value here at the same time.
template <class T>
PROCMAP_HD void racy_store(T* target, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  *reinterpret_cast<T volatile*>(target) = value;
#else
  std::atomic_ref<T>(*target).store(value, std::memory_order_relaxed);
#endif
}

}  // namespace procmap
