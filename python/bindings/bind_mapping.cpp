// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "monitor.hpp"
#include "procmap/procmap.hpp"

namespace procmap::python {

namespace {

// What Options ask of single PEs and vertices, as a value of its own.
struct Constraints {
  std::vector<Weight> capacities;
  std::vector<Block> fixed, initial;
  double migration_cost = 0;
  std::vector<Weight> vertex_sizes;
  bool allow_empty = true;
};

template <class T>
std::vector<T> copy(Array<T> const& array) {
  auto const values = view(array);
  return {values.begin(), values.end()};
}

Constraints make_constraints(Array<Weight> const& capacities, Array<Block> const& fixed, Array<Block> const& initial,
                             double migration_cost, Array<Weight> const& vertex_sizes, bool allow_empty) {
  return {copy(capacities), copy(fixed), copy(initial), migration_cost, copy(vertex_sizes), allow_empty};
}

Options make_options(double imbalance, std::uint64_t seed, std::string device, int threads, Config const& config,
                     Constraints const& constraints, int repeats, double time_limit) {
  Options options;
  options.imbalance = imbalance;
  options.seed = seed;
  options.threads = threads;
  options.device = std::move(device);
  options.config = config;
  options.capacities = constraints.capacities;
  options.fixed = constraints.fixed;
  options.initial = constraints.initial;
  options.migration_cost = constraints.migration_cost;
  options.vertex_sizes = constraints.vertex_sizes;
  options.allow_empty = constraints.allow_empty;
  options.repeats = repeats;
  options.time_limit = time_limit;
  return options;
}

// Runs `work(options)` without the GIL. Ctrl-C and an exception of `progress` end it early.
template <class Work>
Mapping run(Work const& work, Options options, py::object progress) {
  PythonMonitor monitor(std::move(progress));
  options.monitor = monitor.callbacks();
  try {
    Mapping mapping;
    {
      py::gil_scoped_release const release;
      mapping = work(options);
    }
    monitor.rethrow();
    return mapping;
  } catch (Interrupted const&) {
    monitor.rethrow();
    throw;
  }
}

Mapping map_graph(Graph const& graph, Topology const& topology, double imbalance, std::uint64_t seed,
                  std::string device, int threads, Config const& config, Constraints const& constraints, int repeats,
                  double time_limit, py::object progress) {
  auto const work = [&](Options const& options) { return map(graph, topology, options); };
  return run(work, make_options(imbalance, seed, std::move(device), threads, config, constraints, repeats, time_limit),
             std::move(progress));
}

Mapping partition_graph(Graph const& graph, Block k, double imbalance, std::uint64_t seed, std::string device,
                        int threads, Config const& config, Constraints const& constraints, int repeats,
                        double time_limit, py::object progress) {
  auto const work = [&](Options const& options) { return partition(graph, k, options); };
  return run(work, make_options(imbalance, seed, std::move(device), threads, config, constraints, repeats, time_limit),
             std::move(progress));
}

Report evaluate_blocks(Graph const& graph, Topology const& topology, Array<Block> const& blocks, double imbalance,
                       std::string const& device, int threads, Array<Weight> const& capacities) {
  auto const values = view(blocks);
  auto const limits = view(capacities);
  py::gil_scoped_release const release;
  return evaluate(graph, topology, values, imbalance, threads, device, limits);
}

BlockShapes shapes_of_blocks(Graph const& graph, Array<Block> const& blocks, Block num_blocks, int threads) {
  auto const values = view(blocks);
  py::gil_scoped_release const release;
  return block_shapes(graph, values, num_blocks, threads);
}

}  // namespace

void bind_mapping(py::module_& m) {
  py::class_<Constraints>(m, "Constraints", "What a call asks of single PEs and vertices; empty arrays ask nothing.")
      .def(py::init(&make_constraints), py::arg("capacities").noconvert(), py::arg("fixed").noconvert(),
           py::arg("initial").noconvert(), py::arg("migration_cost"), py::arg("vertex_sizes").noconvert(),
           py::arg("allow_empty"));
  m.def("map", &map_graph, py::arg("graph"), py::arg("topology"), py::arg("imbalance"), py::arg("seed"),
        py::arg("device"), py::arg("threads"), py::arg("config"), py::arg("constraints"), py::arg("repeats"),
        py::arg("time_limit"), py::arg("progress") = py::none());
  m.def("partition", &partition_graph, py::arg("graph"), py::arg("k"), py::arg("imbalance"), py::arg("seed"),
        py::arg("device"), py::arg("threads"), py::arg("config"), py::arg("constraints"), py::arg("repeats"),
        py::arg("time_limit"), py::arg("progress") = py::none());
  m.def("evaluate", &evaluate_blocks, py::arg("graph"), py::arg("topology"), py::arg("blocks").noconvert(),
        py::arg("imbalance"), py::arg("device"), py::arg("threads"),
        py::arg("capacities").noconvert() = Array<Weight>(0));
  m.def("block_shapes", &shapes_of_blocks, py::arg("graph"), py::arg("blocks").noconvert(), py::arg("num_blocks"),
        py::arg("threads"));
  m.def("block_capacity", &block_capacity, "Lmax = ceil((1 + imbalance) total_weight / num_blocks).",
        py::arg("total_weight"), py::arg("num_blocks"), py::arg("imbalance"));
}

}  // namespace procmap::python
