// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace

void bind_topology(py::module_& m) {
  py::class_<Topology>(m, "Topology", "PEs of a machine and the distance between any two of them.")
      .def_static("hierarchy", py::overload_cast<std::vector<Block>, std::vector<Weight>>(&Topology::hierarchy),
                  py::arg("sizes"), py::arg("distances"))
      .def_static("parse", py::overload_cast<std::string_view, std::string_view>(&Topology::hierarchy),
                  "The same from strings such as '4:8:6' and '1:10:100'.", py::arg("sizes"), py::arg("distances"))
      .def_static("flat", &Topology::flat, py::arg("num_pes"))
      .def_property_readonly("num_pes", &Topology::num_pes)
      .def_property_readonly("sizes", &Topology::sizes)
      .def_property_readonly("distances", &Topology::distances)
      .def("distance", &distance, py::arg("a"), py::arg("b"))
      .def("meeting_level", &meeting_level, py::arg("a"), py::arg("b"))
      .def("describe", &Topology::describe);
}

}  // namespace procmap::python
