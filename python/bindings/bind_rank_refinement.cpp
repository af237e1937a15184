// SPDX-License-Identifier: MIT
#include "distributed/rank_refinement.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "rank_arrays.hpp"

namespace procmap::python {

namespace {

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

void bind_moves(py::module_& m) {
  m.def(
      "propose_rank_moves",
      [](HeldRows const& held, HeldRound const& round, Flags const& outdated, Blocks target, Weights gain,
         Weights const& room) {
        Proposals const cached{mutable_view(target), mutable_view(gain)};
        auto const rows = held.rows();
        auto const now = round.round();
        auto const which = view(outdated);
        auto const free = view(room);
        unlocked([&] { propose_rank_moves(rows, now, which, cached, free); });
      },
      py::arg("rows"), py::arg("round"), py::arg("outdated"), py::arg("target").noconvert(),
      py::arg("gain").noconvert(), py::arg("room") = Weights(0));
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
}

void bind_balance(py::module_& m) {
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
}

void bind_costs(py::module_& m) {
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

void bind_rank_refinement(py::module_& m) {
  py::class_<HeldRound>(m, "RankRound", "A round of refinement.")
      .def(py::init([](Topology const& topology, Blocks block, double filter, std::uint64_t seed, int threads,
                       Blocks home, Weights pull) {
             return HeldRound{topology, std::move(block), filter, seed, threads, std::move(home), std::move(pull)};
           }),
           py::arg("topology"), py::arg("block"), py::arg("filter"), py::arg("seed"), py::arg("threads"),
           py::arg("home") = Blocks(0), py::arg("pull") = Weights(0));
  bind_moves(m);
  bind_balance(m);
  bind_costs(m);
}

}  // namespace procmap::python
