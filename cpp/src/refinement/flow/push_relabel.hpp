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

/// Exact heights: the distance to the sink in the residual network, by a search backwards from it.
template <class Group>
PROCMAP_HD void global_relabel(FlowNetwork const& network, Group group) {
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
    if (begin == end) break;
    team_for(group, end - begin, [&](Vertex i) {
      Vertex const u = queue.items[begin + i];
      for (Edge e = network.row_begin[u]; e < network.row_end[u]; ++e) {
        Vertex const v = network.head[e];
        if (network.height[v] != network.no_way() || network.residual[network.reverse[e]] <= 0) continue;
        if (team_claim(group, &network.height[v], network.no_way(), distance)) queue.append(group, v);
      }
    });
    begin = end;
  }
  queue.clear(group);
}

/// Sends as much excess of v as its admissible arcs take.
template <class Group>
PROCMAP_HD void push(FlowNetwork const& network, Group group, Vertex v) {
  Weight left = network.excess[v];
  Vertex const lower = network.height[v] - 1;
  for (Edge e = network.row_begin[v]; e < network.row_end[v] && left > 0; ++e) {
    Vertex const u = network.head[e];
    if (network.height[u] != lower || network.residual[e] <= 0) continue;
    Weight const amount = left < network.residual[e] ? left : network.residual[e];
    left -= amount;
    network.residual[e] -= amount;
    network.residual[network.reverse[e]] += amount;
    if (team_add(group, &network.received[u], amount) == 0) network.receivers.append(group, u);
  }
  network.excess[v] = left;
}

/// The least height from which v could push again.
PROCMAP_HD inline Vertex relabelled(FlowNetwork const& network, Vertex v) {
  Vertex lowest = network.no_way() - 1;
  for (Edge e = network.row_begin[v]; e < network.row_end[v]; ++e)
    if (Vertex const h = network.height[network.head[e]]; h < lowest && network.residual[e] > 0) lowest = h;
  return lowest + 1;
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
  team_for(group, num_active, [&](Vertex i) { push(network, group, active[i]); });
  Vertex const num_receivers = network.receivers.size(group);
  auto const& receivers = network.receivers.items;
  team_for(group, num_active, [&](Vertex i) {
    Vertex const v = active[i];
    network.next_height[v] = network.excess[v] > 0 ? relabelled(network, v) : network.height[v];
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

/// Pushes until no excess can reach the sink: a maximum preflow. Heights end exact.
template <class Group>
PROCMAP_HD void maximum_preflow(FlowNetwork network, Group group) {
  global_relabel(network, group);
  list_active(network, group);
  Edge work = 0;  // visits of active vertices since heights were exact
  for (;;) {
    Vertex const num_active = network.active.size(group);
    if (num_active == 0) break;
    network.next_active.clear(group);
    network.receivers.clear(group);
    push_relabel_round(network, group, num_active);
    work += num_active;
    auto const now_active = network.next_active;
    network.next_active = network.active;
    network.active = now_active;
    if (work < network.num_vertices) continue;
    group.sync();
    global_relabel(network, group);
    list_active(network, group);
    work = 0;
  }
  global_relabel(network, group);
}

}  // namespace procmap
