// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <stdexcept>
#include <string_view>

#include "bindings.hpp"
#include "procmap/config.hpp"

namespace procmap::python {

namespace py = pybind11;

namespace {

char const* type_name(ConfigField const& field) {
  switch (field.type) {
    case ConfigField::Type::boolean:
      return "boolean";
    case ConfigField::Type::integer:
      return "integer";
    case ConfigField::Type::real:
      return "real";
    case ConfigField::Type::choice:
      return "choice";
  }
  throw std::logic_error("unknown type of a configuration field");
}

}  // namespace

void bind_config(py::module_& m) {
  py::class_<ConfigField>(m, "ConfigField", "A parameter as users see it.")
      .def_readonly("path", &ConfigField::path)
      .def_property_readonly("type", &type_name, "'boolean', 'integer', 'real' or 'choice'.")
      .def_readonly("description", &ConfigField::description)
      .def_readonly("min", &ConfigField::min)
      .def_readonly("max", &ConfigField::max)
      .def_readonly("choices", &ConfigField::choices);

  py::class_<Config>(m, "Config", "Every parameter, read and written as text.")
      .def(py::init<>())
      .def_static("preset", &Config::preset, py::arg("name"))
      .def_static("preset_names", &Config::preset_names)
      .def("validate", &Config::validate)
      .def(
          "get", [](Config const& config, std::string_view path) { return get_field(config, path); }, py::arg("path"))
      .def(
          "set", [](Config& config, std::string_view path, std::string_view value) { set_field(config, path, value); },
          py::arg("path"), py::arg("value"));

  m.def("config_fields", &config_fields, "All parameters, in declaration order.");
}

}  // namespace procmap::python
