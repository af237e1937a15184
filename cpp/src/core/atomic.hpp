// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/combined_sums.hpp"
#include "core/hd.hpp"
#include "core/shared_work.hpp"

namespace procmap {

// Relaxed atomics on plain memory. Only commutative operations and stores of one agreed value are
// used, so results never depend on the order in which threads arrive. On the host they are plain operations while no
// other thread is at work (core/shared_work.hpp).

/// Takes a place in a list whose order is made canonical afterwards.
template <class T>
PROCMAP_HD T fetch_add(T* target, std::type_identity_t<T> value) {
#if defined(PROCMAP_GPU_CODE)
  using Raw = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  return static_cast<T>(::atomicAdd(reinterpret_cast<Raw*>(target), static_cast<Raw>(value)));
#else
  if (!SharedWork::exists()) return std::exchange(*target, *target + value);
  return std::atomic_ref<T>(*target).fetch_add(value, std::memory_order_relaxed);
#endif
}

template <class T>
PROCMAP_HD void atomic_add(T* target, std::type_identity_t<T> value) {
  fetch_add(target, value);
}

/// atomic_add for targets that many threads want at once: the threads of a warp that add to the same one add up
/// among themselves first, and a thread of the host adds up what it has in a chunk of a pass.
template <class T>
PROCMAP_HD void contended_add(T* target, std::type_identity_t<T> value) {
#if defined(PROCMAP_GPU_CODE)
  unsigned const peers = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(target));
  constexpr unsigned all = ~0u;
  T total = peers == all ? value : 0;
  if (peers == all)  // most warps of a graph whose neighbours have numbers near each other
    for (int distance = 16; distance > 0; distance /= 2) total += __shfl_xor_sync(all, total, distance);
  else
    for (unsigned left = peers; left != 0; left &= left - 1)
      total += __shfl_sync(peers, value, __ffs(static_cast<int>(left)) - 1);
  int const lane = static_cast<int>(threadIdx.x % 32);  // blocks have one dimension
  if (lane == __ffs(static_cast<int>(peers)) - 1 && total != 0) atomic_add(target, total);
#else
  if (value == 0) return;
  if (auto* const sums = CombinedSums::current())
    sums->add(target, value);
  else
    atomic_add(target, value);
#endif
}

/// atomic_add for targets of which a few get most: a thread of the host adds up what it has in a chunk of a pass, and a
/// GPU leaves it to its memory, as lanes that look who wants the same take longer.
template <class T>
PROCMAP_HD void uneven_add(T* target, std::type_identity_t<T> value) {
#if defined(PROCMAP_GPU_CODE)
  atomic_add(target, value);
#else
  contended_add(target, value);
#endif
}

template <class T>
PROCMAP_HD void atomic_min(T* target, std::type_identity_t<T> value) {
#if defined(PROCMAP_GPU_CODE)
  ::atomicMin(target, value);
#else
  if (!SharedWork::exists()) {
    if (value < *target) *target = value;
    return;
  }
  std::atomic_ref<T> const ref(*target);
  T seen = ref.load(std::memory_order_relaxed);
  while (value < seen && !ref.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
#endif
}

/// fetch_add for sums below 2^32: in the shared memory of a GPU additions of 64 bits are loops.
PROCMAP_HD inline std::int64_t fetch_add_below_2_32(std::int64_t* target, std::uint32_t value) {
#if defined(PROCMAP_GPU_CODE)
  return ::atomicAdd(reinterpret_cast<unsigned*>(target), value);  // the lower half comes first
#else
  return fetch_add(target, value);
#endif
}

/// fetch_add(counter, 1) for counters that many threads want at once: the threads of a warp that want the same one ask
/// once, for all of them.
template <class T>
PROCMAP_HD T contended_place(T* counter) {
#if defined(PROCMAP_GPU_CODE)
  unsigned const peers = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(counter));
  int const first = __ffs(static_cast<int>(peers)) - 1;
  unsigned const lane = threadIdx.x % 32;  // blocks have one dimension
  T place = 0;
  if (static_cast<int>(lane) == first) place = fetch_add(counter, static_cast<T>(__popc(peers)));
  return __shfl_sync(peers, place, first) + static_cast<T>(__popc(peers & ((1u << lane) - 1)));
#else
  return fetch_add(counter, T{1});
#endif
}

/// Turns `*target` from `expected` into `desired` if that is what it is; returns what it was.
template <class T>
PROCMAP_HD T claim_or_see(T* target, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
#if defined(PROCMAP_GPU_CODE)
  return ::atomicCAS(target, expected, desired);
#else
  if (!SharedWork::exists()) return *target == expected ? std::exchange(*target, desired) : *target;
  std::atomic_ref<T>(*target).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
  return expected;
#endif
}

/// Turns `*target` from `expected` into `desired`; of the threads that try, one succeeds.
template <class T>
PROCMAP_HD bool claim(T* target, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return claim_or_see(target, expected, desired) == expected;
}

/// Sets bits of `*target`, or keeps only some; returns what was there.
inline PROCMAP_HD std::uint32_t fetch_or(std::uint32_t* target, std::uint32_t bits) {
#if defined(PROCMAP_GPU_CODE)
  return ::atomicOr(target, bits);
#else
  return std::atomic_ref<std::uint32_t>(*target).fetch_or(bits, std::memory_order_relaxed);
#endif
}
inline PROCMAP_HD std::uint32_t fetch_and(std::uint32_t* target, std::uint32_t bits) {
#if defined(PROCMAP_GPU_CODE)
  return ::atomicAnd(target, bits);
#else
  return std::atomic_ref<std::uint32_t>(*target).fetch_and(bits, std::memory_order_relaxed);
#endif
}

/// Several threads may store the same value here at the same time.
template <class T>
PROCMAP_HD void racy_store(T* target, std::type_identity_t<T> value) {
#if defined(PROCMAP_GPU_CODE)
  *reinterpret_cast<T volatile*>(target) = value;
#else
  std::atomic_ref<T>(*target).store(value, std::memory_order_relaxed);
#endif
}

/// What other threads may be storing here at the same time, by racy_store.
template <class T>
PROCMAP_HD T racy_load(T const* source) {
#if defined(PROCMAP_GPU_CODE)
  return *source;
#else
  return std::atomic_ref<T>(*const_cast<T*>(source)).load(std::memory_order_relaxed);
#endif
}

/// The same, but never what a cache of the own processor kept since the last sync, while others have changed it.
template <class T>
PROCMAP_HD T fresh_load(T const* source) {
#if defined(PROCMAP_GPU_CODE)
  return *reinterpret_cast<T const volatile*>(source);
#else
  return racy_load(source);
#endif
}

}  // namespace procmap
