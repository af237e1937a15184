// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "procmap/topology.hpp"

namespace procmap::python {

namespace py = pybind11;

namespace {

void check_pe(Topology const& topology, Block pe) {
  if (pe < 0 || pe >= topology.num_pes())
    throw py::index_error("PE " + std::to_string(pe) + " is not in [0, " + std::to_string(topology.num_pes()) + ")");
}

Weight distance(Topology const& topology, Block a, Block b) {
  check_pe(topology, a);
  check_pe(topology, b);
  return topology.distance(a, b);
}

int meeting_level(Topology const& topology, Block a, Block b) {
  check_pe(topology, a);
  check_pe(topology, b);
  return topology.meeting_level(a, b);
}

Topology from_distance_matrix(Array<Weight> const& distances, Block num_pes) {
  auto const values = view(distances);
  py::gil_scoped_release const release;
  return Topology::from_distance_matrix(values, num_pes);
}

Topology dragonfly(Block groups, Block routers, Block pes, Weight terminal, Weight local, Weight global) {
  return Topology::dragonfly(groups, routers, pes, {terminal, local, global});
}

Topology sub(Topology const& topology, Array<Block> const& pes) { return topology.sub(view(pes)); }

// All distances, row by row.
Array<Weight> distance_matrix(Topology const& topology) {
  Block const k = topology.num_pes();
  Array<Weight> matrix({k, k});
  auto entries = matrix.mutable_unchecked<2>();
  py::gil_scoped_release const release;
  for (Block a = 0; a < k; ++a)
    for (Block b = 0; b < k; ++b) entries(a, b) = topology.distance(a, b);
  return matrix;
}

}  // namespace

void bind_topology(py::module_& m) {
  py::class_<Topology>(m, "Topology", "PEs of a machine and the distance between any two of them.")
      .def_static("hierarchy", py::overload_cast<std::vector<Block>, std::vector<Weight>>(&Topology::hierarchy),
                  py::arg("sizes"), py::arg("distances"))
      .def_static("parse", py::overload_cast<std::string_view, std::string_view>(&Topology::hierarchy),
                  "The same from strings such as '4:8:6' and '1:10:100'.", py::arg("sizes"), py::arg("distances"))
      .def_static("flat", &Topology::flat, py::arg("num_pes"))
      .def_static("from_distance_matrix", &from_distance_matrix, "Entries row by row.",
                  py::arg("distances").noconvert(), py::arg("num_pes"))
      .def_static("torus", &Topology::torus, py::arg("sizes"), py::arg("costs"))
      .def_static("mesh", &Topology::mesh, py::arg("sizes"), py::arg("costs"))
      .def_static("hypercube", &Topology::hypercube, py::arg("dimensions"))
      .def_static("fat_tree", &Topology::fat_tree, py::arg("ports"), py::arg("pes_per_host"))
      .def_static("dragonfly", &dragonfly, py::arg("groups"), py::arg("routers"), py::arg("pes"), py::arg("terminal"),
                  py::arg("local"), py::arg("global_"))
      .def("sub", &sub, py::arg("pes").noconvert())
      .def_property_readonly("num_pes", &Topology::num_pes)
      .def_property_readonly("is_hierarchy", &Topology::is_hierarchy)
      .def_property_readonly(
          "num_levels", [](Topology const& topology) { return topology.is_hierarchy() ? topology.num_levels() : 0; })
      .def_property_readonly("max_distance", &Topology::max_distance)
      .def_property_readonly("is_flat",
                             [](Topology const& topology) { return topology.is_hierarchy() && topology.is_flat(); })
      .def_property_readonly("sizes", &Topology::sizes)
      .def_property_readonly("distances", &Topology::distances)
      .def("distance", &distance, py::arg("a"), py::arg("b"))
      .def("meeting_level", &meeting_level, py::arg("a"), py::arg("b"))
      .def("distance_matrix", &distance_matrix)
      .def("same_as", &Topology::operator==, py::arg("other"))
      .def("describe", &Topology::describe);
}

}  // namespace procmap::python
