// SPDX-License-Identifier: MIT
#include "refinement/places/best_places.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/index.hpp"
#include "refinement/places/group_annealing.hpp"

namespace procmap {
namespace {

/// The places that are taken, then those of the others that may be, in order.
template <class MayBe>
std::vector<Block> with_others(std::vector<Block> place, std::size_t num_places, MayBe may_be) {
  std::vector<char> taken(num_places, 0);
  for (Block const p : place) taken[index(p)] = 1;
  for (std::size_t p = 0; p < num_places; ++p)
    if (!taken[p] && may_be(p)) place.push_back(static_cast<Block>(p));
  return place;
}

std::vector<Block> with_all_others(std::vector<Block> place, std::size_t num_places) {
  return with_others(std::move(place), num_places, [](std::size_t) { return true; });
}

}  // namespace

HostGraph with_empty_blocks(HostGraph graph, Block num_blocks) {
  graph.offsets.resize(index(num_blocks) + 1, graph.offsets.back());
  graph.vertex_weights.resize(index(num_blocks), 0);
  graph.loads.resize(index(num_blocks) * static_cast<std::size_t>(graph.num_loads), 0);
  return graph;
}

std::vector<Block> with_idle_places(std::vector<Block> place, std::vector<Weight> const& capacity) {
  return with_others(std::move(place), capacity.size(), [&](std::size_t p) { return capacity[p] > 0; });
}

std::vector<Block> with_spare_seats(std::vector<Block> place, std::vector<Weight> const& capacity, int each) {
  for (std::size_t p = 0; p < capacity.size(); ++p)
    if (capacity[p] > 0) place.insert(place.end(), static_cast<std::size_t>(each), static_cast<Block>(p));
  return place;
}

std::vector<Block> places_in_order(Vertex tasks, std::vector<Weight> const& capacity,
                                   std::vector<Block> const& pe_of_place) {
  std::vector<Block> place_of_pe(pe_of_place.size()), place;
  for (std::size_t p = 0; p < pe_of_place.size(); ++p) place_of_pe[index(pe_of_place[p])] = static_cast<Block>(p);
  std::ranges::copy_if(place_of_pe, std::back_inserter(place), [&](Block p) { return capacity[index(p)] > 0; });
  if (place.size() < index(tasks)) return {};
  place.resize(index(tasks));
  return place;
}

void BestPlaces::consider(std::vector<Block> tasks) {
  auto place = with_all_others(std::move(tasks), places_.capacity.size());
  exchange_places(traffic_, places_, {}, place);
  Weight const now = cost(place);
  if (!place_.empty() && now >= cost_) return;
  cost_ = now;
  place_ = std::move(place);
}

void BestPlaces::consider_if_better(std::vector<Block> tasks) {
  if (tasks.empty()) return;
  auto place = with_all_others(std::move(tasks), places_.capacity.size());
  if (place_.empty() || cost(place) < cost_) consider(std::move(place));
}

Weight BestPlaces::cost(std::vector<Block> const& place) const {
  return cost_of_places(traffic_, places_.distance, place);
}

void BestPlaces::improve(Annealing annealing, Kicks kicks) {
  anneal_groups(traffic_, places_, annealing, place_);
  anneal_cool_and_hot(traffic_, places_, annealing, place_);
  exchange_places(traffic_, places_, kicks, place_);
  cost_ = cost(place_);
}

}  // namespace procmap
