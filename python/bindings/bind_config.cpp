// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "bindings.hpp"
#include "procmap/config.hpp"

namespace procmap::python {

namespace py = pybind11;

namespace {

char const* type_of_field(ConfigField const& field) {
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

// What set() takes. An integer of any size, as Python has them.
using Value = std::variant<bool, py::int_, double, std::string>;

void set(Config& config, std::string_view path, Value const& value) {
  if (auto const* const flag = std::get_if<bool>(&value)) return set_value(config, path, *flag);
  if (auto const* const real = std::get_if<double>(&value)) return set_value(config, path, *real);
  if (auto const* const text = std::get_if<std::string>(&value)) return set_value(config, path, *text);
  auto const& integer = std::get<py::int_>(value);
  int overflow = 0;
  auto const number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow != 0) return set_field(config, path, py::str(integer).cast<std::string>());  // says the range
  set_value(config, path, std::int64_t{number});
}

}  // namespace

void bind_config(py::module_& m) {
  py::class_<ConfigField>(m, "ConfigField", "A parameter as users see it.")
      .def_readonly("path", &ConfigField::path)
      .def_property_readonly("type", &type_of_field, "'boolean', 'integer', 'real' or 'choice'.")
      .def_readonly("default", &ConfigField::default_value)
      .def_readonly("description", &ConfigField::description)
      .def_readonly("min", &ConfigField::min)
      .def_readonly("max", &ConfigField::max)
      .def_readonly("choices", &ConfigField::choices);
  py::class_<ConfigSection>(m, "ConfigSection", "A group of parameters.")
      .def_readonly("path", &ConfigSection::path)
      .def_readonly("type_name", &ConfigSection::type_name)
      .def_readonly("description", &ConfigSection::description);

  py::class_<Config>(m, "Config", "Every parameter.")
      .def(py::init<>())
      .def_static("preset", &Config::preset, py::arg("name"))
      .def_static("preset_names", &Config::preset_names)
      .def("get", &get_value, py::arg("path"))
      .def("set", &set, py::arg("path"), py::arg("value").noconvert())
      .def("set_text", &set_field, "Sets a parameter as --set does.", py::arg("path"), py::arg("text"));

  m.def("config_fields", &config_fields, "All parameters, in declaration order.");
  m.def("config_sections", &config_sections, "All groups of parameters, in declaration order.");
}

}  // namespace procmap::python
