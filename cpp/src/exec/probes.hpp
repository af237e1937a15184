// SPDX-License-Identifier: MIT
#pragma once

#include "core/hd.hpp"
#include "procmap/types.hpp"

// Arguments with which the concepts of exec/executor.hpp and exec/lanes.hpp ask for a verb. They are never called.

namespace procmap::probe {

struct Pass {
  void operator()(Edge) const {}
};
struct Term {
  Weight operator()(Edge) const { return 0; }
};
struct Predicate {
  bool operator()(Edge) const { return false; }
};
struct Less {
  bool operator()(Weight, Weight) const { return false; }
};
struct Visit {
  void operator()(Edge, Edge) const {}
};
struct Fill {
  template <class Sums>
  void operator()(Sums& sums) const {
    sums.add(Vertex{}, Weight{});
  }
};
struct GroupPass {
  template <class Group>
  void operator()(Edge, Group) const {}
};
struct GroupTerm {
  template <class Group>
  Weight operator()(Edge, Group) const {
    return 0;
  }
};
struct TablePass {
  template <class Group, class Table>
  void operator()(Edge, Group, Table&) const {}
};
struct TeamPass {
  template <class Team>
  void operator()(Edge, Team) const {}
};
struct TurnPass {
  template <class Team>
  bool operator()(Edge, Edge, Team) const {
    return true;
  }
};
struct PartPass {
  template <class Exec>
  void operator()(Edge, Exec&) const {}
};
struct Count {
  template <class Exec>
  PROCMAP_HD Edge operator()(Exec&) const {
    return 0;
  }
};
struct Composite {
  template <class Exec>
  void operator()(Exec&) const {}
};

struct Composites {
  PROCMAP_HD Composite of(Edge) const { return {}; }
};

}  // namespace procmap::probe
