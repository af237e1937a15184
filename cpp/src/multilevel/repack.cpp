// SPDX-License-Identifier: MIT
#include "multilevel/repack.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "core/index.hpp"
#include "multilevel/members_by_size.hpp"

namespace procmap {
namespace {

/// Something that has a size, in order of that.
struct Sized {
  Weight size = 0;
  std::int32_t id = 0;
  auto operator<=>(Sized const&) const = default;
};

/// Blocks and the vertices in them, while some are taken out and put in again.
class Packing {
 public:
  Packing(PackingProblem const& problem, std::vector<Block> const& block)
      : problem_(problem),
        block_(block),
        room_(problem.capacity.begin(), problem.capacity.end()),
        movable_(problem.capacity.size()) {
    for (std::size_t v = 0; v < block.size(); ++v) {
      room_[index(block[v])] -= problem.weight[v];
      if (problem.weight[v] == 0 || (!problem.fixed.empty() && problem.fixed[v] != no_block)) continue;
      movable_[index(block[v])].insert({problem.weight[v], static_cast<Vertex>(v)});
    }
    for (std::size_t b = 0; b < room_.size(); ++b)
      if (problem.capacity[b] > 0) rooms_.insert({room_[b], static_cast<Block>(b)});
  }

  std::vector<Block> const& blocks() const { return block_; }

  /// Is there a block for every vertex, if it were empty?
  bool may_fit() const {
    Weight const largest = std::ranges::max(problem_.capacity);
    return std::ranges::all_of(
        movable_, [&](auto const& inside) { return inside.empty() || std::prev(inside.end())->size <= largest; });
  }

  Weight overload() const {
    Weight sum = 0;
    for (Weight const room : room_) sum += std::max<Weight>(-room, 0);
    return sum;
  }

  /// Takes vertices out of overloaded blocks: the lightest that is enough, or else the heaviest first.
  void take_out_what_overloads() {
    for (std::size_t b = 0; b < room_.size(); ++b)
      while (room_[b] < 0 && !movable_[b].empty()) {
        auto const enough = movable_[b].lower_bound({-room_[b], 0});
        take_out(enough == movable_[b].end() ? *std::prev(enough) : *enough);
      }
  }

  void take_out_everything() {
    for (auto& inside : movable_)
      while (!inside.empty()) take_out(*inside.begin());
  }

  /// Puts vertices back, heavy ones first: those for which their block has room, then the others of the same weight
  /// where they fit best, or else where there is most room. So light ones, which fit nearly everywhere, only make room
  /// for heavy ones. What overloads a block after that is packed as usual.
  void put_back_or_in() {
    while (!outside_.empty())
      for (auto const& vertex : without_room(take_heaviest())) {
        auto const fitting = rooms_.lower_bound({vertex.size, 0});
        put(vertex, fitting != rooms_.end() ? fitting->id : roomiest_for(vertex));
      }
    take_out_what_overloads();
    put_in();
  }

  /// Best fit, heavy vertices first. It ends: what a vertex drives out is lighter.
  void put_in() {
    std::vector<Sized> left_over;
    for (Edge steps = most_steps(); !outside_.empty(); --steps) {
      auto const vertex = *std::prev(outside_.end());
      outside_.erase(vertex);
      auto const fitting = rooms_.lower_bound({vertex.size, 0});
      if (fitting != rooms_.end()) {
        put(vertex, fitting->id);
      } else if (auto const [block, lighter] = steps > 0 ? whom_to_drive_out(vertex) : nobody; block != no_block) {
        take_out(lighter);
        put(vertex, block);
      } else {
        left_over.push_back(vertex);
      }
    }
    for (auto const& vertex : left_over) put(vertex, roomiest_for(vertex));
  }

 private:
  using Exchange = std::pair<Block, Sized>;
  static constexpr Exchange nobody{no_block, {}};

  /// So that it ends soon, even if every vertex drives out the next lighter one.
  Edge most_steps() const {
    constexpr Edge steps_per_vertex = 8;
    return steps_per_vertex * static_cast<Edge>(block_.size());
  }

  Block roomiest_for(Sized vertex) const {
    return rooms_.empty() ? block_[index(vertex.id)] : std::prev(rooms_.end())->id;
  }

  /// Of what is outside all that weighs most.
  std::vector<Sized> take_heaviest() {
    auto const first = outside_.lower_bound({std::prev(outside_.end())->size, 0});
    std::vector<Sized> heaviest(first, outside_.end());
    outside_.erase(first, outside_.end());
    return heaviest;
  }

