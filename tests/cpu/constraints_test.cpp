// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/reference.hpp"

// Capacities, fixed vertices and PEs that must not stay empty, through the public interface.

namespace procmap::test {
namespace {

std::vector<Topology> machines() {
  std::vector<Topology> machines;
  machines.push_back(Topology::hierarchy("4:2:3", "1:10:100"));
  machines.push_back(Topology::hierarchy("1:3:1:2", "1:2:2:7"));
  machines.push_back(Topology::flat(13));
  machines.push_back(Topology::flat(1));
  return machines;
}

Options options(std::string_view preset, std::uint64_t seed) {
  Options options;
  options.config = Config::preset(preset);
  options.seed = seed;
  options.threads = 2;
  return options;
}

/// f(graph, machine, options, description) for all presets, machines and shapes.
template <class F>
void for_each_case(std::uint64_t seed, F f) {
  WorthwhileCases cases;
  for (auto const* const preset : {"fast", "default", "im", "hm"})
    for (auto const& topology : machines())
      for (auto const& [name, graph] : all_shapes(seed))
        if (cases.next())
          f(graph, topology, options(preset, seed),
            name + " by " + preset + " on " + topology.describe() + ", seed " + std::to_string(seed));
}

/// A third of the PEs forbidden, the others between small and large; together a tenth more than needed.
std::vector<Weight> uneven_capacities(Weight total, Block k, std::uint64_t seed) {
  std::vector<Weight> share(at(k));
  for (std::size_t pe = 0; pe < share.size(); ++pe)
    share[pe] = random_below(3, seed, 7, pe) == 0 ? 0 : 1 + random_below(5, seed, 8, pe);
  if (std::ranges::max(share) == 0) share[0] = 1;
  auto const sum = std::accumulate(share.begin(), share.end(), Weight{0});
  for (Weight& c : share)
    if (c > 0) c = (total + total / 10) * c / sum + 1;
  return share;
}

std::vector<Vertex> sizes_of(std::vector<Block> const& blocks, Block k) {
  std::vector<Vertex> count(at(k), 0);
  for (Block const b : blocks) ++count.at(at(b));
  return count;
}

/// Fixes about a share of the vertices, never more than half of what a PE may hold.
std::vector<Block> some_fixed(Graph const& graph, std::vector<Weight> const& capacity, std::uint64_t seed) {
  std::vector<Block> fixed(at(graph.num_vertices()), no_block);
  std::vector<Weight> load(capacity.size(), 0);
  for (std::size_t v = 0; v < fixed.size(); ++v) {
    if (random_below(5, seed, 11, v) != 0) continue;
    auto const pe = static_cast<std::size_t>(random_below(static_cast<std::int64_t>(capacity.size()), seed, 12, v));
    Weight const weight = graph.vertex_weights().empty() ? 1 : graph.vertex_weights()[v];
    if (capacity[pe] == 0 || load[pe] + weight > (capacity[pe] + 1) / 2) continue;
    load[pe] += weight;
    fixed[v] = static_cast<Block>(pe);
  }
  return fixed;
}

void expect_kept(Mapping const& mapping, Graph const& graph, Options const& how, std::string const& where) {
  auto const& report = mapping.report;
  auto const k = static_cast<Block>(report.capacities.size());
  auto const load = weights_by(to_csr(graph), mapping.blocks, at(k));
  auto const count = sizes_of(mapping.blocks, k);
  bool fits = true;
  for (std::size_t pe = 0; pe < at(k); ++pe) {
    fits = fits && load[pe] <= report.capacities[pe];
    EXPECT_TRUE(how.capacities.empty() || how.capacities[pe] > 0 || count[pe] == 0) << where << ", PE " << pe;
  }
  EXPECT_EQ(report.feasible, fits) << where;
  EXPECT_TRUE(how.capacities.empty() || report.capacities == how.capacities) << where;
  EXPECT_TRUE(fits || !graph.vertex_weights().empty()) << where << ": unit weights always fit";
  for (std::size_t v = 0; v < how.fixed.size(); ++v)
    ASSERT_TRUE(how.fixed[v] == no_block || how.fixed[v] == mapping.blocks[v]) << where << ", vertex " << v;
}

// Who belongs to the core of a power law decides the cut. All at once, it was up to 4.4 times that of `default`.
TEST(Capacities, OfWhichOneIsLargeGetTheCoreOfAPowerLaw) {
  auto const graph = rmat(12, 40000, 1);
  auto const topology = Topology::flat(32);
  Options how;
  how.capacities.assign(32, graph.num_vertices() * 103 / 4700);
  how.capacities[0] *= 16;
  auto const cut = [&](char const* preset) {
    how.config = Config::preset(preset);
    return static_cast<double>(map(graph, topology, how).report.cost);
  };

  EXPECT_LT(cut("fast"), 1.1 * cut("default"));
}

TEST(Capacities, AreNeverExceededAndForbiddenPesStayEmpty) {
  for (auto const seed : each_seed(2))
    for_each_case(seed, [&](Graph const& graph, Topology const& topology, Options how, std::string const& where) {
      how.capacities = uneven_capacities(graph.total_vertex_weight(), topology.num_pes(), seed);
      expect_kept(map(graph, topology, how), graph, how, where);
    });
}

TEST(Capacities, AreMetWithoutAnySlack) {
  for (auto const seed : each_seed(2))
    for_each_case(seed, [&](Graph const& graph, Topology const& topology, Options how, std::string const& where) {
      if (!graph.vertex_weights().empty() || graph.num_vertices() == 0) return;
      how.capacities = uneven_capacities(graph.total_vertex_weight(), topology.num_pes(), seed);
      auto excess = std::accumulate(how.capacities.begin(), how.capacities.end(), Weight{0}) - graph.num_vertices();
      for (Weight& c : how.capacities) {
        auto const less = std::min(c, excess);
        c -= less;
        excess -= less;
      }
      expect_kept(map(graph, topology, how), graph, how, where);
    });
}

TEST(Fixed, VerticesAreWhereTheyWereAsked) {
  for (auto const seed : each_seed(2))
    for_each_case(seed, [&](Graph const& graph, Topology const& topology, Options how, std::string const& where) {
      auto const lmax = block_capacity(graph.total_vertex_weight(), topology.num_pes(), how.imbalance);
      how.fixed = some_fixed(graph, std::vector<Weight>(at(topology.num_pes()), lmax), seed);
      expect_kept(map(graph, topology, how), graph, how, where);
    });
}

TEST(Fixed, VerticesAreWhereTheyWereAskedOnUnequalPes) {
  for (auto const seed : each_seed(2))
    for_each_case(seed, [&](Graph const& graph, Topology const& topology, Options how, std::string const& where) {
      how.capacities = uneven_capacities(graph.total_vertex_weight(), topology.num_pes(), seed);
      how.fixed = some_fixed(graph, how.capacities, seed);
      expect_kept(map(graph, topology, how), graph, how, where);
    });
}

TEST(Capacities, AreMetByTasksThatChangePlaces) {
  auto csr = csr_from_edges(3, {{0, 1}, {1, 2}});
  csr.vertex_weights = {5, 2, 1};
  for (auto const& preset : Config::preset_names())
    for (auto const seed : each_seed(3)) {
      auto how = options(preset, seed);
      how.capacities = {6, 0, 3, 2};
      how.allow_empty = true;
      auto const report = map(csr.graph(), Topology::flat(4), how).report;

      EXPECT_TRUE(report.feasible) << preset;
      EXPECT_EQ(report.cost, 2) << preset << ": 2 + 1 beside 5";
    }
}

}  // namespace
}  // namespace procmap::test
