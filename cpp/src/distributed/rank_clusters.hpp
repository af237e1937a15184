// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/two_hop.hpp"
#include "distributed/rank_rows.hpp"
#include "distributed/weight_table.hpp"

namespace procmap {

/// Clusters as a rank sees them. A cluster is named after its leader, see ClustersView.
struct RankClusters {
  IntegerView leader;            // of own rows and ghosts
  IntegerView weight;            // of their clusters
  IntegerView size;              // of own rows: of the cluster that they lead, 0 if they lead none
  std::span<Block const> fixed;  // of own rows and ghosts, empty if nobody is
  IntegerView least = {};        // of own rows and ghosts: traffic that joining their clusters takes; empty: any
};

/// A sub-round of clustering, as Clustering counts them.
struct SubRound {
  std::uint64_t round_seed = 0;
  std::uint64_t part = 0, parts = 1;
  Weight max_weight = 0;
};

/// Rows, in order, and the clusters that they want to join.
struct Wishes {
  std::vector<std::int64_t> row;
  std::vector<GlobalVertex> target;
};

/// The weight of the heaviest arc of every row, 0 if it has none.
std::vector<Weight> heaviest_arcs(RankRows const& rows);

/// What arcs weigh in all that weigh more than `limit` each.
Weight weight_of_arcs_above(RankRows const& rows, Weight limit);

/// How many arcs weigh less than `limit`, but more than nothing.
Edge num_arcs_below(RankRows const& rows, Weight limit);

/// Rule: the cluster that every row of this sub-round's class joins best, as preferred_cluster(), of those that do
/// not stay where they are.
Wishes cluster_wishes(RankRows const& rows, RankClusters const& clusters, SubRound const& subround);

/// What rows that are alone must have in common with a partner, see two_hop_key. Those that look for none are left out.
struct TwoHopKeys {
  std::vector<std::uint64_t> key;
  std::vector<GlobalVertex> id;
};
TwoHopKeys two_hop_keys(RankRows const& rows, RankClusters const& clusters, TwoHopSearch const& search,
                        IntegerView degree);

/// A vertex that looks for a partner.
struct Lone {
  std::uint64_t key;
  GlobalVertex id;
  Weight weight;
  Block fixed;
};

/// Pairs neighbours of equal keys in order of id, as pair_equal_keys: the partner of every one, itself if it has none.
/// All with the same key must be here.
std::vector<GlobalVertex> pair_lone(std::vector<Lone> const& lone, Weight max_weight);

/// Those who want to join a cluster that is led by a row here.
struct Applicants {
  std::span<GlobalVertex const> target;
  std::span<GlobalVertex const> vertex;
  std::span<Weight const> weight;
};

/// Which of them may, so that no cluster gets too heavy: where not all may, in hashed order. `weight` are the clusters
/// led by row `first` and those after it.
std::vector<std::uint8_t> admitted(Applicants const& applicants, IntegerView weight, GlobalVertex first,
                                   Weight max_weight, std::uint64_t round_seed);

/// Arcs with global ends, in order of tails.
struct Arcs {
  std::span<GlobalVertex const> tails, heads;
  std::span<Weight const> weights;
};

/// Adds rows up, some coarse rows at a time, so that arcs are never all there twice.
class Contraction {
 public:
  /// `coarse_of` of rows and ghosts; `here` are the coarse rows of this rank. What both see must live as long.
  Contraction(RankRows const& rows, IntegerView coarse_of, OwnRows here);

  /// Arcs of rows that go elsewhere, in order of tail and head; parallel ones added up.
  ArcList elsewhere() const;

  /// Coarse rows from `begin` on (0 is the first here), until there are `enough` arcs; without arcs inside a coarse
  /// vertex and those of weight 0. `came` are arcs of other ranks, in order of tails.
  GlobalRows rows(GlobalVertex begin, Arcs const& came, std::size_t enough) const;

 private:
  void add(Vertex v, GlobalVertex tail, WeightTable& table) const;

  RankRows rows_;
  IntegerView coarse_of_;
  OwnRows here_;
  std::vector<Edge> start_;     // of coarse row i the members are order_[start_[i]] ...
  std::vector<Vertex> order_;   // rows by where they go
  std::vector<Vertex> leaving_; // rows that go elsewhere, by where
};

}  // namespace procmap
