// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/constraints.hpp"
#include "core/run.hpp"
#include "graph/empty_blocks.hpp"
#include "graph/examine.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

struct MemberJob;

/// A checked call of map().
struct MapCall {
  Graph const& graph;
  Topology const& topology;
  Options const& options;
  Constraints const& constraints;
};

/// Are empty PEs to be avoided, and is there a vertex for each?
inline bool wants_all_filled(MapCall const& call) {
  return !call.options.allow_empty && can_fill_all(call.graph, call.constraints, call.options.fixed);
}

/// What it brings back to the host. The report lacks what depends on capacities (api/report.hpp).
struct Mapped {
  std::vector<Block> blocks;
  Report report;
  bool filled = false;  // empty PEs have got a vertex in the end, whatever that costs
};

/// A checked call of evaluate().
struct EvaluateCall {
  Graph const& graph;
  Topology const& topology;
  std::span<Block const> blocks;
  int threads = 0;
};

/// Arrays of the user that became a graph; null if the host is to look at them.
struct AdoptedGraph {
  std::shared_ptr<ResidentGraph const> graph;
  GraphFacts facts;
};

/// The memory of devices that have their own. Arrays are those of procmap/device_array.hpp.
struct BackendMemory {
  /// Bytes that the library may still get.
  std::int64_t (*available)(int ordinal);
  /// Most bytes in use by all runs since restart_peak().
  std::int64_t (*peak)(int ordinal);
  void (*restart_peak)(int ordinal);
  /// Graph::from_device and Graph::to_device.
  AdoptedGraph (*adopt)(DeviceCsrArrays const& arrays, bool copy);
  std::shared_ptr<ResidentGraph const> (*upload)(Graph const& graph, int ordinal);
  /// copy_to_device and copy_to_host.
  DeviceArray (*copy_in)(void const* data, std::int64_t size, ElementType type, int ordinal);
  void (*copy_out)(DeviceArray const& array, std::vector<std::uintptr_t> const& streams, void* data);
};

/// A kind of device that the method can run on, as functions: a backend keeps no state. Each is made by a function
/// NAME_backend(); which of them a build has is for CMake to say, and backends/registry.hpp finds them. The functions
/// of a device may be called after require() has let it pass.
struct Backend {
  std::string_view name;  // as in DeviceId; all there is of a backend that was not built
  /// Throws DeviceError unless the device takes work: without a driver, without such a device or code for it, and in a
  /// process forked after its parent had used one if that cannot work.
  void (*require)(int ordinal) = nullptr;
  Mapped (*map)(MapCall const& call, int ordinal, Run& run) = nullptr;
  Report (*evaluate)(EvaluateCall const& call, int ordinal, Run& run) = nullptr;
  BackendMemory const* memory = nullptr;  // null: the host's
  /// The block of every vertex in one split of a population.
  std::vector<Block> (*split)(MemberJob const& job, int ordinal, int threads, Run& run) = nullptr;

  bool built() const { return map != nullptr; }
};

}  // namespace procmap
