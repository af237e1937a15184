// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <exception>

#include "bindings.hpp"
#include "procmap/error.hpp"
#include "procmap/procmap.hpp"

namespace py = pybind11;

namespace procmap::python {

namespace {

template <class Error>
void bind_error(py::module_& m, char const* name, PyObject* base, char const* doc) {
  auto& type = py::register_local_exception<Error>(m, name, base);
  type.attr("__module__") = "procmap";  // where users find it
  type.attr("__doc__") = doc;
}

// What the library was built with, and what it finds here.
py::dict library_info() {
  py::dict info;
  info["version"] = PROCMAP_VERSION;
#if defined(__clang__)
  info["compiler"] = "clang++ " __VERSION__;
#else
  info["compiler"] = "g++ " __VERSION__;
#endif
  auto const [names, no_gpu] = devices();
  info["devices"] = names;
  info["no_gpu"] = no_gpu;
  return info;
}

}  // namespace

void bind_library_info(py::module_& m) { m.def("library_info", &library_info, "Version, compiler and devices."); }

void bind_errors(py::module_& m) {
  bind_error<GraphError>(m, "GraphError", PyExc_ValueError,
                         "The graph is malformed; the message names the first offending vertex or arc.");
  bind_error<TopologyError>(m, "TopologyError", PyExc_ValueError, "The machine description is malformed.");
  bind_error<ConfigError>(m, "ConfigError", PyExc_ValueError,
                          "An option or parameter is out of range; the message names it, its value and the range.");
  bind_error<FileError>(m, "FileError", PyExc_OSError,
                        "A file cannot be read or written; the message is 'PATH:LINE: what is wrong'.");
  bind_error<DeviceError>(m, "DeviceError", PyExc_RuntimeError,
                          "A GPU was asked for that cannot be used, or it failed; the message says why.");
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
  procmap::python::bind_library_info(m);
  procmap::python::bind_device(m);
  procmap::python::bind_graph(m);
  procmap::python::bind_topology(m);
  procmap::python::bind_config(m);
  procmap::python::bind_options(m);
  procmap::python::bind_memory(m);
  procmap::python::bind_results(m);
  procmap::python::bind_mapping(m);
  procmap::python::bind_distributed(m);
  procmap::python::bind_placement(m);
}
