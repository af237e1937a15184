// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "distributed/rank_clusters.hpp"
#include "distributed/rank_refinement.hpp"
#include "distributed/rank_rows.hpp"
#include "topology/digest.hpp"

// What a rank computes between two exchanges, which are Python's: procmap.distributed.

namespace procmap::python {

namespace {

using Ids = Array<GlobalVertex>;
using Weights = Array<Weight>;
using Flags = Array<std::uint8_t>;
using Blocks = Array<Block>;

// An array that takes the values over.
template <class T>
Array<T> owned(std::vector<T>&& values) {
  auto* const moved = new std::vector<T>(std::move(values));
  py::capsule const owner(moved, [](void* held) { delete static_cast<std::vector<T>*>(held); });
  return Array<T>(static_cast<py::ssize_t>(moved->size()), moved->data(), owner);
}

// Calls f without the GIL.
template <class F>
auto unlocked(F f) {
  py::gil_scoped_release const release;
  return f();
}

// An array of int32 or int64.
IntegerView integers(py::array const& array) {
  if (py::isinstance<Array<std::int32_t>>(array)) return view(Array<std::int32_t>(array));
  if (py::isinstance<Array<std::int64_t>>(array)) return view(Array<std::int64_t>(array));
  throw py::type_error("expected a contiguous array of int32 or int64");
}

GivenRows given_rows(GlobalVertex first, GlobalVertex num_vertices, Array<Edge> const& offsets, py::array const& heads,
                     py::array const& arc_weights) {
  return {first, num_vertices, view(offsets), integers(heads), integers(arc_weights)};
}

py::tuple tuple_of(GlobalRows rows) {
  return py::make_tuple(owned(std::move(rows.offsets)), owned(std::move(rows.heads)),
                        owned(std::move(rows.arc_weights)));
}

py::tuple tuple_of(ArcList arcs) {
  return py::make_tuple(owned(std::move(arcs.tails)), owned(std::move(arcs.heads)), owned(std::move(arcs.weights)));
}

// Holds the arrays of RankRows.
struct HeldRows {
  GlobalVertex first;
  Array<Edge> offsets;
  Array<Vertex> heads;
  py::array arc_weights;  // of int64 or uint32
  Weights vertex_weights;
  Ids ghosts;

  RankRows rows() const {
    RankRows rows{first, view(offsets), view(heads), {}, view(vertex_weights), view(ghosts), {}};
    if (py::isinstance<Array<NarrowWeight>>(arc_weights)) {
      rows.narrow_arc_weights = view(Array<NarrowWeight>(arc_weights));
    } else {
      rows.arc_weights = view(Weights(arc_weights));
    }
    return rows;
  }
};

// Holds those of RankClusters.
struct HeldClusters {
  py::array leader, weight, size;
  Blocks fixed;

  RankClusters clusters() const { return {integers(leader), integers(weight), integers(size), view(fixed)}; }
};

// Holds what a contraction looks at.
struct HeldContraction {
  HeldRows held;
  py::array coarse_of;
  Contraction contraction;
};

TwoHop kind_of(std::string const& name) {
  if (name == "leaves") return TwoHop::leaves;
  if (name == "twins") return TwoHop::twins;
  if (name == "relatives") return TwoHop::relatives;
  throw py::value_error("no such pairs: " + name);
}

py::tuple keys_of(HeldRows const& held, HeldClusters const& clusters, std::string const& kind, Edge max_degree,
                  std::uint64_t seed, py::array const& degree) {
  auto const rows = held.rows();
  auto const degrees = integers(degree);
  auto const seen = clusters.clusters();
  auto keys = unlocked([&] { return two_hop_keys(rows, seen, {kind_of(kind), max_degree, seed}, degrees); });
  return py::make_tuple(owned(std::move(keys.key)), owned(std::move(keys.id)));
}

Ids pairs_of(Array<std::uint64_t> const& key, Ids const& id, Weights const& weight, Blocks const& fixed,
             Weight max_weight) {
  std::vector<Lone> lone;
  for (py::ssize_t i = 0; i < key.size(); ++i)
    lone.push_back({key.data()[i], id.data()[i], weight.data()[i], fixed.size() > 0 ? fixed.data()[i] : no_block});
  return owned(unlocked([&] { return pair_lone(lone, max_weight); }));
}

// Holds what a round needs.
struct HeldRound {
  Topology topology;
  Blocks block;
  double filter;
  std::uint64_t seed;
  int threads;
  Blocks home;
  Weights pull;

