// SPDX-License-Identifier: MIT
#include <exception>

#include "bindings.hpp"
#include "procmap/error.hpp"

namespace py = pybind11;

namespace procmap::python {

namespace {

template <class Error>
void bind_error(py::module_& m, char const* name, PyObject* base, char const* doc) {
  auto& type = py::register_local_exception<Error>(m, name, base);
  type.attr("__module__") = "procmap";  // where users find it
  type.attr("__doc__") = doc;
}

}  // namespace

void bind_errors(py::module_& m) {
  bind_error<GraphError>(m, "GraphError", PyExc_ValueError,
                         "The graph is malformed; the message names the first offending vertex or arc.");
  bind_error<TopologyError>(m, "TopologyError", PyExc_ValueError, "The machine description is malformed.");
  bind_error<ConfigError>(m, "ConfigError", PyExc_ValueError,
                          "An option or parameter is out of range; the message names it, its value and the range.");
  bind_error<FileError>(m, "FileError", PyExc_OSError,
                        "A file cannot be read or written; the message is 'PATH:LINE: what is wrong'.");
  bind_error<DeviceError>(m, "DeviceError", PyExc_RuntimeError,
                          "A GPU was asked for that cannot be used; the message says why.");
  py::register_local_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (Interrupted const&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace procmap::python

PYBIND11_MODULE(_core, m) {
  m.doc() = "C++ core of procmap. Takes exact types only; use the package procmap instead.";
  procmap::python::bind_errors(m);
  procmap::python::bind_graph(m);
  procmap::python::bind_topology(m);
  procmap::python::bind_config(m);
  procmap::python::bind_results(m);
  procmap::python::bind_mapping(m);
}
