// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "procmap/export.h"
#include "procmap/types.hpp"

namespace procmap PROCMAP_API {

/// Sizes a1, a2, ... and distances d1, d2, ... of the levels of a hierarchy, innermost first.
struct Hierarchy {
  std::vector<Block> sizes;
  std::vector<Weight> distances;
  bool operator==(Hierarchy const&) const = default;
};

/// PEs at integer coordinates. Their distance is the sum over the dimensions of steps times cost; where a
/// dimension wraps, the shorter way round counts.
struct Grid {
  std::vector<Block> sizes;         ///< per dimension
  std::vector<std::uint8_t> wraps;  ///< per dimension
  std::vector<Weight> costs;        ///< per dimension: of one step
  std::vector<Block> coordinates;   ///< [pe * dimensions + i], in [0, sizes[i])
  bool operator==(Grid const&) const = default;
};

/// PEs on nodes, and a symmetric table of the distances between nodes.
struct DistanceTable {
  Block num_nodes = 0;
  std::vector<Block> node_of_pe;
  std::vector<std::int32_t> distances;  ///< [x * num_nodes + y]; the diagonal is for two PEs on one node
  /// Sizes of levels of consecutive PEs that are close to each other, innermost first; empty if not known.
  std::vector<Block> groups = {};
  bool operator==(DistanceTable const&) const = default;
};

/// The machine: PEs and the distance between any two of them. A PE is at distance 0 from itself.
///
/// A hierarchy a1:a2:...:al is written innermost first: a1 PEs form a processor, a2 processors a
/// node, and so on; PEs are numbered innermost first too, so PE p sits in processor p / a1. Two
/// PEs that first meet at level i are at distance d_i. Other machines are grids, whose distances are
/// computed, or have a table of distances. Copies share their data.
class Topology {
 public:
  static constexpr int max_levels = 8;
  static constexpr int max_dimensions = 22;
  static constexpr Block max_pes = 1 << 22;
  static constexpr Block max_nodes = 10'000;  ///< of a table of distances

  /// Throws TopologyError unless 1..8 sizes >= 1, as many distances, non-negative and not
  /// decreasing outwards, and a product of at most `max_pes`.
  static Topology hierarchy(std::vector<Block> sizes, std::vector<Weight> distances);
  /// From strings such as "4:8:6" and "1:10:100".
  static Topology hierarchy(std::string_view sizes, std::string_view distances);
  /// k PEs, all at distance 1: mapping onto it is graph partitioning.
  static Topology flat(Block num_pes);

  /// Any machine of at most `max_nodes` PEs: distances[a * num_pes + b], symmetric, 0 on the diagonal, in
  /// [0, 2^31). A matrix of a hierarchy whose PEs are numbered innermost first becomes that hierarchy.
  /// Throws TopologyError naming the first entry that is wrong.
  static Topology from_distance_matrix(std::span<Weight const> distances, Block num_pes);

  /// A grid of PEs in which every dimension wraps (torus) or none does (mesh). PEs are numbered with the last
  /// dimension running fastest, as MPI_Cart_create and C arrays do. `costs` of one step per dimension, all 1 if
  /// empty. Throws TopologyError unless 1..22 sizes >= 1, as many costs in [0, 2^31), and at most `max_pes` PEs.
  static Topology torus(std::vector<Block> sizes, std::vector<Weight> costs = {});
  static Topology mesh(std::vector<Block> sizes, std::vector<Weight> costs = {});

  /// 2^dimensions PEs at the distance of the number of bits in which their numbers differ.
  static Topology hypercube(int dimensions);

  /// The three-level fat tree of switches with `ports` ports (even): `ports` pods of ports / 2 edge switches of
  /// ports / 2 hosts of `pes_per_host` PEs. A hierarchy; distances count links: 2 below an edge switch, 4 within a
  /// pod, 6 beyond, and 1 within a host.
  static Topology fat_tree(Block ports, Block pes_per_host = 1);

  /// Links of a dragonfly and what crossing one costs.
  struct DragonflyCosts {
    Weight terminal = 1;  ///< between a PE and its router
    Weight local = 1;     ///< between two routers of a group
    Weight global = 1;    ///< between two groups
  };
  /// Groups of `routers` routers with `pes` PEs each. All routers of a group are linked to each other, and every
  /// two groups by one link, spread over the routers in order (the absolute arrangement): the link of group
  /// g to its j-th other group is at router j * routers / (groups - 1). The distance is the cost of the links
  /// of the minimal route, terminal - local - global - local - terminal, of which the local ones may drop out.
  /// PE p is at router p / pes, router r in group r / routers. At most `max_nodes` routers.
  static Topology dragonfly(Block groups, Block routers, Block pes, DragonflyCosts costs);
  static Topology dragonfly(Block groups, Block routers, Block pes) { return dragonfly(groups, routers, pes, {}); }

  /// The machine that consists of these PEs, in this order: its PE i is pes[i] of this one. Throws TopologyError
  /// if one is listed twice or does not exist, or if a part of a hierarchy has more than `max_nodes` processors.
  Topology sub(std::span<Block const> pes) const;

  Block num_pes() const { return num_pes_; }
  Weight max_distance() const { return max_distance_; }
  Weight distance(Block a, Block b) const;
  /// All different distances of two different PEs, in increasing order; a part of a grid may lack some. Empty
  /// if there are more than `limit`.
  std::vector<Weight> distinct_distances(std::size_t limit) const;
  /// In words: "192 PEs = 6 groups of 8 groups ...".
  std::string const& describe() const { return description_; }
  bool operator==(Topology const& other) const;

  /// What the machine is; the pointer is null if it is something else.
  Hierarchy const* as_hierarchy() const { return pointer_to<Hierarchy>(); }
  Grid const* as_grid() const { return pointer_to<Grid>(); }
  DistanceTable const* as_table() const { return pointer_to<DistanceTable>(); }

  bool is_hierarchy() const { return as_hierarchy() != nullptr; }
  bool is_flat() const { return num_levels() == 1 && distances()[0] == 1; }
  // Of a hierarchy; other machines have no levels.
  int num_levels() const { return static_cast<int>(sizes().size()); }
  std::vector<Block> const& sizes() const;       ///< a1, a2, ..., innermost first
  std::vector<Weight> const& distances() const;  ///< d1, d2, ...
  /// The level (1 = innermost) at which a and b first meet; 0 if they are the same PE. Throws TopologyError
  /// unless this is a hierarchy.
  int meeting_level(Block a, Block b) const;

 private:
  template <class T>
  using Shared = std::shared_ptr<T const>;

  explicit Topology(Hierarchy hierarchy);
  Topology(Grid grid, std::string description);
  Topology(DistanceTable table, std::string description);

  static Topology grid(std::vector<Block> sizes, std::vector<Weight> costs, bool wraps);
  template <class T>
  T const* pointer_to() const {
    auto const* const shared = std::get_if<Shared<T>>(&model_);
    return shared ? shared->get() : nullptr;
  }
  void check_pe(Block pe) const;

  std::variant<Shared<Hierarchy>, Shared<Grid>, Shared<DistanceTable>> model_;
  Block num_pes_ = 1;
  Weight max_distance_ = 0;
  std::string description_;
};

}  // namespace procmap PROCMAP_API
