// SPDX-License-Identifier: MIT
#include "multilevel/tight_seats.hpp"

#include <algorithm>
#include <span>

#include "core/index.hpp"

namespace procmap {
namespace {

/// Every PE that is not forbidden holds so much more.
PeCapacities with_more(PeCapacities const& pes, Weight more) {
  Block const k = pes.num_pes();
  if (pes.alike()) return {k, pes.of(0) + more};
  std::vector<Weight> capacity, fixed_load;
  for (Block pe = 0; pe < k; ++pe) {
    capacity.push_back(pes.forbidden(pe) ? 0 : pes.of(pe) + more);
    fixed_load.push_back(pes.fixed_load(pe, 1));
  }
  return {std::span<Weight const>(capacity), std::span<Weight const>(fixed_load)};
}

}  // namespace

std::optional<TightSeats> tight_seats(PeCapacities const& pes, Vertex vertices, Weight total_weight) {
  constexpr Edge little = 128;        // room for one vertex of so many (measured)
  constexpr Vertex few = 2;             // vertices per PE
  constexpr Vertex many = 16;           // vertices per PE, from which on room for some more pays (measured)
  constexpr Vertex share_of_room = 100;  // (measured)
  Block const k = pes.num_pes(), usable = pes.usable(0, k);
  if (usable < 2 || vertices < few * Edge{usable} || total_weight <= 0 || total_weight % vertices != 0)
    return std::nullopt;
  TightSeats seats{.weight = total_weight / vertices, .most = {}, .one_more = pes, .some_more = {}};
  Edge all = 0;
  for (Block pe = 0; pe < k; ++pe) {
    auto const most = std::min<Weight>(pes.of(pe) / seats.weight, vertices);
    seats.most.push_back(static_cast<Vertex>(most));
    all += most;
  }
  if (all < vertices || (all - vertices) * little >= vertices) return std::nullopt;
  seats.one_more = with_more(pes, seats.weight);
  Vertex const each = vertices / usable;
  if (each >= many) seats.some_more = with_more(pes, std::max(each / share_of_room, 1) * seats.weight);
  return seats;
}

}  // namespace procmap
