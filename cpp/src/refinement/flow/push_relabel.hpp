// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/network.hpp"

namespace procmap {

// A maximum preflow by synchronous push-relabel (Goldberg and Tarjan, "A new approach to the maximum-flow
// problem", section 4) with global relabelling (Cherkassky and Goldberg, "On implementing the push-relabel method
// for the maximum flow problem"). A round has steps with a sync after each:
//
//   push      every active vertex sends what it has down its admissible arcs. Only one end of a pair of arcs can
//             be the higher one, so nobody else writes the residuals of the two; arrivals are summed in `received`
//   relabel   who still has excess finds its new height from heights and residuals that nobody writes now
//   settle    arrivals go to the sink or become excess; the next active vertices are listed
//
// Which preflow comes out depends on the order of arcs; the two cuts read from it do not (extreme_cuts.hpp).

/// Exact heights: the distance to the sink in the residual network, by a search backwards from it. Returns its steps.
template <class Group>
PROCMAP_HD int global_relabel(FlowNetwork const& network, Group group) {
  auto const queue = network.receivers;
  queue.clear(group);
  team_for(group, network.num_vertices, [&](Vertex v) {
    bool const last = network.to_sink[v] > 0;
    network.height[v] = last ? 1 : network.no_way();
    if (last) queue.append(group, v);
  });
  Vertex begin = 0;
  for (Vertex distance = 2;; ++distance) {
    Vertex const end = queue.size(group);
    if (begin == end) {
      queue.clear(group);
      return distance - 1;
    }
    auto const arcs = [&](Vertex i) { return network.num_arcs(queue.items[begin + i]); };
    group.for_rows(end - begin, arcs, [&](Vertex i, auto lanes) {
      auto const behind = [&](Edge e) {
        Vertex const v = network.head[e];
        return network.height[v] == network.no_way() && network.opposite_residual(e) > 0 ? v : no_vertex;
      };
      for_each_arc_of(network, queue.items[begin + i], lanes, behind, [&](Edge, Vertex v) {
        if (v != no_vertex && team_claim(group, &network.height[v], network.no_way(), distance)) queue.append(group, v);
      });
    });
    begin = end;
  }
}

/// Sends `amount` along arc e.
template <class Group>
PROCMAP_HD void send(FlowNetwork const& network, Group group, Edge e, Weight amount) {
  network.residual[e] -= amount;
  network.residual[network.reverse[e]] = network.opposite_residual(e);
  Vertex const u = network.head[e];
  if (team_add(group, &network.received[u], amount) == 0) network.receivers.append(group, u);
}

/// Sends as much excess of v as its admissible arcs take.
template <class Group, class Lanes>
PROCMAP_HD void push(FlowNetwork const& network, Group group, Lanes lanes, Vertex v) {
  Weight left = network.excess[v];
  Vertex const lower = network.height[v] - 1;
  Edge const end = network.row_end[v];
  constexpr int batch = arc_batch<Lanes>;
  for (Edge base = network.row_begin[v]; base < end && left > 0; base += batch * lanes.size()) {
    Weight room[batch];  // of arcs that go down
    Weight all = 0;
    for (int i = 0; i < batch; ++i) {
      Edge const e = base + i * lanes.size() + lanes.rank();
      Weight const residual = e < end ? network.residual[e] : 0;  // of use only if nobody writes it now
      room[i] = e < end && network.height[network.head[e]] == lower ? residual : 0;
      all += room[i];
    }
    Weight mine = left - lanes.sum_below(all);  // what the lanes before leave
    for (int i = 0; i < batch; ++i) {
      Weight const amount = mine < room[i] ? mine : room[i];
      if (amount <= 0) continue;
      mine -= amount;
      send(network, group, base + i * lanes.size() + lanes.rank(), amount);
    }
    Weight const sent = lanes.sum(all);
    left = sent < left ? left - sent : 0;
  }
  lanes.sync();
  if (lanes.rank() == 0) network.excess[v] = left;
}

/// The least height from which v could push again.
template <class Lanes>
PROCMAP_HD Vertex relabelled(FlowNetwork const& network, Lanes lanes, Vertex v) {
  Vertex lowest = network.no_way() - 1;
  auto const height = [&](Edge e) {
    return network.residual[e] > 0 ? network.height[network.head[e]] : network.no_way();
  };
  for_each_arc_of(network, v, lanes, height, [&](Edge, Vertex h) {
    if (h < lowest) lowest = h;
  });
  return lanes.best(lowest, [](Vertex a, Vertex b) { return a < b; }) + 1;
}

/// Takes in what u received in this round.
PROCMAP_HD inline void settle(FlowNetwork const& network, Vertex u) {
  Weight const arrived = network.received[u];
  Weight const taken = arrived < network.to_sink[u] ? arrived : network.to_sink[u];
  network.received[u] = 0;
  network.to_sink[u] -= taken;
  network.excess[u] += arrived - taken;
}

/// One round; lists the next active vertices in next_active.
template <class Group>
PROCMAP_HD void push_relabel_round(FlowNetwork const& network, Group group, Vertex num_active) {
  auto const& active = network.active.items;
  auto const arcs = [&](Vertex i) { return network.num_arcs(active[i]); };
  group.for_rows(num_active, arcs, [&](Vertex i, auto lanes) { push(network, group, lanes, active[i]); });
  Vertex const num_receivers = network.receivers.size(group);
  auto const& receivers = network.receivers.items;
  group.for_rows(num_active, arcs, [&](Vertex i, auto lanes) {
    Vertex const v = active[i];
    Vertex const height = network.excess[v] > 0 ? relabelled(network, lanes, v) : network.height[v];
    if (lanes.rank() == 0) network.next_height[v] = height;
  });
  group.sync();
  team_for(group, num_active, [&](Vertex i) { network.height[active[i]] = network.next_height[active[i]]; });
  team_for(group, num_receivers, [&](Vertex i) { settle(network, receivers[i]); });
  group.sync();
  team_for(group, num_active, [&](Vertex i) {
    bool const stays = network.is_active(active[i]);
    network.listed[active[i]] = stays;
    if (stays) network.next_active.append(group, active[i]);
  });
  group.sync();
  team_for(group, num_receivers, [&](Vertex i) {
    Vertex const u = receivers[i];
    if (network.listed[u] || !network.is_active(u)) return;
    network.listed[u] = 1;
    network.next_active.append(group, u);
  });
}

template <class Group>
PROCMAP_HD void list_active(FlowNetwork const& network, Group group) {
  network.active.clear(group);
  team_for(group, network.num_vertices, [&](Vertex v) {
    bool const active = network.is_active(v);
    network.listed[v] = active;
    if (active) network.active.append(group, v);
  });
}

/// Pushes until no excess can reach the sink: a maximum preflow. Heights end exact. They are made exact once rounds
/// have cost as much as that does, in work or, where many lanes share the work, in steps: without, what has no way to
/// the sink climbs for hundreds of rounds.
template <class Group>
PROCMAP_HD void maximum_preflow(FlowNetwork network, Group group) {
  constexpr int least_rounds = 16;
  int steps = global_relabel(network, group);
  list_active(network, group);
  Edge work = 0;   // visits of active vertices since heights were exact
  int rounds = 0;  // ... and rounds
  for (;;) {
    Vertex const num_active = network.active.size(group);
    if (num_active == 0) break;
    network.next_active.clear(group);
    network.receivers.clear(group);
    push_relabel_round(network, group, num_active);
    work += num_active;
    ++rounds;
    auto const now_active = network.next_active;
    network.next_active = network.active;
    network.active = now_active;
    if (work < network.num_vertices && rounds < (steps > least_rounds ? steps : least_rounds)) continue;
    group.sync();
    steps = global_relabel(network, group);
    list_active(network, group);
    work = 0;
    rounds = 0;
  }
  if (rounds > 0) global_relabel(network, group);
}

}  // namespace procmap