  RankRound round() const { return {topology, view(block), filter, seed, threads, view(home), view(pull)}; }
};

template <class T>
std::span<T> mutable_view(Array<T>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

void bind_rows(py::module_& m) {
  m.def(
      "tidy_rows",
      [](GlobalVertex first, GlobalVertex n, Array<Edge> const& offsets, py::array const& heads,
         py::array const& weights) {
        auto const given = given_rows(first, n, offsets, heads, weights);
        return tuple_of(unlocked([&] { return tidy_rows(given); }));
      },
      py::arg("first"), py::arg("num_vertices"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"));
  m.def(
      "arc_balance",
      [](GlobalVertex first, GlobalVertex n, Array<Edge> const& offsets, py::array const& heads,
         py::array const& weights) {
        auto const given = given_rows(first, n, offsets, heads, weights);
        return owned(unlocked([&] { return arc_balance(given); }));
      },
      py::arg("first"), py::arg("num_vertices"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"));
  m.def(
      "reverse_arcs",
      [](GlobalVertex first, GlobalVertex n, Array<Edge> const& offsets, py::array const& heads,
         py::array const& weights) {
        auto const given = given_rows(first, n, offsets, heads, weights);
        return tuple_of(unlocked([&] { return reverse_arcs(given); }));
      },
      py::arg("first"), py::arg("num_vertices"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"));
  m.def(
      "check_reverse",
      [](GlobalVertex first, GlobalVertex n, Array<Edge> const& offsets, py::array const& heads,
         py::array const& weights, Ids const& from, Ids const& to, Weights const& expected) {
        auto const given = given_rows(first, n, offsets, heads, weights);
        auto const tails = view(from);
        auto const ends = view(to);
        auto const values = view(expected);
        unlocked([&] { check_reverse(given, tails, ends, values); });
      },
      py::arg("first"), py::arg("num_vertices"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"),
      py::arg("from_"), py::arg("to"), py::arg("expected"));
  m.def(
      "ghosts_of",
      [](GlobalVertex first, GlobalVertex count, py::array const& heads) {
        auto const ends = integers(heads);
        return owned(unlocked([&] { return ghosts_of({first, count}, ends); }));
      },
      py::arg("first"), py::arg("count"), py::arg("heads"));
  m.def(
      "local_heads",
      [](GlobalVertex first, GlobalVertex count, py::array const& heads, Ids const& ghosts) {
        auto const ends = integers(heads);
        auto const known = view(ghosts);
        return owned(unlocked([&] { return local_heads({first, count}, ends, known); }));
      },
      py::arg("first"), py::arg("count"), py::arg("heads"), py::arg("ghosts"));
  py::class_<HeldRows>(m, "RankRows", "The rows of a rank, with local heads.")
      .def(py::init([](GlobalVertex first, Array<Edge> offsets, Array<Vertex> heads, py::array arc_weights,
                       Weights vertex_weights, Ids ghosts) {
             return HeldRows{first,
                             std::move(offsets),
                             std::move(heads),
                             std::move(arc_weights),
                             std::move(vertex_weights),
                             std::move(ghosts)};
           }),
           py::arg("first"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"), py::arg("vertex_weights"),
           py::arg("ghosts"));
  m.def(
      "selected_rows",
      [](HeldRows const& held, Flags const& inside, py::array const& number, Vertex begin, std::size_t enough) {
        auto const rows = held.rows();
        auto const which = view(inside);
        auto const numbers = integers(number);
        auto found = unlocked([&] { return selected_rows(rows, which, numbers, begin, enough); });
        return py::make_tuple(tuple_of(std::move(found.rows)), found.next);
      },
      py::arg("rows"), py::arg("inside"), py::arg("number"), py::arg("begin"), py::arg("enough"));
}

void bind_clusters(py::module_& m) {
  py::class_<HeldClusters>(m, "RankClusters", "Clusters as a rank sees them.")
      .def(py::init([](py::array leader, py::array weight, py::array size, Blocks fixed) {
             return HeldClusters{std::move(leader), std::move(weight), std::move(size), std::move(fixed)};
           }),
           py::arg("leader"), py::arg("weight"), py::arg("size"), py::arg("fixed"));
  m.def(
      "cluster_wishes",
      [](HeldRows const& held, HeldClusters const& clusters, std::uint64_t round_seed, std::uint64_t part,
         std::uint64_t parts, Weight max_weight) {
        auto const rows = held.rows();
        auto const seen = clusters.clusters();
        auto wishes = unlocked([&] { return cluster_wishes(rows, seen, {round_seed, part, parts, max_weight}); });
        return py::make_tuple(owned(std::move(wishes.row)), owned(std::move(wishes.target)));
      },
      py::arg("rows"), py::arg("clusters"), py::arg("round_seed"), py::arg("part"), py::arg("parts"),
      py::arg("max_weight"));
  m.def("two_hop_keys", &keys_of, py::arg("rows"), py::arg("clusters"), py::arg("kind"), py::arg("max_degree"),
        py::arg("seed"), py::arg("degree"));
  m.def("pair_lone", &pairs_of, py::arg("key"), py::arg("id"), py::arg("weight"), py::arg("fixed"),
        py::arg("max_weight"));
  m.def(
      "admitted",
      [](Ids const& target, Ids const& vertex, Weights const& load, py::array const& weight, GlobalVertex first,
         Weight max_weight, std::uint64_t round_seed) {
        Applicants const applicants{view(target), view(vertex), view(load)};
        auto const weights = integers(weight);
        return owned(unlocked([&] { return admitted(applicants, weights, first, max_weight, round_seed); }));
      },
      py::arg("target"), py::arg("vertex"), py::arg("load"), py::arg("weight"), py::arg("first"), py::arg("max_weight"),
      py::arg("round_seed"));
  py::class_<HeldContraction>(m, "Contraction", "Adds rows up, some coarse rows at a time.")
      .def(py::init([](HeldRows const& held, py::array coarse_of, GlobalVertex first, GlobalVertex count) {
             auto const rows = held.rows();
             auto const to = integers(coarse_of);
             auto made = unlocked([&] { return Contraction(rows, to, {first, count}); });
             return HeldContraction{held, std::move(coarse_of), std::move(made)};
           }),
           py::arg("rows"), py::arg("coarse_of"), py::arg("first"), py::arg("count"))
      .def("elsewhere",
           [](HeldContraction const& self) { return tuple_of(unlocked([&] { return self.contraction.elsewhere(); })); })
      .def(
          "rows",
          [](HeldContraction const& self, GlobalVertex begin, Ids const& tails, Ids const& heads,
             Weights const& weights, std::size_t enough) {
            Arcs const came{view(tails), view(heads), view(weights)};
            return tuple_of(unlocked([&] { return self.contraction.rows(begin, came, enough); }));
          },
          py::arg("begin"), py::arg("tails"), py::arg("heads"), py::arg("weights"), py::arg("enough"));
}

void bind_refinement(py::module_& m) {
  py::class_<HeldRound>(m, "RankRound", "A round of refinement.")
      .def(py::init([](Topology const& topology, Blocks block, double filter, std::uint64_t seed, int threads,
                       Blocks home, Weights pull) {
             return HeldRound{topology, std::move(block), filter, seed, threads, std::move(home), std::move(pull)};
           }),
           py::arg("topology"), py::arg("block"), py::arg("filter"), py::arg("seed"), py::arg("threads"),
           py::arg("home") = Blocks(0), py::arg("pull") = Weights(0));
  m.def(
      "propose_rank_moves",
      [](HeldRows const& held, HeldRound const& round, Flags const& outdated, Blocks target, Weights gain) {
        Proposals const cached{mutable_view(target), mutable_view(gain)};
        auto const rows = held.rows();
        auto const now = round.round();
        auto const which = view(outdated);
        unlocked([&] { propose_rank_moves(rows, now, which, cached); });
      },
      py::arg("rows"), py::arg("round"), py::arg("outdated"), py::arg("target").noconvert(),
      py::arg("gain").noconvert());
  m.def(
      "accepted_rank_moves",
      [](HeldRows const& held, HeldRound const& round, Blocks target, Weights gain) {
        Proposals const proposals{mutable_view(target), mutable_view(gain)};
        auto const rows = held.rows();
        auto const now = round.round();
        return owned(unlocked([&] { return accepted_rank_moves(rows, now, proposals); }));
      },
      py::arg("rows"), py::arg("round"), py::arg("target").noconvert(), py::arg("gain").noconvert());
  m.def(
      "outdated_rows",
      [](HeldRows const& held, Flags const& changed) {
        auto const rows = held.rows();
        auto const which = view(changed);
        return owned(unlocked([&] { return outdated_rows(rows, which); }));
      },
      py::arg("rows"), py::arg("changed"));
  m.def(
      "border_rows",
      [](HeldRows const& held, Blocks const& block) {
        auto const rows = held.rows();
        auto const blocks = view(block);
        return owned(unlocked([&] { return border_rows(rows, blocks); }));
      },
      py::arg("rows"), py::arg("block"));
  m.def(
      "block_sums",
      [](Blocks const& block, py::array const& loads, Block num_blocks) {
        auto const blocks = view(block);
        auto const weights = integers(loads);
        return owned(unlocked([&] { return block_sums(blocks, weights, num_blocks); }));
      },
      py::arg("block"), py::arg("loads"), py::arg("num_blocks"));
  m.def(
      "cheapest_exits",
      [](HeldRows const& held, HeldRound const& round, Weights const& weight, Weights const& capacity,
         double heavy_vertex, bool heavy_too, Flags const& stays) {
        auto const rows = held.rows();
        auto const now = round.round();
        BlockLoads const loads{view(weight), view(capacity)};
        auto const which = view(stays);
        auto exits = unlocked([&] { return cheapest_exits(rows, now, loads, {heavy_vertex, heavy_too}, which); });
        return py::make_tuple(owned(std::move(exits.loss)), owned(std::move(exits.noise)),
                              owned(std::move(exits.vertex)), owned(std::move(exits.weight)),
                              owned(std::move(exits.source)), owned(std::move(exits.target)));
      },
      py::arg("rows"), py::arg("round"), py::arg("weight"), py::arg("capacity"), py::arg("heavy_vertex"),
      py::arg("heavy_too"), py::arg("stays"));
  m.def(
      "admitted_exits",
      [](std::vector<Weight> loss, std::vector<std::uint64_t> noise, std::vector<GlobalVertex> vertex,
         std::vector<Weight> load, std::vector<Block> source, std::vector<Block> target, Weights const& weight,
         Weights const& capacity) {
        ExitList const exits{std::move(loss), std::move(noise),  std::move(vertex),
                             std::move(load), std::move(source), std::move(target)};
        BlockLoads const loads{view(weight), view(capacity)};
        return owned(unlocked([&] { return admitted_exits(exits, loads); }));
      },
      py::arg("loss"), py::arg("noise"), py::arg("vertex"), py::arg("load"), py::arg("source"), py::arg("target"),
      py::arg("weight"), py::arg("capacity"));
  m.def(
      "rank_cost",
      [](HeldRows const& held, HeldRound const& round) {
        auto const rows = held.rows();
        auto const now = round.round();
        return unlocked([&] { return rank_cost(rows, now); });
      },
      py::arg("rows"), py::arg("round"));
  m.def(
      "rank_traffic",
      [](HeldRows const& held, HeldRound const& round) {
        auto const rows = held.rows();
        auto const now = round.round();
        auto found = unlocked([&] { return rank_traffic(rows, now); });
        return py::make_tuple(found.cost, found.cut, owned(std::move(found.level_traffic)),
                              owned(std::move(found.level_distances)));
      },
      py::arg("rows"), py::arg("round"));
}

}  // namespace

void bind_distributed(py::module_& m) {
  bind_rows(m);
  bind_clusters(m);
  bind_refinement(m);
  m.def(
      "hash", [](std::uint64_t seed, std::uint64_t id) { return hash(seed, id); },
      "The numbers of which all random ones are made.", py::arg("seed"), py::arg("id"));
  m.def(
      "digest_of", [](Topology const& machine) { return unlocked([&] { return digest_of(machine); }); },
      "A number that equal machines share.", py::arg("machine"));
}

}  // namespace procmap::python
