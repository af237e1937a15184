// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace procmap::python {

// One function per file of bindings; module.cpp calls them in this order, because a signature
// can only name a type that is already known.
void bind_errors(pybind11::module_& m);
void bind_library_info(pybind11::module_& m);
void bind_device(pybind11::module_& m);
void bind_graph(pybind11::module_& m);
void bind_topology(pybind11::module_& m);
void bind_config(pybind11::module_& m);
void bind_options(pybind11::module_& m);
void bind_memory(pybind11::module_& m);
void bind_results(pybind11::module_& m);
void bind_mapping(pybind11::module_& m);
void bind_distributed(pybind11::module_& m);
void bind_placement(pybind11::module_& m);

}  // namespace procmap::python
