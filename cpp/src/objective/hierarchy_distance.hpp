// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "exec/executor.hpp"
#include "objective/objective.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// The distance of a hierarchical machine without a k x k table.
///
/// Every PE has a code with one bit field per level, outermost level highest, so the highest bit in
/// which two codes differ tells the level at which the PEs meet. Affinities need the weight to every
/// group of every level: with step_i = d_{i+1} - d_i and conn_i the weight to a level-i group,
/// P(b) = sum_i step_i * conn_i(group_i(b)). Groups of level i >= 1 are keys beside the blocks.
struct HierarchyDistance {
  static constexpr int max_levels = Topology::max_levels;

  int num_levels = 0;
  Block num_blocks = 0;
  Vertex all_keys = 0;
  Weight step[max_levels] = {};
  Block group_size[max_levels] = {};   // PEs in a level-i group
  Vertex first_key[max_levels] = {};   // key of the first level-i group
  Weight distance_of_bit[33] = {};   // by the number of significant bits of code(a) ^ code(b)
  std::int8_t level_of_bit[33] = {};
  std::uint32_t const* code = nullptr;  // per PE
  Vertex const* group_key = nullptr;    // [b * (num_levels - 1) + i - 1]: key of b's level-i group

  PROCMAP_HD static int significant_bits(std::uint32_t x) {
#if defined(PROCMAP_GPU_CODE)
    return 32 - __clz(static_cast<int>(x));
#else
    return static_cast<int>(std::bit_width(x));
#endif
  }

  PROCMAP_HD Weight distance(Block a, Block b) const { return distance_of_bit[significant_bits(code[a] ^ code[b])]; }
  PROCMAP_HD int meeting_level(Block a, Block b) const { return level_of_bit[significant_bits(code[a] ^ code[b])]; }
  PROCMAP_HD Vertex num_keys() const { return all_keys; }
  PROCMAP_HD int keys_per_block() const { return num_levels; }
  PROCMAP_HD Vertex num_groups() const { return all_keys - num_blocks; }
  PROCMAP_HD BlockRange group(Vertex j) const {
    int level = num_levels - 1;
    while (first_key[level] > num_blocks + j) --level;
    Block const index = num_blocks + j - first_key[level];
    return {index * group_size[level], (index + 1) * group_size[level]};
  }
  PROCMAP_HD int groups_of_block() const { return num_levels - 1; }
  PROCMAP_HD Vertex group_of(Block b, int i) const { return key(b, i + 1) - num_blocks; }
  PROCMAP_HD Vertex key(Block b, int level) const {
    return level == 0 ? b : group_key[static_cast<Edge>(b) * (num_levels - 1) + level - 1];
  }

  template <class Group, class Table>
  PROCMAP_HD void aggregate(Group group, Table& table) const {
    table.fill([&](auto& sums) {
      table.for_each(group, [&](Vertex b, Weight weight) {
        for (int i = 1; i < num_levels; ++i) sums.add(key(b, i), weight);
      });
    });
    group.sync();
  }

  template <class Table>
  PROCMAP_HD bool considers(Table const&, std::uint64_t, Vertex, Block) const {
    return true;
  }

  template <class Table>
  PROCMAP_HD Weight affinity(Table const& table, Block b) const {
    Weight total = 0;
    for (int i = 0; i < num_levels; ++i) total += step[i] * table.get(key(b, i));
    return total;
  }

  template <class Table>
  PROCMAP_HD Weight sibling_loss(Table const& table, Block own) const {
    return step[0] * table.get(own);
  }

  /// The terms of P(own) that a move to `to` gives up: levels below the one where they meet. With one
  /// level this is Jet's own filter.
  template <class Table>
  PROCMAP_HD Weight attachment(Table const& table, Block own, Block to) const {
    Weight total = 0;
    int const meeting = meeting_level(own, to);
    for (int i = 0; i < meeting; ++i) total += step[i] * table.get(key(own, i));
    return total;
  }
};

static_assert(ObjectivePolicy<HierarchyDistance>);

/// Owns the tables of a HierarchyDistance.
template <class Exec>
struct HierarchyTables {
  Buffer<Exec, std::uint32_t> code;
  Buffer<Exec, Vertex> group_key;
  HierarchyDistance view;
};

template <HostExecutor Exec>
HierarchyTables<Exec> make_hierarchy_distance(Exec& ex, Topology const& topology) {
  int const levels = topology.num_levels();
  auto const k = static_cast<std::size_t>(topology.num_pes());
  HierarchyDistance view;
  view.num_levels = levels;
  view.num_blocks = topology.num_pes();

  std::vector<std::uint32_t> code(k, 0);
  std::vector<Vertex> group_key(k * static_cast<std::size_t>(levels - 1));
  int bits = 0;
  Block group_size = 1;
  Vertex next_key = topology.num_pes();
  for (int i = 0; i < levels; ++i) {
    auto const arity = topology.sizes()[static_cast<std::size_t>(i)];
    int const width = std::bit_width(static_cast<std::uint32_t>(arity - 1));
    for (int bit = bits + 1; bit <= bits + width; ++bit) {
      view.distance_of_bit[bit] = topology.distances()[static_cast<std::size_t>(i)];
      view.level_of_bit[bit] = static_cast<std::int8_t>(i + 1);
    }
    view.step[i] = topology.distances()[static_cast<std::size_t>(i)] -
                   (i == 0 ? 0 : topology.distances()[static_cast<std::size_t>(i - 1)]);
    for (std::size_t b = 0; b < k; ++b) {
      auto const block = static_cast<Block>(b);
      code[b] |= static_cast<std::uint32_t>(block / group_size % arity) << bits;
      if (i > 0)
        group_key[b * static_cast<std::size_t>(levels - 1) + static_cast<std::size_t>(i - 1)] =
            next_key + block / group_size;
    }
    view.group_size[i] = group_size;
    view.first_key[i] = i > 0 ? next_key : 0;
    if (i > 0) next_key += topology.num_pes() / group_size;
    bits += width;
    group_size *= arity;
  }
  view.all_keys = next_key;

  HierarchyTables<Exec> tables{ex.template buffer<std::uint32_t>(k), ex.template buffer<Vertex>(group_key.size()),
                               view};
  ex.upload(code.data(), static_cast<Edge>(k), tables.code.data());
  ex.upload(group_key.data(), static_cast<Edge>(group_key.size()), tables.group_key.data());
  tables.view.code = tables.code.data();
  tables.view.group_key = tables.group_key.data();
  return tables;
}

}  // namespace procmap
