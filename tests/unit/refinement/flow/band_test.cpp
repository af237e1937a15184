// SPDX-License-Identifier: MIT
#include "refinement/flow/band.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "exec/serial_group.hpp"
#include "refinement/flow/narrow.hpp"
#include "support/graphs.hpp"
#include "support/reference.hpp"
#include "support/refinement.hpp"
#include "support/thread_team.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t hashed_with = 7;

/// A graph in four blocks, and the pair (1, 2) of them with its border.
struct BandCase {
  Graph graph;
  std::vector<Block> block;
  std::vector<KeyedId> border;
  BlockPair pair{1, 2, 0, 0, 0};

  BandCase(Graph const& of, std::uint64_t seed) : graph(of), block(at(of.num_vertices())) {
    // Stripes, so that there is something behind the border, and some vertices anywhere.
    for (Vertex v = 0; v < graph.num_vertices(); ++v)
      block[at(v)] =
          static_cast<Block>(hash(seed, v) % 8 == 0 ? hash(seed, v, 1) % 4 : std::uint64_t(4) * at(v) / block.size());
    for (Vertex v = 0; v < graph.num_vertices(); ++v) border.push_back({0, v});  // more than there need be
    pair.last = static_cast<Edge>(border.size());
  }

  /// Nobody is in a band, and some never will be.
  std::vector<Vertex> places() const {
    std::vector<Vertex> place(block.size(), no_vertex);
    for (std::size_t v = 0; v < place.size(); v += 11) place[v] = never_placed;
    return place;
  }
};

struct FoundBand {
  std::vector<Vertex> vertices;  // sorted
  bool cut_short = false;
};

/// One side, by the definition: steps from the border, until one does not fit.
FoundBand side_by_definition(BandCase const& a_case, std::vector<Vertex> const& place, Block own, BandLimit limit) {
  auto const graph = view_of(a_case.graph);
  Block const other = own == a_case.pair.a ? a_case.pair.b : a_case.pair.a;
  FoundBand band;
  std::vector<bool> found(a_case.block.size());
  std::vector<Vertex> step;
  auto const sees = [&](Vertex v, auto what) {
    for (Edge e = graph.begin(v); e < graph.end(v); ++e)
      if (graph.arc_weight(e) != 0 && what(graph.heads[e])) return true;
    return false;
  };
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    if (a_case.block[at(v)] == own && place[at(v)] != never_placed &&
        sees(v, [&](Vertex u) { return a_case.block[at(u)] == other; }))
      step.push_back(v);
  for (int depth = 1; !step.empty(); ++depth) {
    auto const weight_of = [&](int classes) {
      Weight weight = 0, count = 0;
      for (Vertex const v : step)
        if (admission_class(hashed_with, v) < classes) weight += graph.vertex_weight(v), ++count;
      return std::pair(weight, count);
    };
    auto const fits = [&](int classes) {
      return weight_of(classes).first <= limit.weight && weight_of(classes).second <= limit.vertices;
    };
    int classes = admission_classes;
    while (!fits(classes)) --classes;
    band.cut_short |= classes < admission_classes && weight_of(admission_classes).first <= limit.weight;
    for (Vertex const v : step) {
      found[at(v)] = true;
      if (admission_class(hashed_with, v) < classes) band.vertices.push_back(v);
    }
    if (classes < admission_classes || depth == limit.depth) break;
    limit.weight -= weight_of(classes).first;
    limit.vertices -= static_cast<Vertex>(weight_of(classes).second);
    std::vector<Vertex> next;
    for (Vertex v = 0; v < graph.num_vertices; ++v)
      if (a_case.block[at(v)] == own && !found[at(v)] && place[at(v)] != never_placed &&
          sees(v, [&](Vertex u) { return std::find(step.begin(), step.end(), u) != step.end(); }))
        next.push_back(v);
    step = next;
  }
  return band;
}

FoundBand band_by_definition(BandCase const& a_case, std::vector<Vertex> const& place, BandLimits const& limits) {
  auto band = side_by_definition(a_case, place, a_case.pair.a, limits.a);
  auto const other = side_by_definition(a_case, place, a_case.pair.b, limits.b);
  band.vertices.insert(band.vertices.end(), other.vertices.begin(), other.vertices.end());
  std::sort(band.vertices.begin(), band.vertices.end());
  band.cut_short |= other.cut_short;
  return band;
}

enum class Sides { together, in_turn, by_threads };
constexpr auto all_sides = {Sides::together, Sides::in_turn, Sides::by_threads};

/// The band of one team.
struct GrownBand {
  BandCase const* a_case;
  std::vector<Vertex>* place;
  std::vector<Vertex> items, candidates;
  std::vector<GrownStep> steps;
  std::vector<std::byte> fast = std::vector<std::byte>(std::size_t{1} << 14);
  Vertex count = 0;
  Growth growth;