  /// Puts vertices back into their blocks; returns those for which these have no room.
  std::vector<Sized> without_room(std::vector<Sized> vertices) {
    std::erase_if(vertices, [&](Sized const& vertex) {
      Block const own = block_[index(vertex.id)];
      bool const stays = room_[index(own)] >= vertex.size;
      if (stays) put(vertex, own);
      return stays;
    });
    return vertices;
  }

  void take_out(Sized vertex) {
    auto const b = index(block_[index(vertex.id)]);
    movable_[b].erase(vertex);
    outside_.insert(vertex);
    if (by_size_) by_size_->take_out(vertex.id);
    change_room(b, vertex.size);
  }

  void put(Sized vertex, Block block) {
    block_[index(vertex.id)] = block;
    movable_[index(block)].insert(vertex);
    change_room(index(block), -vertex.size);
  }

  void change_room(std::size_t b, Weight by) {
    bool const is_used = rooms_.erase({room_[b], static_cast<Block>(b)}) > 0;
    room_[b] += by;
    if (is_used) rooms_.insert({room_[b], static_cast<Block>(b)});
    if (by_size_ && is_used) tell_members(b);
  }

  void tell_members(std::size_t b) {
    for (auto const& member : movable_[b]) by_size_->put(member.id, static_cast<Block>(b), room_[b]);
  }

  /// Where members are few and blocks many, looking at all blocks takes longer than telling all members of a block when
  /// its room changes.
  bool has_many_blocks() const {
    constexpr double members_to_tell = 16;
    auto const blocks = static_cast<double>(room_.size());
    return members_to_tell * static_cast<double>(block_.size()) < blocks * blocks;
  }

  void order_by_size() {
    by_size_.emplace(std::vector<Weight>(problem_.weight.begin(), problem_.weight.end()));
    for (auto const& room : rooms_) tell_members(index(room.id));
  }

  /// The lightest vertex without which there is room for a heavier one, and its block; those with most room come first,
  /// and with less room none can be lighter than what is found.
  Exchange whom_to_drive_out(Sized vertex) {
    if (!has_many_blocks()) return whom_to_drive_out_of_all(vertex);
    if (!by_size_) order_by_size();
    auto const [size, block] = by_size_->in_place_of(vertex.size);
    return block == no_block ? nobody : Exchange{block, *movable_[index(block)].lower_bound({size, 0})};
  }
  Exchange whom_to_drive_out_of_all(Sized vertex) const {
    Exchange best = nobody;
    for (auto room = rooms_.rbegin(); room != rooms_.rend(); ++room) {
      Weight const missing = vertex.size - room->size;
      if (missing >= (best.first == no_block ? vertex.size : best.second.size)) break;
      auto const& inside = movable_[index(room->id)];
      auto const enough = inside.lower_bound({missing, 0});
      if (enough == inside.end() || enough->size >= vertex.size) continue;
      if (best.first == no_block || enough->size < best.second.size) best = {room->id, *enough};
    }
    return best;
  }

  PackingProblem problem_;
  std::vector<Block> block_;
  std::vector<Weight> room_;              // negative: overloaded
  std::set<Sized> rooms_;                 // of blocks that have any capacity
  std::vector<std::set<Sized>> movable_;  // vertices in every block, but for fixed ones and those that weigh nothing
  std::set<Sized> outside_;
  std::optional<MembersBySize> by_size_;  // once somebody is to be driven out of many blocks
};

}  // namespace

bool repack(PackingProblem const& problem, std::vector<Block>& block) {
  auto const given = block;
  Packing some(problem, given);
  Weight const before = some.overload();
  Weight least = before;
  auto const keep_if_better = [&](Packing const& packing) {
    if (packing.overload() >= least) return;
    least = packing.overload();
    block = packing.blocks();
  };
  auto const pack_all = [&](auto put_all) {
    Packing all(problem, given);
    all.take_out_everything();
    (all.*put_all)();
    return all;
  };
  some.take_out_what_overloads();
  some.put_in();
  keep_if_better(some);
  if (least == 0 || !some.may_fit()) return least < before;
  auto const heavy_first = pack_all(&Packing::put_back_or_in);
  keep_if_better(heavy_first.overload() == 0 ? heavy_first : pack_all(&Packing::put_in));
  return least < before;
}

}  // namespace procmap
