// SPDX-License-Identifier: MIT
#include "core/empty_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace procmap {
namespace {

struct Candidate {
  Weight attachment;  // traffic with the rest of its block
  Vertex vertex;
  friend auto operator<=>(Candidate const&, Candidate const&) = default;
};

std::vector<Vertex> vertices_per_block(std::span<Block const> blocks, Block k) {
  std::vector<Vertex> count(static_cast<std::size_t>(k), 0);
  for (Block const b : blocks) ++count[static_cast<std::size_t>(b)];
  return count;
}

Weight attachment_of(Graph const& graph, std::span<Block const> blocks, Vertex v) {
  auto const own = blocks[static_cast<std::size_t>(v)];
  auto const offsets = graph.offsets().subspan(static_cast<std::size_t>(v), 2);
  Weight total = 0;
  for (auto e = static_cast<std::size_t>(offsets[0]); e < static_cast<std::size_t>(offsets[1]); ++e)
    if (blocks[static_cast<std::size_t>(graph.heads()[e])] == own)
      total += graph.arc_weights().empty() ? 1 : graph.arc_weights()[e];
  return total;
}

/// Free vertices of blocks with several, the loosest first.
std::vector<Candidate> candidates(Graph const& graph, std::span<Block const> fixed, std::span<Block const> blocks,
                                  std::vector<Vertex> const& count) {
  std::vector<Candidate> list;
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    auto const i = static_cast<std::size_t>(v);
    bool const is_free = fixed.empty() || fixed[i] == no_block;
    if (is_free && count[static_cast<std::size_t>(blocks[i])] > 1) list.push_back({attachment_of(graph, blocks, v), v});
  }
  std::sort(list.begin(), list.end());
  return list;
}

/// Of the PEs that hold `load`, the next above and the next below `from`, the nearer one: PEs that are near have near
/// numbers. no_block if none holds it.
Block nearest_with_room(std::set<Block> const& empty, Topology const& topology, PeCapacities const& pes, Block from,
                        Weight load) {
  auto const holds = [&](Block pe) { return pes.of(pe) >= load; };
  auto const middle = empty.lower_bound(from);
  auto const above = std::find_if(middle, empty.end(), holds);
  auto const below = std::find_if(std::make_reverse_iterator(middle), empty.rend(), holds);
  if (below == empty.rend()) return above == empty.end() ? no_block : *above;
  if (above == empty.end()) return *below;
  return topology.distance(from, *above) < topology.distance(from, *below) ? *above : *below;
}

}  // namespace

std::vector<Block> empty_blocks(std::span<Block const> blocks, PeCapacities const& pes) {
  auto const count = vertices_per_block(blocks, pes.num_pes());
  std::vector<Block> empty;
  for (Block pe = 0; pe < pes.num_pes(); ++pe)
    if (count[static_cast<std::size_t>(pe)] == 0 && !pes.forbidden(pe)) empty.push_back(pe);
  return empty;
}

Block fill_empty_blocks(Graph const& graph, Topology const& topology, PeCapacities const& pes,
                        std::span<Block const> fixed, std::span<Block> blocks) {
  auto const list = empty_blocks(blocks, pes);
  if (list.empty()) return 0;
  std::set<Block> empty(list.begin(), list.end());
  auto count = vertices_per_block(blocks, pes.num_pes());
  for (auto const& candidate : candidates(graph, fixed, blocks, count)) {
    if (empty.empty()) break;
    auto const v = static_cast<std::size_t>(candidate.vertex);
    auto& left = count[static_cast<std::size_t>(blocks[v])];
    if (left < 2) continue;
    Weight const load = graph.vertex_weights().empty() ? 1 : graph.vertex_weights()[v];
    Block const to = nearest_with_room(empty, topology, pes, blocks[v], load);
    if (to == no_block) continue;
    --left;
    blocks[v] = to;
    empty.erase(to);
  }
  return static_cast<Block>(list.size() - empty.size());
}

}  // namespace procmap
