// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/network.hpp"

namespace procmap {

// A maximum preflow by push-relabel (Goldberg and Tarjan, "A new approach to the maximum-flow problem") with global
// relabelling (Cherkassky and Goldberg, "On implementing the push-relabel method for the maximum flow problem"). In a
// round every active vertex is visited once, by some lanes: they take its excess, send it down the arcs to lower
// vertices, and lift the vertex if something is left. Visits of a round do not wait for each other, as in Hong and He,
// "An asynchronous multithreaded algorithm for the maximum network flow problem with nonblocking global relabeling":
// what one reads of its neighbours may be from before or after their visits: also what a cache has kept, but never from
// before the last sync. One sync ends the round.
//
// Let a, b be the heights of v and u at the start of a round. They only grow, each by one lift at most, and a visit
// pushes before it lifts: v pushes to u only if a > b, as it reads b or more; and u to v only if b > a. So
//
//   Of two opposite arcs one end writes in a round, and of an arc nobody but its tail takes room away: no more is
//   ever sent than excess and residual allow.
//
//   Heights stay lower bounds: a residual arc from v never leads down by more than one. Let x >= b be the height of u
//   that the visit read which lifted v.
//     x < a: the visit filled the arc, and u sends nothing back, as b <= x < a.
//     x = a and the arc was full: u sends nothing to v, as b <= x = a.
//     otherwise v is not lifted above x + 1, nor is u lower than x in the end.
//   If v was not lifted and the arc became residual, u pushed from b > a.
//
// So it ends as any push-relabel algorithm does: a vertex is lifted at most as often as there are heights, and in
// rounds without a lift excess moves down. Which preflow comes out depends on the order of arcs and visits; the two
// cuts read from it do not (extreme_cuts.hpp).

/// Exact heights: the distance to the sink in the residual network, by a search backwards from it; once halves are
/// `solved` (halves.hpp), of those who had no way in theirs. Returns its steps.
template <class Group>
PROCMAP_HD int global_relabel(FlowNetwork const& network, Group group, bool solved) {
  auto found = network.list[0], next = network.list[1];
  auto passes = network.passes;
  passes.start(group);
  team_for(group, network.num_vertices, [&](Vertex v) {
    if (solved && network.near_source[v] != 0) return;
    bool const last = group.item(network.to_sink, v) > 0;
    group.item(network.height, v) = last ? 1 : network.no_way();
    if (last && network.num_arcs(group, v) > 0) passes.append(group, next, v);
  });
  Vertex distance = 2;
  for (; Vertex const size = passes.next(group); ++distance) {
    swap_values(found, next);
    auto const arcs = [&](Vertex i) { return network.num_arcs(group, found.at(group, i)); };
    group.for_rows(size, arcs, [&](Vertex i, auto lanes) {
      auto const open_behind = [&](Edge e) {
        FlowArc const arc = network.arc[e];
        return arc.residual < 2 * network.capacity[e] ? arc.head : no_vertex;
      };
      auto const unseen = [&](Vertex v) {
        return team_load(group, &group.item(network.height, v)) == network.no_way();
      };
      auto const claim = [&](Vertex v) {
        return team_claim(group, &group.item(network.height, v), network.no_way(), distance);
      };
      list_heads(network, passes, next, group, lanes, found.at(group, i), open_behind, unseen, claim);
    });
  }
  return distance - 1;
}

/// The lists of a round: `active` vertices are visited, `next` ones follow. A flag says who is in a list and has not
/// been visited.
struct FlowRound {
  FlowNetwork network;
  TeamPasses passes;
  TeamItems active, next;

