// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "exec/executor.hpp"

namespace procmap {

/// A host array where Exec runs; an empty one stays null.
template <HostExecutor Exec, class T>
Buffer<Exec, T> put(Exec& ex, std::span<T const> values) {
  auto buffer = ex.template buffer<T>(values.size());
  ex.upload(values.data(), static_cast<Edge>(values.size()), buffer.data());
  return buffer;
}

/// f(copy, i) of item j = copy * n + i.
template <class F>
struct InCopies {
  F f;
  Edge n;

  PROCMAP_LAMBDA void operator()(Edge j) const { f(j / n, j % n); }
};

/// ... and for a pass over one copy.
template <class F>
struct InCopy {
  F f;
  Edge copy;

  PROCMAP_LAMBDA void operator()(Edge i) const { f(copy, i); }
};

/// f(copy, i) for every copy and all i < n. One launch where launches cost; a processor would rather not divide.
template <HostExecutor Exec, class F>
void for_each_in_copies(Exec& ex, Edge copies, Edge n, F f) {
  if constexpr (Exec::has_small_teams)
    for (Edge copy = 0; copy < copies; ++copy) ex.for_each(n, InCopy<F>{f, copy});
  else if (n > 0)
    ex.for_each(copies * n, InCopies<F>{f, n});
}

}  // namespace procmap
