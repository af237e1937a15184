// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/two_hop.hpp"
#include "distributed/rank_rows.hpp"

namespace procmap {

/// Clusters as a rank sees them. A cluster is named after its leader, see ClustersView.
struct RankClusters {
  std::span<GlobalVertex const> leader;  // of own rows and ghosts
  std::span<Weight const> weight;        // of their clusters
  std::span<std::int64_t const> size;    // of own rows: of the cluster that they lead, 0 if they lead none
  std::span<Block const> fixed;          // of own rows and ghosts, empty if nobody is
};

/// A sub-round of clustering, as ClusteringPass counts them.
struct SubRound {
  std::uint64_t round_seed = 0;
  std::uint64_t part = 0, parts = 1;
  Weight max_weight = 0;
};

/// Rule: the cluster that every row of this sub-round's class joins best, as PreferredCluster; no_global_vertex for all
/// others and for those that stay.
std::vector<GlobalVertex> cluster_wishes(RankRows const& rows, RankClusters const& clusters, SubRound const& subround);

/// What rows that are alone must have in common with a partner, see two_hop_key. Those that look for none are left out.
struct TwoHopKeys {
  std::vector<std::uint64_t> key;
  std::vector<GlobalVertex> id;
};
TwoHopKeys two_hop_keys(RankRows const& rows, RankClusters const& clusters, TwoHopSearch const& search,
                        std::span<std::int64_t const> degree);

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
std::vector<std::uint8_t> admitted(Applicants const& applicants, std::span<Weight const> weight, GlobalVertex first,
                                   Weight max_weight, std::uint64_t round_seed);

/// Parallel arcs added up, without those inside a coarse vertex and those of weight 0. `coarse_of` of rows and ghosts.
ArcList contract_rows(RankRows const& rows, std::span<GlobalVertex const> coarse_of);

/// The rows `first` ... of arcs with tails there, in any order; parallel arcs are added up.
GlobalRows rows_of_arcs(std::span<GlobalVertex const> tails, std::span<GlobalVertex const> heads,
                        std::span<Weight const> weights, GlobalVertex first, Vertex num_rows);

}  // namespace procmap