  /// Lists v for the next round, if it is not listed yet.
  template <class Group>
  PROCMAP_HD void list(Group group, Vertex v) const {
    if (network.listed.set(group, v)) passes.append(group, next, v);
  }
};

/// The vertex that is visited.
struct Visit {
  Vertex height = 0;
  Vertex lowest = 0;  // of the heights that a lane has seen and from which it could push again
  Weight left = 0;    // to be sent
};

/// What a visit may send along an arc.
struct Outlet {
  FlowArc arc;
  Edge opposite = 0;
  Weight amount = 0;
};

/// Sends along arc e.
template <class Group>
PROCMAP_HD void send(FlowNetwork const& network, Group group, Edge e, Outlet const& out) {
  team_store(group, &network.arc[e].residual, out.arc.residual - out.amount);
  team_add(group, &network.arc[out.opposite].residual, out.amount);
  team_add(group, &group.item(network.excess, out.arc.head), out.amount);
}

/// Takes of the excess of v what the sink takes; returns the rest. The flag of v goes first: what arrives from now on
/// lists v again. What arrived before and cannot be seen yet is found when active vertices are listed anew.
template <class Group, class Lanes>
PROCMAP_HD Weight drain(FlowRound const& round, Group group, Lanes lanes, Vertex v) {
  auto const& network = round.network;
  Weight left = 0;
  if (lanes.rank() == 0) {
    network.listed.unset(group, v);
    left = team_load_fresh(group, &group.item(network.excess, v));
    if (Weight const open = group.item(network.to_sink, v); open > 0) {
      Weight const taken = left < open ? left : open;
      group.item(network.to_sink, v) = open - taken;
      team_add(group, &group.item(network.excess, v), -taken);
      round.passes.add(group, taken);
      left -= taken;
    }
  }
  return lanes.sum(left);
}

/// How much may go down an arc; notes how far it lets the vertex be lifted, if it does not go down.
template <class Group>
PROCMAP_HD void look_down(FlowNetwork const& network, Group group, Outlet& out, Visit& now) {
  auto const& arc = out.arc;
  Vertex const other = team_load(group, &group.item(network.height, arc.head));
  out.opposite = group.item(network.row_begin, arc.head) + arc.opposite;
  // A full arc bounds the lift, too, if the other end may be pushing back at this moment.
  bool const bounds = arc.residual > 0 || (Group::size() > 1 && other > now.height);
  if (other >= now.height && bounds && other < now.lowest) now.lowest = other;
  if (other < now.height) out.amount = arc.residual;
}

/// Sends what is left down a batch of arcs, of which `first` is the lane's first one.
template <class Group, class Lanes>
PROCMAP_HD void push_batch(FlowRound const& round, Group group, Lanes lanes, Visit& now, Edge first, Edge end) {
  auto const& network = round.network;
  constexpr int batch = arc_batch<Lanes>;
  Outlet out[batch];
  Weight all = 0;  // what arcs that go down take
  PROCMAP_UNROLL
  for (int i = 0; i < batch; ++i)
    if (Edge const e = first + i * lanes.size(); e < end) out[i].arc = network.look_at(group, e);
  PROCMAP_UNROLL
  for (int i = 0; i < batch; ++i) {
    if (first + i * lanes.size() < end) look_down(network, group, out[i], now);
    all += out[i].amount;
  }
  Weight const room = lanes.sum(all);
  if (room == 0) return;
  Weight mine = now.left;  // what the lanes before leave
  if (room > now.left) mine -= lanes.sum_below(all);
  bool is_new[batch] = {};  // nobody waits for one answer before he asks for the next
  PROCMAP_UNROLL
  for (int i = 0; i < batch; ++i) {
    if (mine < out[i].amount) out[i].amount = mine > 0 ? mine : 0;
    if (out[i].amount == 0) continue;
    mine -= out[i].amount;
    send(network, group, first + i * lanes.size(), out[i]);
  }
  PROCMAP_UNROLL
  for (int i = 0; i < batch; ++i)
    if (out[i].amount > 0) is_new[i] = network.listed.set(group, out[i].arc.head);
  Vertex head[batch];
  PROCMAP_UNROLL
  for (int i = 0; i < batch; ++i) head[i] = out[i].arc.head;
  round.passes.append_new(group, round.next, head, is_new);
  now.left = room < now.left ? now.left - room : 0;
}

/// One visit of v.
template <class Group, class Lanes>
PROCMAP_HD void visit(FlowRound const& round, Group group, Lanes lanes, Vertex v) {
  auto const& network = round.network;
  Visit now{group.item(network.height, v), network.no_way() - 1, 0};
  if (now.height >= network.no_way()) return;  // lifted while somebody sent to it
  Weight const had = now.left = drain(round, group, lanes, v);
  Edge const end = group.item(network.row_end, v);
  for (Edge base = group.item(network.row_begin, v); base < end && now.left > 0;
       base += arc_batch<Lanes> * lanes.size())
    push_batch(round, group, lanes, now, base + lanes.rank(), end);
  if (now.left > 0) now.lowest = lanes.best(now.lowest, [](Vertex a, Vertex b) { return a < b; });
  if (lanes.rank() != 0) return;
  if (had > now.left) team_add(group, &group.item(network.excess, v), now.left - had);
  if (now.left == 0) return;
  team_store(group, &group.item(network.height, v), now.lowest + 1);
  if (now.lowest + 1 < network.no_way()) round.list(group, v);
}

/// Lists the active vertices: those with excess that has a way.
template <class Group>
PROCMAP_HD Vertex list_active(FlowRound& round, Group group) {
  auto const& network = round.network;
  network.listed.clear_all(group, network.num_vertices);
  round.passes.start(group);
  team_for(group, network.num_vertices, [&](Vertex v) {
    if (group.item(network.excess, v) > 0 && group.item(network.height, v) < network.no_way()) round.list(group, v);
  });
  return round.passes.next(group);
}

/// Pushes until no excess can reach the sink: a maximum preflow. Heights end exact. They are made exact once rounds
/// have cost as much as that does, in work or, where many lanes share the work, in steps: without, what has no way to
/// the sink climbs for hundreds of rounds. `capacity`: of some cut; a flow as large is a maximum one. Once halves are
/// `solved`, only between those who had no way in theirs. Returns what the flow falls short of the capacity.
template <class Group>
PROCMAP_HD Weight maximum_preflow(FlowNetwork const& network, Group group, Weight capacity, bool solved = false) {
  constexpr int least_rounds = 16;
  FlowRound round{network, network.passes, network.list[0], network.list[1]};
  for (;;) {
    int const steps = global_relabel(network, group, solved);
    int const most_rounds = steps > least_rounds ? steps : least_rounds;
    Vertex num_active = list_active(round, group);
    if (num_active == 0 || capacity == 0) return capacity;
    Edge work = 0;  // visits since heights were exact
    for (int rounds = 0; num_active > 0 && capacity > 0 && work < network.num_vertices && rounds < most_rounds;
         ++rounds) {
      work += num_active;
      swap_values(round.active, round.next);
      auto const& active = round.active;
      auto const arcs = [&](Vertex i) { return network.num_arcs(group, active.at(group, i)); };
      group.for_rows(num_active, arcs, [&](Vertex i, auto lanes) { visit(round, group, lanes, active.at(group, i)); });
      num_active = round.passes.next(group);
      capacity -= round.passes.last_sum(group);
    }
  }
}

}  // namespace procmap
