// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "exec/host_team.hpp"
#include "graph/host_graph.hpp"
#include "objective/grid_steps.hpp"
#include "procmap/topology.hpp"
#include "refinement/places/grid_tables.hpp"
#include "refinement/places/hierarchy_codes.hpp"
#include "refinement/places/node_distances.hpp"

namespace procmap {

/// Distances between places on a machine: a table of all, or, where that would be too large, what computes them.
class PlaceDistances {
 public:
  /// Place p is PE pe_of_place[p]. Up to `most_in_table` places are put in a table.
  PlaceDistances(Topology machine, std::vector<Block> pe_of_place, Block most_in_table, HostTeam const& team = {});

  /// The same of some of these places.
  PlaceDistances of(std::vector<Block> const& places, HostTeam const& team = {}) const;

  std::size_t num_places() const { return pe_of_place_.size(); }
  bool in_table() const { return !table_.empty(); }
  /// Is no way shorter by a stop at a third place? Of a table that is not known.
  bool are_metric() const { return machine_.as_table() == nullptr; }
  /// Of a table: the distances from place p.
  Weight const* row(Block p) const { return table_.data() + static_cast<std::size_t>(p) * num_places(); }

  /// f(distance) with whatever knows the distances. Places have keys, by which it finds them at once:
  /// distance.from(key)[other_key] is the distance of two places.
  template <class F>
  auto with(F f) const {
    if (!short_table_.empty()) return f(ShortRows{*this});
    return in_table() && !far_in_table_ ? f(Rows{*this}) : computed(f);
  }

 private:
  struct Rows {
    using Key = Block;
    PlaceDistances const& all;
    Key key(Block p) const { return p; }
    Weight const* from(Key p) const { return all.row(p); }
  };

  struct ShortRows {
    using Key = Block;
    PlaceDistances const& all;
    struct Row {
      std::uint16_t const* row;
      Weight operator[](Key q) const { return row[q]; }
    };
    Key key(Block p) const { return p; }
    Row from(Key p) const { return {all.short_table_.data() + static_cast<std::size_t>(p) * all.num_places()}; }
  };

  template <class Steps>
  struct Computed {
    using Key = Block;
    Steps const& steps;
    struct Row {
      Steps const& steps;
      Block p;
      Weight operator[](Key q) const { return steps.distance(p, q); }
    };
    explicit Computed(Steps const& of) : steps(of) {}
    Key key(Block p) const { return p; }
    Row from(Key p) const { return {steps, p}; }
  };

  /// f(distance) with distances that are computed.
  template <class F>
  auto computed(F f) const {
    return std::visit(
        [&](auto const& steps) {
          if constexpr (requires { steps.key(Block{}); })
            return f(steps);
          else
            return f(Computed(steps));
        },
        steps_);
  }

  void fill_table(HostTeam const& team);
  bool prepare_tables();
  void prepare_steps();

  Topology machine_;
  std::vector<Block> pe_of_place_;
  Block most_in_table_;
  std::vector<Weight> table_;    // [p * num_places + q]
  std::vector<std::uint16_t> short_table_;  // the same where that is far and nothing computes an entry sooner
  std::vector<Block> coordinates_;  // of every place, which GridSteps reads
  std::variant<GridSteps, GridTables<2>, GridTables<3>, NodeDistances, HierarchyCodes> steps_;
  bool far_in_table_ = false;  // an entry is computed sooner than looked up
};

/// J of tasks on places.
Weight cost_of_places(HostGraph const& traffic, PlaceDistances const& distances, std::vector<Block> const& place);

}  // namespace procmap
