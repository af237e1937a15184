// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "procmap/types.hpp"
#include "refinement/flow/team.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// An arc of a network. All that a push needs of it comes with one access.
struct alignas(16) FlowArc {
  Vertex head = 0;
  Vertex opposite = 0;  // place of the opposite arc in the row of `head`
  Weight residual = 0;  // what the arc still takes
};

/// A flow network of one team: vertices 0 .. num_vertices - 1 and implicit terminals. The source's arcs are
/// saturated from the start, so what it sends stands in `excess`; `to_sink` is what an arc to the sink still
/// takes. Arcs come in pairs of opposite directions and equal capacities that name each other: what the two still take
/// is always twice the capacity, unless they are closed.
struct FlowNetwork {
  Vertex num_vertices = 0;
  bool has_few_arcs = false;   // fewer than 2^32
  Edge* row_begin = nullptr;   // arcs of vertex i: row_begin[i] .. row_end[i] - 1
  Edge* row_end = nullptr;
  FlowArc* arc = nullptr;
  Weight* capacity = nullptr;  // per arc; a negative number: closed, see halves.hpp

  Weight* excess = nullptr;        // arrived and not sent on
  Weight* to_sink = nullptr;
  Vertex* height = nullptr;        // a lower bound of the distance to the sink, num_vertices + 1: no way
  Vertex* near_source =
      nullptr;   // 1: in block a, then on the least source side (halves.hpp), at last on the chosen one
  TeamItems list[2];               // room for all vertices
  TeamFlags listed;                // is in a list of active vertices
  TeamPasses passes;

  PROCMAP_HD Vertex no_way() const { return num_vertices + 1; }
  /// Moves what is read and written most to fast memory, as far as it goes, and forgets it.
  PROCMAP_HD void move_to(FastMemory memory) {
    constexpr Vertex usual_length = 1024;  // most lists are shorter
    memory.take(passes.sums, TeamPasses::turns);
    memory.take(listed.words, TeamFlags::num_words(num_vertices));
    for (auto& items : list) items.move_to(memory, num_vertices < usual_length ? num_vertices : usual_length);
    memory.take(height, num_vertices);
    memory.take(excess, num_vertices);
    memory.take(row_begin, num_vertices);
    memory.take(row_end, num_vertices);
    memory.take(to_sink, num_vertices);
  }

  /// Arc e, whose residual another lane may be changing.
  template <class Group>
  PROCMAP_HD FlowArc look_at(Group group, Edge e) const {
    return {arc[e].head, arc[e].opposite, team_load(group, &arc[e].residual)};
  }
  /// Takes so many free places in the row of v. Returns the first one.
  template <class Group>
  PROCMAP_HD Edge take_places(Group group, Vertex v, Vertex number) const {
    Edge* const end = &group.item(row_end, v);
    if (Group::size() > 1 && has_few_arcs) return fetch_add_below_2_32(end, static_cast<std::uint32_t>(number));
    return team_add(group, end, number);
  }
  template <class Group>
  PROCMAP_HD Edge num_arcs(Group group, Vertex v) const {
    return group.item(row_end, v) - group.item(row_begin, v);
  }
};

/// Lists the heads of arcs of v that `head_of(e)` names, are `unseen` and can be claimed; shared by `lanes`. A lane
/// asks for all of a batch before it waits for any answer, in each of these steps.
template <class Group, class Lanes, class HeadOf, class Unseen, class Claim>
PROCMAP_HD void list_heads(FlowNetwork const& network, TeamPasses const& passes, TeamItems const& next, Group group,
                           Lanes lanes, Vertex v, HeadOf head_of, Unseen unseen, Claim claim) {
  constexpr int batch = arc_batch<Lanes>;
  Edge const end = group.item(network.row_end, v);
  for (Edge first = group.item(network.row_begin, v) + lanes.rank(); first < end; first += batch * lanes.size()) {
    Vertex head[batch];
    bool is_new[batch];
    PROCMAP_UNROLL
    for (int i = 0; i < batch; ++i) {
      Edge const e = first + i * lanes.size();
      head[i] = e < end ? head_of(e) : no_vertex;
    }
    PROCMAP_UNROLL
    for (int i = 0; i < batch; ++i) is_new[i] = head[i] != no_vertex && unseen(head[i]);
    PROCMAP_UNROLL
    for (int i = 0; i < batch; ++i) is_new[i] = is_new[i] && claim(head[i]);
    passes.append_new(group, next, head, is_new);
  }
}

}  // namespace procmap