  GrownBand(BandCase const& of, std::vector<Vertex>& all_places, BandLimits const& limits, Sides sides)
      : a_case(&of), place(&all_places), items(of.block.size()), candidates(of.block.size()) {
    auto const depth = std::max(limits.a.depth, limits.b.depth);
    steps.resize(static_cast<std::size_t>(most_steps(depth, of.graph.num_vertices())));
    auto const* const border = of.border.data();
    if (sides == Sides::by_threads)
      run_team([&](ThreadTeam team) { grow_with(team, limits); }, fast);
    else if (sides == Sides::in_turn)
      grow_with(SerialGroup{}, limits);
    else
      grow_sides(graph(), view(), of.pair, border, SerialGroup{}, {true, true}, limits, hashed_with, growth);
  }

  template <class Team>
  void grow_with(Team team, BandLimits const& limits) {
    auto const mine = grow(graph(), view(), a_case->pair, a_case->border.data(), team, limits, hashed_with);
    if (team.rank() == 0) growth = mine;
  }

  CsrView graph() const { return view_of(a_case->graph); }
  BandView view() {
    BandView band{a_case->block.data(), place->data(), {items.data(), &count}, candidates.data(), steps.data(), {}};
    FastMemory memory{fast.data(), fast.size()};
    band.take_room(memory);
    return band;
  }

  FoundBand found() const {
    FoundBand band{{items.begin(), items.begin() + count}, growth.cut_short != 0};
    std::sort(band.vertices.begin(), band.vertices.end());
    return band;
  }
  /// What stays within narrower limits.
  std::vector<Vertex> within(BandLimits const& limits) {
    auto const ends = ends_within(graph(), view(), a_case->pair, growth, count, SerialGroup{}, limits, hashed_with);
    std::vector<Vertex> vertices;
    for (Vertex i = 0; i < count; ++i) {
      Vertex const v = items[at(i)];
      bool const in_b = a_case->block[at(v)] == a_case->pair.b;
      if ((in_b ? ends.b : ends.a).keeps(i, v, hashed_with)) vertices.push_back(v);
    }
    std::sort(vertices.begin(), vertices.end());
    return vertices;
  }
};

/// Grows it, sees that `place` holds the numbers of the vertices and nothing else, and forgets it.
FoundBand grown(BandCase const& a_case, std::vector<Vertex>& place, BandLimits const& limits, Sides sides) {
  auto const before = place;

  GrownBand band(a_case, place, limits, sides);

  auto expected = before;
  for (Vertex i = 0; i < band.count; ++i) expected[at(band.items[at(i)])] = i;
  EXPECT_EQ(place, expected);
  EXPECT_LE(static_cast<std::size_t>(band.growth.steps), band.steps.size());
  auto const found = band.found();
  clear_band(band.view(), SerialGroup{});
  EXPECT_EQ(place, before);
  return found;
}

TEST(Band, GrowsOnBothSidesAsDefined) {
  WorthwhileCases cases;
  for (auto const seed : each_seed(2))
    for (auto const& [name, graph] : all_shapes(seed)) {
      BandCase const a_case(graph, seed);
      auto place = a_case.places();
      Weight const all = graph.total_vertex_weight();
      auto const most = graph.num_vertices();
      for (BandLimit const a : {BandLimit{all, most, 16}, {all / 10, most, 16}, {all, most / 15, 16}, {all, most, 2}})
        for (BandLimit const b : {BandLimit{all, most, a.depth}, {all / 20, most, a.depth}, {0, most, a.depth}}) {
          if (!cases.next()) continue;
          auto const expected = band_by_definition(a_case, place, {a, b});

          for (auto const sides : all_sides) {
            auto const found = grown(a_case, place, {a, b}, sides);

            EXPECT_EQ(found.vertices, expected.vertices);
            EXPECT_EQ(found.cut_short, expected.cut_short);
          }
        }
    }
}

TEST(Band, IsWithinNarrowerLimitsWhatTheyAloneWouldHaveGrown) {
  for (auto const seed : each_seed(2))
    for (auto const& [name, graph] : all_shapes(seed)) {
      BandCase const a_case(graph, seed);
      auto place = a_case.places();
      Weight const all = graph.total_vertex_weight();
      auto const most = graph.num_vertices();
      for (BandLimits const wide : {BandLimits{{all, most, 16}, {all, most, 16}},
                                    {{all / 4, most / 6, 16}, {all / 6, most / 4, 16}},
                                    {{all / 3, most, 3}, {all / 20, most, 3}}}) {
        auto const narrower = [&](Weight of_a, Weight of_b) {
          auto limits = wide;
          limits.a.weight /= of_a;
          limits.b.weight /= of_b;
          return limits;
        };
        for (auto const& narrow : {wide, narrower(2, 2), narrower(8, 3), narrower(1, 30), narrower(all + 1, all + 1)}) {
          auto const expected = band_by_definition(a_case, place, narrow);
          for (auto const sides : all_sides) {
            GrownBand band(a_case, place, wide, sides);

            EXPECT_EQ(band.within(narrow), expected.vertices) << name;

            clear_band(band.view(), SerialGroup{});
          }
        }
      }
    }
}

}  // namespace
}  // namespace procmap::test
