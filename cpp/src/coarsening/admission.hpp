// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "coarsening/clusters.hpp"
#include "core/atomic.hpp"
#include "exec/executor.hpp"

namespace procmap {

/// Decides which wishes of a sub-round are fulfilled.
struct Admission {
  CsrView const& graph;
  Weight max_weight;
  ClustersView const& clusters;
  WishesView const& wishes;
  std::uint64_t round_seed;

  /// Lets only about `to_remove` of the joiners that would dissolve a cluster go on, so that a level does not shrink
  /// more than asked, and takes the wish of those that would make a cluster too heavy. Returns how many joiners are
  /// left.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT Edge decide(Exec& ex, Edge num_joiners, Edge to_remove) const {
    auto const w = wishes;
    Edge const dissolving =
        ex.sum(num_joiners, [=, leader = clusters.leader, &graph = graph] PROCMAP_LAMBDA(Edge i) -> Weight {
          Vertex const v = w.joiners[i];
          atomic_add(&w.gained[w.wish[v]], graph.vertex_weight(v));
          return leader[v] == v;
        });
    if (dissolving > to_remove)
      num_joiners = thin_out(ex, num_joiners, static_cast<double>(to_remove) / static_cast<double>(dissolving));
    respect_limit(ex, num_joiners);
    return num_joiners;
  }

  /// Lets a share of the joiners go on, chosen by a hash.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT Edge thin_out(Exec& ex, Edge num_joiners, double wanted) const {
    auto const w = wishes;
    auto const share = static_cast<std::uint64_t>(wanted * static_cast<double>(std::uint64_t{1} << 32));
    auto const stays = [=, seed = round_seed] PROCMAP_LAMBDA(Edge i) {
      return (hash(seed, static_cast<std::uint64_t>(w.joiners[i]), 1) >> 32) <= share;
    };
    typename Exec::ScratchScope const scope(ex);
    auto const kept_buffer = ex.template buffer<Vertex>(static_cast<std::size_t>(num_joiners));
    auto* const kept = kept_buffer.data();
    ex.for_each_ahead(num_joiners, [=, &graph = graph] PROCMAP_LAMBDA(Edge i) {
      Vertex const v = w.joiners[i];
      if (!stays(i)) atomic_add(&w.gained[w.wish[v]], -graph.vertex_weight(v));
    });
    Edge const num_kept = ex.collect(num_joiners, stays, [=] PROCMAP_LAMBDA(Edge i) { return w.joiners[i]; }, kept);
    ex.for_each(num_kept, [=] PROCMAP_LAMBDA(Edge i) { w.joiners[i] = kept[i]; });
    return num_kept;
  }

  /// Takes the wish, in hashed order, of joiners that would make a cluster too heavy: it becomes no_vertex.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void respect_limit(Exec& ex, Edge num_joiners) const {
    auto const w = wishes;
    auto const contested = [=, weight = clusters.weight, limit = max_weight] PROCMAP_LAMBDA(Edge i) {
      Vertex const target = w.wish[w.joiners[i]];
      return weight[target] + w.gained[target] > limit;
    };
    Edge const count = ex.sum(num_joiners, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return contested(i) ? 1 : 0; });
    if (count == 0) return;
    typename Exec::ScratchScope const scope(ex);
    auto const applicants = ex.template buffer<Applicant>(static_cast<std::size_t>(count));
    ex.collect(
        num_joiners, contested, [=] PROCMAP_LAMBDA(Edge i) { return Applicant{w.wish[w.joiners[i]], w.joiners[i]}; },
        applicants.data());
    admit_in_order(ex, applicants.data(), count);
  }

  struct Applicant {
    Vertex target;
    Vertex vertex;
  };

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void admit_in_order(Exec& ex, Applicant* applicants, Edge count) const {
    auto const w = wishes;
    ex.sort(applicants, count, [=, seed = round_seed] PROCMAP_LAMBDA(Applicant const& a, Applicant const& b) {
      if (a.target != b.target) return a.target < b.target;
      auto const order_a = hash(seed, static_cast<std::uint64_t>(a.vertex), 2);
      auto const order_b = hash(seed, static_cast<std::uint64_t>(b.vertex), 2);
      return order_a != order_b ? order_a < order_b : a.vertex < b.vertex;
    });
    auto const weight_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(count) + 1);
    auto* const weight_before = weight_buffer.data();
    ex.scan(
        count, [=, &graph = graph] PROCMAP_LAMBDA(Edge i) -> Edge { return graph.vertex_weight(applicants[i].vertex); },
        weight_before);
    // gained[] of a contested target is no longer needed; it now holds the scan value of its first applicant.
    ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) {
      if (i == 0 || applicants[i].target != applicants[i - 1].target) w.gained[applicants[i].target] = weight_before[i];
    });
    ex.for_each(count, [=, weight = clusters.weight, limit = max_weight] PROCMAP_LAMBDA(Edge i) {
      Vertex const target = applicants[i].target;
      if (weight[target] + weight_before[i + 1] - w.gained[target] > limit) w.wish[applicants[i].vertex] = no_vertex;
    });
    ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) { racy_store(&w.gained[applicants[i].target], 0); });
  }

  /// Scratch that all of it takes at most, with n joiners.
  template <class Exec>
  static std::size_t scratch_bytes(std::size_t n) {
    auto const of_sorting = Exec::template scratch_bytes<Applicant>(n);
    return Exec::template scratch_bytes<Applicant>(n) + std::max(of_sorting, Exec::template scratch_bytes<Edge>(n + 1));
  }
};

}  // namespace procmap
