// SPDX-License-Identifier: MIT
#include "refinement/places/distances.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include "core/index.hpp"

namespace procmap {
namespace {

constexpr std::size_t near_at_hand = 256;  // places whose table fits into a cache: half a megabyte (measured)

}  // namespace

PlaceDistances::PlaceDistances(Topology machine, std::vector<Block> pe_of_place, Block most_in_table,
                               HostTeam const& team)
    : machine_(std::move(machine)), pe_of_place_(std::move(pe_of_place)), most_in_table_(most_in_table) {
  bool const few = num_places() <= index(most_in_table), is_far = num_places() > near_at_hand;
  bool const in_tables = (!few || is_far) && prepare_tables();
  if (!in_tables) prepare_steps();
  far_in_table_ = is_far && (in_tables || machine_.is_hierarchy());
  if (!few) return;
  fill_table(team);
  bool const are_short = machine_.max_distance() <= std::numeric_limits<std::uint16_t>::max();
  if (is_far && !far_in_table_ && are_short) short_table_.assign(table_.begin(), table_.end());
}

PlaceDistances PlaceDistances::of(std::vector<Block> const& places, HostTeam const& team) const {
  std::vector<Block> pes;
  pes.reserve(places.size());
  for (Block const p : places) pes.push_back(pe_of_place_[index(p)]);
  return {machine_, std::move(pes), most_in_table_, team};
}

void PlaceDistances::fill_table(HostTeam const& team) {
  auto const places = num_places();
  table_.resize(places * places);
  computed([&](auto const& distance) {
    team.for_each_job(static_cast<Edge>(places), [&](Edge p) {
      auto const from_here = distance.from(distance.key(static_cast<Block>(p)));
      auto* const row = table_.data() + static_cast<std::size_t>(p) * places;
      for (std::size_t q = 0; q < places; ++q) row[q] = from_here[distance.key(static_cast<Block>(q))];
    });
  });
}

bool PlaceDistances::prepare_tables() {
  auto const* const grid = machine_.as_grid();
  if (!grid) return false;
  if (auto two = GridTables<2>::of(*grid, pe_of_place_))
    steps_ = std::move(*two);
  else if (auto three = GridTables<3>::of(*grid, pe_of_place_))
    steps_ = std::move(*three);
  else
    return false;
  return true;
}

void PlaceDistances::prepare_steps() {
  if (auto const* const grid = machine_.as_grid()) {
    coordinates_ = coordinates_of(*grid, pe_of_place_);
    steps_ = grid_steps(*grid, coordinates_.data());
  } else if (auto const* const table = machine_.as_table()) {
    steps_ = NodeDistances(*table, pe_of_place_);
  } else {
    steps_ = HierarchyCodes(*machine_.as_hierarchy(), pe_of_place_);
  }
}

Weight cost_of_places(HostGraph const& traffic, PlaceDistances const& distances, std::vector<Block> const& place) {
  return distances.with([&](auto const& distance) {
    auto const view = traffic.view();
    Weight cost = 0;
    for (Vertex v = 0; v < view.num_vertices; ++v) {
      auto const from_here = distance.from(distance.key(place[index(v)]));
      for (Edge e = view.begin(v); e < view.end(v); ++e)
        cost += view.arc_weight(e) * from_here[distance.key(place[index(view.heads[e])])];
    }
    return cost;
  });
}

}  // namespace procmap
