// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "opinion.hpp"
#include "plain_graph.hpp"
#include "procmap/error.hpp"
#include "procmap/procmap.hpp"
#include "result.hpp"

// The border of the library: arrays and options of any kind, most of them right, are mapped or refused. A result is
// measured again by the definitions (result.hpp), and is the same on two threads.

namespace procmap::fuzz {
namespace {

void spoil(PlainGraph& graph, Bytes& bytes) {
  auto const i = [&](auto const& values) { return bytes.next() % std::max<std::size_t>(values.size(), 1); };
  auto const odd = bytes.odd_integer();
  switch (bytes.below(8)) {
    case 0:
      if (!graph.offsets.empty()) graph.offsets[i(graph.offsets)] = odd;
      break;
    case 1:
      if (!graph.heads.empty()) graph.heads[i(graph.heads)] = static_cast<Vertex>(odd);
      break;
    case 2:
      if (!graph.arc_weights.empty()) graph.arc_weights[i(graph.arc_weights)] = odd;
      break;
    case 3:
      if (!graph.vertex_weights.empty()) graph.vertex_weights[i(graph.vertex_weights)] = odd;
      break;
    case 4:
      graph.heads.push_back(static_cast<Vertex>(odd));
      break;
    case 5:
      graph.vertex_weights.push_back(odd);
      break;
    case 6:
      graph.arc_weights.push_back(odd);
      break;
    default:
      graph.offsets.resize(i(graph.offsets));
  }
}

PlainGraph graph_of(Bytes& bytes) {
  auto const n = bytes.below(12);
  std::vector<std::vector<std::pair<Vertex, Weight>>> rows(at(n));
  bool const weighted = bytes.one_in(2), loaded = bytes.one_in(2);
  static constexpr std::array<Weight, 4> scales = {1, 1, 1 << 20, Weight{1} << 50};
  auto const scale = scales[at(bytes.below(4))];
  for (int edges = n > 0 ? bytes.below(32) : 0; edges > 0; --edges) {
    auto const u = bytes.below(n), v = bytes.below(n);
    auto const weight = weighted ? bytes.below(5) * scale : 1;
    rows[at(u)].emplace_back(v, weight);
    rows[at(v)].emplace_back(u, weight);
  }
  PlainGraph graph;
  for (auto const& row : rows) {
    for (auto const& [head, weight] : row) {
      graph.heads.push_back(head);
      if (weighted) graph.arc_weights.push_back(weight);
    }
    graph.offsets.push_back(static_cast<Edge>(graph.heads.size()));
    if (loaded) graph.vertex_weights.push_back(bytes.below(6) * scale);
  }
  if (bytes.one_in(4))
    for (int i = bytes.below(3); i >= 0; --i) spoil(graph, bytes);
  return graph;
}

Topology machine_of(Bytes& bytes) {
  static std::array const machines = {
      Topology::flat(2),
      Topology::flat(5),
      Topology::hierarchy("2:2", "1:10"),
      Topology::hierarchy("2:3:2", "1:10:100"),
      Topology::hierarchy("1:4:1", "0:5:7"),
      Topology::torus({3, 2}, {1, 3}),
      Topology::mesh({4}),
      Topology::hypercube(3),
      Topology::dragonfly(3, 2, 1),
      Topology::from_distance_matrix(std::vector<Weight>{0, 5, 1, 5, 0, 7, 1, 7, 0}, 3),
      Topology::hierarchy("2:3:2", "1:10:100").sub(std::vector<Block>{7, 0, 3, 11}),
      Topology::flat(1),
      Topology::hierarchy("2:2", "0:2147483647"),
      Topology::fat_tree(4, 2),
  };
  return machines[at(bytes.below(static_cast<int>(machines.size())))];
}

void change_field(Config& config, Bytes& bytes) {
  static auto const fields = config_fields();
  auto const& field = fields[bytes.next() % fields.size()];
  auto const choice = bytes.next();
  switch (field.type) {
    case ConfigField::Type::boolean:
      return set_value(config, field.path, choice % 2 == 1);
    case ConfigField::Type::integer:
      return set_value(config, field.path, static_cast<std::int64_t>(std::min(field.min + choice % 16, field.max)));
    case ConfigField::Type::real:
      return set_value(config, field.path, std::min(field.min + choice % 16 / 8.0, field.max));
    case ConfigField::Type::choice:
      return set_value(config, field.path, field.choices[choice % field.choices.size()]);
  }
}

Config config_of(Bytes& bytes) {
  static constexpr std::array<char const*, 8> presets = {"fast", "fast", "fast", "fast", "im", "im", "hm", "default"};
  auto config = Config::preset(presets[at(bytes.below(8))]);
  if (bytes.one_in(4))
    for (int i = bytes.below(4); i > 0; --i) change_field(config, bytes);
  return config;
}

/// Mostly of the right length, and in [low, high].
template <class T>
std::vector<T> values(Bytes& bytes, std::size_t length, std::int64_t low, std::int64_t high) {
  std::vector<T> list(length);
  for (auto& value : list) value = static_cast<T>(low + bytes.next() % (high - low + 1));
  if (!bytes.one_in(8)) return list;
  if (bytes.one_in(4))
    list.resize(static_cast<std::size_t>(bytes.below(16)));
  else if (!list.empty())
    list[bytes.next() % list.size()] = static_cast<T>(bytes.odd_integer());
  return list;
}

Options options_of(Bytes& bytes, Vertex n, Weight load, Block k) {
  Options options;
  options.config = config_of(bytes);
  options.device = "cpu";
  options.threads = 1;
  options.seed = bytes.next();
  options.imbalance = imbalances[at(bytes.below(static_cast<int>(imbalances.size())))].value;
  if (bytes.one_in(4)) {
    options.capacities = values<Weight>(bytes, at(k), 0, 4);
    auto const unit = load / k + 1;
    for (auto& capacity : options.capacities)
      if (capacity > 0 && capacity < 5 && unit > 3) capacity *= unit / 2;
  }
  if (bytes.one_in(4)) options.fixed = values<Block>(bytes, at(n), -1, k - 1);
  if (bytes.one_in(4)) {
    options.initial = values<Block>(bytes, at(n), 0, k - 1);
    if (bytes.one_in(2)) options.vertex_sizes = values<Weight>(bytes, at(n), 0, 5);
    if (bytes.one_in(2)) options.migration_cost = bytes.odd_real();
  } else if (bytes.one_in(64)) {
    options.migration_cost = bytes.odd_real();
  }
  options.allow_empty = !bytes.one_in(4);
  if (bytes.one_in(16)) options.repeats = bytes.below(4) - 1;
  return options;
}

void check(Bytes bytes) {
  auto const plain_graph = graph_of(bytes);
  auto const meaning = meaning_of(plain_graph);
  std::optional<Graph> graph;
  try {
    graph = Graph::from_csr(plain_graph.arrays(), 1);
  } catch (GraphError const& error) {
    expect_readable(error);
  }
  expect(graph.has_value() == meaning.has_value(), graph ? "no graph, but accepted" : "a graph, but refused");
  if (!graph) return;
  expect(meaning_of(plain(*graph)) == meaning, "another graph than the arrays");

  auto const machine = machine_of(bytes);
  auto const options = options_of(bytes, graph->num_vertices(), graph->total_vertex_weight(), machine.num_pes());
  Problem const problem{*graph, *meaning, machine, options};
  try {
    auto const mapping = map(*graph, machine, options);
    expect(is_legal(problem), "options that are wrong, but accepted");
    expect_true(problem, mapping);
    if (!bytes.one_in(8)) return;
    auto on_two = options;
    on_two.threads = 2;
    expect(map(*graph, machine, on_two).blocks == mapping.blocks, "on two threads another mapping");
  } catch (ConfigError const& error) {
    expect_readable(error);
    expect(!is_legal(problem), "options that are right, but refused");
  } catch (std::overflow_error const& error) {
    expect_readable(error);
    expect(may_overflow(problem), "small numbers, but refused as too large");
  }
}

}  // namespace
}  // namespace procmap::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  procmap::fuzz::check({data, size});
  return 0;
}
