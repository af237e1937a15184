// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "c_api/errors.hpp"
#include "procmap/procmap.h"
#include "procmap/procmap.hpp"

struct procmap_graph {
  procmap::Graph graph;
};

struct procmap_topology {
  procmap::Topology topology;
};

struct procmap_options {
  procmap::Options options;
  bool imbalance_given = false;
};

struct procmap_report {
  procmap::Report report;
  double seconds = 0;
  std::string device;
};

namespace procmap::capi {

/// `pointer` as a reference; throws ArgumentError "NAME is NULL".
template <class T>
T& required(T* pointer, char const* name) {
  if (pointer == nullptr) throw ArgumentError(std::string(name) + " is NULL");
  return *pointer;
}

/// The options of a call, or the defaults. If nobody said how much imbalance is allowed and all tasks have load 1 and
/// can have a PE each, it is none, as in Python: ranks of MPI are reordered, not stacked.
Options options_of(procmap_options const* options, Graph const& graph, Block num_pes);

/// Makes a handle of what `make` returns; `handle` is set last, so that it stays as it is if something fails.
template <class Handle, class Make>
procmap_status create(Handle** handle, char const* name, Make const& make) noexcept {
  return guarded([&] {
    auto& result = required(handle, name);
    result = new Handle{make()};
  });
}

}  // namespace procmap::capi
