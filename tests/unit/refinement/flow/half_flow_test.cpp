// SPDX-License-Identifier: MIT
#include "refinement/flow/half_flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/flow_networks.hpp"
#include "support/max_flow.hpp"

// Maximum preflows of one thread, held against cuts by definition and by shortest augmenting paths.

namespace procmap::test {
namespace {

/// Distances to the sink in what is left of a network, by arcs looked at one by one.
template <class Amount>
std::vector<Vertex> distances(Half<Amount> const& half) {
  std::vector<Vertex> distance(at(half.size()), half.no_way());
  for (Vertex i = 0; i < half.size(); ++i)
    if (half.vertices()[i].to_sink > 0) distance[at(i)] = 1;
  for (bool changes = true; changes;) {
    changes = false;
    for (Vertex i = 0; i < half.size(); ++i)
      for_arcs(half, i, [&](auto const& arc) {
        if (arc.ahead == 0 || distance[at(arc.head)] + 1 >= distance[at(i)]) return;
        distance[at(i)] = distance[at(arc.head)] + 1;
        changes = true;
      });
  }
  return distance;
}

/// What the excess reaches.
template <class Amount>
std::vector<bool> reached(Half<Amount> const& half) {
  std::vector<bool> is_reached(at(half.size()), false);
  std::vector<Vertex> found;
  auto const add = [&](Vertex i) {
    if (!is_reached[at(i)]) found.push_back(i);
    is_reached[at(i)] = true;
  };
  for (Vertex i = 0; i < half.size(); ++i)
    if (half.vertices()[i].excess > 0) add(i);
  for (std::size_t k = 0; k < found.size(); ++k)
    for_arcs(half, found[k], [&](auto const& arc) {
      if (arc.ahead > 0) add(arc.head);
    });
  return is_reached;
}

/// The network, with heights that are lower bounds. Adds up what goes straight through vertices.
template <class Amount>
void fill(Half<Amount>& half, FlowCase const& flow, Weight& certain) {
  std::vector<Edge> degree(flow.from_source.size(), 0);
  for (auto const& link : flow.links) ++degree[at(link.u)], ++degree[at(link.v)];
  half.clear();
  half.make_room(flow.num_vertices(), static_cast<Edge>(2 * flow.links.size()));
  for (Vertex v = 0; v < flow.num_vertices(); ++v) half.append(degree[at(v)]);
  for (auto const& link : flow.links) {
    auto const amount = static_cast<Amount>(link.capacity);
    half.link(link.u, link.v, amount, amount);
  }
  for (Vertex v = 0; v < flow.num_vertices(); ++v) {
    Weight const common = std::min(flow.from_source[at(v)], flow.to_sink[at(v)]);
    half.vertices()[v].excess = static_cast<Amount>(flow.from_source[at(v)] - common);
    half.vertices()[v].to_sink = static_cast<Amount>(flow.to_sink[at(v)] - common);
    half.heights()[v] = 1;
    certain += common;
  }
}

template <class Amount>
void expect_maximum_preflow(FlowCase const& flow, Half<Amount>& half, ExtremeCuts const& expected) {
  Weight value = 0;
  fill(half, flow, value);
  for (Vertex v = 0; v < half.size(); ++v) value += half.vertices()[v].excess;

  HalfFlow<Amount>(half).run();

  ExtremeCuts found{value, reached(half), {}};
  for (Vertex v = 0; v < half.size(); ++v) {
    found.value -= half.vertices()[v].excess;
    found.sink_side.push_back(half.has_way(v));
    for_arcs(half, v, [&](auto const& arc) {
      EXPECT_GE(arc.ahead, 0);
      EXPECT_EQ(arc.ahead, opposite(half, arc).behind);
    });
  }

  EXPECT_EQ(found, expected);
  EXPECT_EQ(std::vector<Vertex>(half.heights(), half.heights() + half.size()), distances(half));
}

TEST(HalfFlow, IsAMaximumPreflowWithExactHeights) {
  Half<std::int32_t> narrow;  // one network after the other, in the same arrays
  Half<Weight> wide;
  int with_narrow = 0;
  for (auto const seed : each_seed(6))
    for (auto const& flow : larger_cases(seed)) {
      auto const expected = AugmentingPaths(flow).solve();
      Weight all = 0;
      for (auto const& link : flow.links) all += 2 * link.capacity;
      for (std::size_t v = 0; v < flow.from_source.size(); ++v) all += flow.from_source[v] + flow.to_sink[v];
      expect_maximum_preflow(flow, wide, expected);
      if (all > std::numeric_limits<std::int32_t>::max()) continue;
      expect_maximum_preflow(flow, narrow, expected);
      ++with_narrow;
    }
  EXPECT_GT(with_narrow, 10);
}

TEST(HalfFlow, LeavesAnEmptyNetworkAlone) {
  Half<std::int32_t> half;
  half.clear();

  HalfFlow<std::int32_t>(half).run();

  EXPECT_EQ(half.size(), 0);
}

}  // namespace
}  // namespace procmap::test
