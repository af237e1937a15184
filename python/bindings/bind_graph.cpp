// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "procmap/graph.hpp"
#include "procmap/io.hpp"

namespace procmap::python {

namespace {

// A property that shows the array `get` returns without copying it.
template <class T>
auto lent(std::span<T const> (Graph::*get)() const) {
  return [get](py::object const& self) { return lend((self.cast<Graph const&>().*get)(), self); };
}

Graph graph_from_csr(Array<Edge> const& offsets, Array<Vertex> const& heads,
                     std::optional<Array<Weight>> const& arc_weights,
                     std::optional<Array<Weight>> const& vertex_weights,
                     std::optional<Array<Weight>> const& further_weights, int num_further, int threads) {
  CsrArrays arrays{borrow(offsets), borrow(heads), {}, {}};
  if (arc_weights) arrays.arc_weights = borrow(*arc_weights);
  if (vertex_weights) arrays.vertex_weights = borrow(*vertex_weights);
  if (further_weights) arrays.further_weights = borrow(*further_weights);
  arrays.num_further = num_further;
  py::gil_scoped_release const release;
  return Graph::from_csr(std::move(arrays), threads);
}

std::optional<Graph> graph_from_device(DeviceArray const& offsets, DeviceArray const& heads,
                                       std::optional<DeviceArray> const& arc_weights,
                                       std::optional<DeviceArray> const& vertex_weights,
                                       std::vector<std::uintptr_t> const& streams, bool copy) {
  DeviceCsrArrays const arrays{offsets, heads, arc_weights.value_or(DeviceArray{}),
                               vertex_weights.value_or(DeviceArray{}), streams};
  py::gil_scoped_release const release;
  return Graph::from_device(arrays, copy);
}

Graph with_further_weights(Graph const& graph, Array<Weight> const& further, int num_further) {
  auto weights = borrow(further);
  py::gil_scoped_release const release;
  return graph.with_further_weights(std::move(weights), num_further);
}

py::tuple arrays_on_device(Graph const& graph) {
  auto arrays = graph.device_arrays();
  auto const weights = graph.has_arc_weights() ? py::cast(arrays.arc_weights) : py::none();
  return py::make_tuple(arrays.offsets, arrays.heads, weights);
}

Array<Block> mapping_from_file(std::filesystem::path const& path) {
  std::vector<Block> blocks;
  {
    py::gil_scoped_release const release;
    blocks = read_mapping(path);
  }
  return Array<Block>(static_cast<py::ssize_t>(blocks.size()), blocks.data());
}

void mapping_to_file(Array<Block> const& blocks, std::filesystem::path const& path) {
  auto const values = view(blocks);
  py::gil_scoped_release const release;
  write_mapping(values, path);
}

void text_to_file(py::bytes const& text, std::filesystem::path const& path) {
  std::string_view const bytes = text;  // the caller keeps them alive
  py::gil_scoped_release const release;
  write_text(bytes, path);
}

}  // namespace

void bind_graph(py::module_& m) {
  using Unlocked = py::call_guard<py::gil_scoped_release>;
  py::class_<Graph>(m, "Graph", "A checked, immutable graph in CSR form.")
      .def_static("from_csr", &graph_from_csr, "Borrows the arrays and checks them.", py::arg("offsets").noconvert(),
                  py::arg("heads").noconvert(), py::arg("arc_weights").noconvert() = py::none(),
                  py::arg("vertex_weights").noconvert() = py::none(),
                  py::arg("further_weights").noconvert() = py::none(), py::arg("num_further") = 0,
                  py::arg("threads") = 0)
      .def_static("from_device", &graph_from_device,
                  "Checks arrays on a GPU and leaves them there; None if the host is to look at them.",
                  py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"), py::arg("vertex_weights"),
                  py::arg("streams"), py::arg("copy"))
      .def(
          "to_device", [](Graph const& graph, std::string const& device) { return graph.to_device(device_id(device)); },
          py::arg("device"), Unlocked())
      .def("with_further_weights", &with_further_weights, "The same graph with several weights per vertex.",
           py::arg("further_weights").noconvert(), py::arg("num_further"))
      .def("device_arrays", &arrays_on_device, "Offsets, heads and, unless all are 1, weights of the arcs.")
      .def_property_readonly(
          "device", [](Graph const& graph) { return graph.device().name(); }, "\"cpu\" or \"cuda:N\".")
      .def_property_readonly("has_arc_weights", &Graph::has_arc_weights)
      .def_property_readonly("has_vertex_weights", &Graph::has_vertex_weights)
      .def_property_readonly("num_vertices", &Graph::num_vertices)
      .def_property_readonly("num_arcs", &Graph::num_arcs)
      .def_property_readonly("num_edges", &Graph::num_edges)
      .def_property_readonly("offsets", lent(&Graph::offsets))
      .def_property_readonly("heads", lent(&Graph::heads))
      .def_property_readonly("arc_weights", lent(&Graph::arc_weights), "Empty: all 1.")
      .def_property_readonly("vertex_weights", lent(&Graph::vertex_weights), "Empty: all 1.")
      .def_property_readonly("num_weights", &Graph::num_weights)
      .def_property_readonly("further_weights", lent(&Graph::further_weights), "(num_weights - 1) of every vertex.")
      .def("total_weight", &Graph::total_weight, py::arg("i"))
      .def("max_weight", &Graph::max_weight, py::arg("i"))
      .def_property_readonly("total_vertex_weight", &Graph::total_vertex_weight)
      .def_property_readonly("total_arc_weight", &Graph::total_arc_weight)
      .def_property_readonly("max_vertex_weight", &Graph::max_vertex_weight)
      .def_property_readonly("max_degree", &Graph::max_degree);

  m.def("read_metis", &read_metis, py::arg("path"), py::arg("threads") = 0, Unlocked());
  m.def("write_metis", &write_metis, py::arg("graph"), py::arg("path"), Unlocked());
  m.def("write_text", &text_to_file, py::arg("text"), py::arg("path"));
  m.def("read_mapping", &mapping_from_file, py::arg("path"));
  m.def("write_mapping", &mapping_to_file, py::arg("blocks").noconvert(), py::arg("path"));
}

}  // namespace procmap::python
