// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "monitor.hpp"
#include "procmap/procmap.hpp"

namespace procmap::python {

namespace {

// Runs without the GIL. Ctrl-C and an exception of `progress` end it early.
Mapping map_graph(Graph const& graph, Topology const& topology, Options options, py::object progress,
                  py::object helpers) {
  PythonMonitor monitor(std::move(progress), std::move(helpers));
  options.monitor = monitor.callbacks();
  try {
    Mapping mapping;
    {
      py::gil_scoped_release const release;
      mapping = map(graph, topology, options);
    }
    monitor.rethrow();
    return mapping;
  } catch (Interrupted const&) {
    monitor.rethrow();
    throw;
  }
}

std::vector<Mapping> map_graphs(std::vector<Graph const*> const& graphs, Topology const& topology,
                                std::vector<Options> const& options, int threads) {
  std::vector<MapRequest> requests;
  for (std::size_t i = 0; i < graphs.size(); ++i) requests.push_back({graphs[i], options.at(i)});
  PythonMonitor monitor(py::none{});
  auto const callbacks = monitor.callbacks();
  try {
    py::gil_scoped_release const release;
    return map_many(requests, topology, threads, callbacks);
  } catch (Interrupted const&) {
    monitor.rethrow();
    throw;
  }
}

Report evaluate_blocks(Graph const& graph, Topology const& topology, Array<Block> const& blocks, double imbalance,
                       int threads, std::string const& device, Array<Weight> const& capacities,
                       std::vector<double> const& imbalances) {
  auto const values = view(blocks);
  EvaluateOptions const options{.imbalance = imbalance,
                                .threads = threads,
                                .device = device,
                                .capacities = view(capacities),
                                .imbalances = imbalances};
  py::gil_scoped_release const release;
  return evaluate(graph, topology, values, options);
}

BlockShapes shapes_of_blocks(Graph const& graph, Array<Block> const& blocks, Block num_blocks, int threads) {
  auto const values = view(blocks);
  py::gil_scoped_release const release;
  return block_shapes(graph, values, num_blocks, threads);
}

}  // namespace

void bind_mapping(py::module_& m) {
  m.def("map", &map_graph, py::arg("graph"), py::arg("topology"), py::arg("options"), py::arg("progress") = py::none(),
        py::arg("helpers") = py::none());
  m.def(
      "do_job",
      [](py::bytes const& job, std::string const& device, int threads) {
        auto const bytes = std::string(job);
        std::string answer;
        {
          py::gil_scoped_release const release;
          answer = do_job(bytes, device, threads);
        }
        return py::bytes(answer);
      },
      py::arg("job"), py::arg("device"), py::arg("threads"));
  m.def("map_many", &map_graphs, py::arg("graphs"), py::arg("topology"), py::arg("options"), py::arg("threads"));
  m.def("evaluate", &evaluate_blocks, py::arg("graph"), py::arg("topology"), py::arg("blocks").noconvert(),
        py::kw_only(), py::arg("imbalance"), py::arg("threads"), py::arg("device"),
        py::arg("capacities").noconvert() = Array<Weight>(0), py::arg("imbalances") = std::vector<double>{});
  m.def("block_shapes", &shapes_of_blocks, py::arg("graph"), py::arg("blocks").noconvert(), py::arg("num_blocks"),
        py::arg("threads"));
  m.def("block_capacity", &block_capacity, "Lmax = ceil((1 + imbalance) total_weight / num_blocks).",
        py::arg("total_weight"), py::arg("num_blocks"), py::arg("imbalance"));
}

}  // namespace procmap::python
