// SPDX-License-Identifier: MIT
#include "initial/pack_components.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/index.hpp"

namespace procmap {

namespace {

/// The blocks that have any capacity, by the room that is left; negative: overloaded. Of equal ones that with fewer
/// components has more room, as components may weigh nothing.
class Rooms {
 public:
  Rooms(SmallComponents const& small, std::span<Weight const> capacity, std::span<Block const> block) {
    auto const graph = small.graph.view();
    std::vector<Weight> room(capacity.begin(), capacity.end());
    for (Vertex v = small.count; v < graph.num_vertices; ++v) room[index(block[index(v)])] -= graph.vertex_weight(v);
    for (std::size_t b = 0; b < room.size(); ++b)
      if (capacity[b] > 0) rooms_.insert({room[b], 0, static_cast<Block>(b)});
  }

  bool empty() const { return rooms_.empty(); }
  bool has_room_for(Weight weight) const { return std::prev(rooms_.end())->left >= weight; }

  Block put_where_most_room_is(Weight weight) { return put(std::prev(rooms_.end()), weight); }
  Block put_where_it_fits_best(Weight weight) {
    auto const fitting = rooms_.lower_bound({weight, std::numeric_limits<Vertex>::min(), 0});
    return fitting == rooms_.end() ? put_where_most_room_is(weight) : put(fitting, weight);
  }

  Weight overload() const {
    Weight sum = 0;
    for (auto const& room : rooms_) sum += std::max<Weight>(-room.left, 0);
    return sum;
  }

 private:
  struct Room {
    Weight left = 0;
    Vertex fewer = 0;  // components, negated
    Block block = 0;
    auto operator<=>(Room const&) const = default;
  };

  Block put(std::set<Room>::const_iterator place, Weight weight) {
    auto const room = *place;
    rooms_.erase(place);
    rooms_.insert({room.left - weight, room.fewer - 1, room.block});
    return room.block;
  }

  std::set<Room> rooms_;
};

struct Component {
  double rank = 0;  // its weight, or a little less
  std::uint64_t tie = 0;
  Vertex vertex = 0;
  auto operator<=>(Component const&) const = default;
};

/// All components, the first one last.
std::vector<Component> in_order(SmallComponents const& small, PackingOrder order) {
  auto const graph = small.graph.view();
  std::vector<Component> components;
  components.reserve(index(small.count));
  for (Vertex v = 0; v < small.count; ++v) {
    auto const drawn = hash(order.seed, static_cast<std::uint64_t>(v));
    double const less = order.disorder * static_cast<double>(drawn >> 32) / static_cast<double>(std::uint64_t{1} << 32);
    components.push_back({static_cast<double>(graph.vertex_weight(v)) * (1 - less), drawn, v});
  }
  std::ranges::sort(components);
  return components;
}

struct Packed {
  std::vector<Block> block;  // of every component
  std::vector<Vertex> too_heavy;
  Weight overload = 0;
};

Packed pack(SmallComponents const& small, std::vector<Component> const& components, Rooms rooms,
            Block (Rooms::*put)(Weight)) {
  Packed packed{std::vector<Block>(index(small.count)), {}};
  for (auto component = components.rbegin(); component != components.rend(); ++component) {
    Vertex const v = component->vertex;
    Weight const weight = small.graph.vertex_weights[index(v)];
    if (!rooms.has_room_for(weight)) packed.too_heavy.push_back(v);
    packed.block[index(v)] = (rooms.*put)(weight);
  }
  packed.overload = rooms.overload();
  return packed;
}

}  // namespace

std::vector<Vertex> pack_components(SmallComponents const& small, std::span<Weight const> capacity, PackingOrder order,
                                    std::span<Block> block) {
  Rooms const rooms(small, capacity, block);
  if (rooms.empty()) return {};
  auto const components = in_order(small, order);
  auto even = pack(small, components, rooms, &Rooms::put_where_most_room_is);
  if (even.overload > 0)
    if (auto tight = pack(small, components, rooms, &Rooms::put_where_it_fits_best); tight.overload < even.overload)
      std::swap(even, tight);
  std::ranges::copy(even.block, block.begin());
  return std::move(even.too_heavy);
}

}  // namespace procmap
