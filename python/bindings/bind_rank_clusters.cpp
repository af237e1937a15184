// SPDX-License-Identifier: MIT
#include "distributed/rank_clusters.hpp"

#include <pybind11/functional.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "coarsening/skewed_weights.hpp"
#include "rank_arrays.hpp"

namespace procmap::python {

namespace {

// Holds those of RankClusters.
struct HeldClusters {
  py::array leader, weight, size;
  Blocks fixed;
  py::array least;

  RankClusters clusters() const {
    return {integers(leader), integers(weight), integers(size), view(fixed), integers(least)};
  }
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

}  // namespace

void bind_rank_clusters(py::module_& m) {
  py::class_<HeldClusters>(m, "RankClusters", "Clusters as a rank sees them.")
      .def(py::init([](py::array leader, py::array weight, py::array size, Blocks fixed, py::array least) {
             return HeldClusters{std::move(leader), std::move(weight), std::move(size), std::move(fixed),
                                 std::move(least)};
           }),
           py::arg("leader"), py::arg("weight"), py::arg("size"), py::arg("fixed"), py::arg("least"));
  m.def(
      "heaviest_arcs",
      [](HeldRows const& held) {
        auto const rows = held.rows();
        return owned(unlocked([&] { return heaviest_arcs(rows); }));
      },
      py::arg("rows"));
  m.def(
      "weight_of_arcs_above",
      [](HeldRows const& held, Weight limit) {
        auto const rows = held.rows();
        return unlocked([&] { return weight_of_arcs_above(rows, limit); });
      },
      py::arg("rows"), py::arg("limit"));
  m.def(
      "num_arcs_below",
      [](HeldRows const& held, Weight limit) {
        auto const rows = held.rows();
        return unlocked([&] { return num_arcs_below(rows, limit); });
      },
      py::arg("rows"), py::arg("limit"));
  using OfLimit = std::function<std::int64_t(Weight)>;
  m.def("arcs_are_skewed", &arcs_are_skewed<OfLimit, OfLimit>, py::arg("count"), py::arg("total"),
        py::arg("weight_above"), py::arg("num_below"));
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

}  // namespace procmap::python
