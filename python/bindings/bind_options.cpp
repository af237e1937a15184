// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "procmap/procmap.hpp"

namespace procmap::python {

namespace {

using OptionsClass = py::class_<Options>;

// An array of exactly this dtype, copied on the way in and on the way out.
template <class T>
void def_array(OptionsClass& options, char const* name, std::vector<T> Options::* member) {
  auto const get = [member](Options const& self) {
    auto const& values = self.*member;
    return Array<T>(static_cast<py::ssize_t>(values.size()), values.data());
  };
  auto const set = [member](Options& self, Array<T> const& array) {
    auto const values = view(array);
    (self.*member).assign(values.begin(), values.end());
  };
  py::cpp_function const setter(set, py::is_method(options), py::arg("values").noconvert());
  options.def_property(name, get, setter);
}

}  // namespace

void bind_options(py::module_& m) {
  OptionsClass options(m, "Options", "What a call asks for; empty arrays and zeros ask nothing.");
  options.def(py::init<>())
      .def_readwrite("imbalance", &Options::imbalance)
      .def_readwrite("imbalances", &Options::imbalances)
      .def_readwrite("seed", &Options::seed)
      .def_readwrite("threads", &Options::threads)
      .def_readwrite("device", &Options::device)
      .def_readwrite("config", &Options::config)
      .def_readwrite("migration_cost", &Options::migration_cost)
      .def_readwrite("allow_empty", &Options::allow_empty)
      .def_readwrite("repeats", &Options::repeats)
      .def_readwrite("time_limit", &Options::time_limit);
  def_array(options, "capacities", &Options::capacities);
  def_array(options, "fixed", &Options::fixed);
  def_array(options, "initial", &Options::initial);
  def_array(options, "vertex_sizes", &Options::vertex_sizes);
}

}  // namespace procmap::python
