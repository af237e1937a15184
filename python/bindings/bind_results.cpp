// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "procmap/procmap.hpp"

namespace procmap::python {

namespace {

// A property that shows a vector inside the object without copying it.
template <class T, class Owner>
auto lent(std::vector<T> Owner::* values) {
  return [values](py::object const& self) { return lend(std::span<T const>(self.cast<Owner const&>().*values), self); };
}

void bind_stats(py::module_& m) {
  py::class_<PhaseTime>(m, "PhaseTime", "Seconds spent in one phase.")
      .def_readonly("name", &PhaseTime::name)
      .def_readonly("seconds", &PhaseTime::seconds)
      .def_readonly("calls", &PhaseTime::calls);

  py::class_<LevelStats>(m, "LevelStats", "One refinement of one level.")
      .def_readonly("stage", &LevelStats::stage)
      .def_readonly("level", &LevelStats::level)
      .def_readonly("vertices", &LevelStats::vertices)
      .def_readonly("arcs", &LevelStats::arcs)
      .def_readonly("members", &LevelStats::members)
      .def_readonly("rounds", &LevelStats::rounds)
      .def_readonly("flow_cuts", &LevelStats::flow_cuts)
      .def_readonly("flow_cut_short", &LevelStats::flow_cut_short)
      .def_readonly("cost", &LevelStats::cost)
      .def_readonly("seconds", &LevelStats::seconds);

  py::class_<AttemptStats>(m, "AttemptStats", "One mapping made on the way to the best.")
      .def_readonly("seed", &AttemptStats::seed)
      .def_readonly("quick", &AttemptStats::quick)
      .def_readonly("finished", &AttemptStats::finished)
      .def_readonly("kept", &AttemptStats::kept)
      .def_readonly("cost", &AttemptStats::cost)
      .def_readonly("seconds", &AttemptStats::seconds);

  py::class_<Stats>(m, "Stats", "Where the time of a call went.")
      .def_readonly("seconds", &Stats::seconds)
      .def_readonly("threads", &Stats::threads)
      .def_readonly("device", &Stats::device)
      .def_readonly("device_reason", &Stats::device_reason)
      .def_readonly("device_memory", &Stats::device_memory)
      .def_readonly("phases", &Stats::phases)
      .def_readonly("levels", &Stats::levels)
      .def_readonly("attempts", &Stats::attempts);
}

}  // namespace

void bind_results(py::module_& m) {
  bind_stats(m);

  py::class_<WeightReport>(m, "WeightReport", "What the blocks hold of one of several weights.")
      .def_property_readonly("block_weights", lent(&WeightReport::block_weights))
      .def_readonly("max_block_weight", &WeightReport::max_block_weight)
      .def_property_readonly("capacities", lent(&WeightReport::capacities))
      .def_readonly("capacity", &WeightReport::capacity)
      .def_readonly("imbalance", &WeightReport::imbalance);

  py::class_<Report>(m, "Report", "What a mapping costs and whether it is balanced.")
      .def_readonly("cost", &Report::cost)
      .def_readonly("edge_cut", &Report::edge_cut)
      .def_property_readonly("level_traffic", lent(&Report::level_traffic))
      .def_property_readonly("level_distances", lent(&Report::level_distances))
      .def_property_readonly("block_weights", lent(&Report::block_weights))
      .def_readonly("max_block_weight", &Report::max_block_weight)
      .def_property_readonly("capacities", lent(&Report::capacities))
      .def_readonly("capacity", &Report::capacity)
      .def_readonly("imbalance", &Report::imbalance)
      .def_readonly("further", &Report::further)
      .def_readonly("feasible", &Report::feasible)
      .def_readonly("empty_blocks", &Report::empty_blocks)
      .def_readonly("migrated_vertices", &Report::migrated_vertices)
      .def_readonly("migrated_weight", &Report::migrated_weight);

  py::class_<BlockShapes>(m, "BlockShapes", "What the blocks of a mapping look like.")
      .def_property_readonly("volume", lent(&BlockShapes::volume))
      .def_property_readonly("components", lent(&BlockShapes::components));

  py::class_<Mapping>(m, "Mapping", "Blocks, and what is known about them.")
      .def_property_readonly("blocks", lent(&Mapping::blocks))
      .def_readonly("report", &Mapping::report)
      .def_readonly("stats", &Mapping::stats);
}

}  // namespace procmap::python
