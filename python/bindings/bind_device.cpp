// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "dlpack.hpp"
#include "procmap/device.hpp"
#include "procmap/device_array.hpp"
#include "procmap/graph.hpp"
#include "procmap/memory.hpp"

namespace procmap::python {

namespace {

struct NamedType {
  char const* name;  // as NumPy's typestr, little endian
  ElementType type;
};

constexpr NamedType named_types[] = {{"|i1", ElementType::int8},    {"<i2", ElementType::int16},
                                     {"<i4", ElementType::int32},   {"<i8", ElementType::int64},
                                     {"|u1", ElementType::uint8},   {"<u2", ElementType::uint16},
                                     {"<u4", ElementType::uint32},  {"<u8", ElementType::uint64},
                                     {"<f4", ElementType::float32}, {"<f8", ElementType::float64}};

std::string type_name(DeviceArray const& array) {
  for (auto const& [name, type] : named_types)
    if (type == array.type) return name;
  throw py::type_error("unknown type of an element");
}

DeviceArray from_pointer(std::uintptr_t data, std::int64_t size, std::string const& type_name,
                         std::string const& device, py::object owner) {
  for (auto const& [name, type] : named_types)
    if (type_name == name)
      return {reinterpret_cast<void const*>(data), size, type, device_id(device), keep_alive(std::move(owner))};
  throw py::type_error("elements of type " + type_name + " are not taken");
}

py::array to_numpy(DeviceArray const& array, std::vector<std::uintptr_t> const& streams) {
  py::array values(py::dtype(type_name(array)), std::vector<py::ssize_t>{static_cast<py::ssize_t>(array.size)});
  auto* const data = values.mutable_data();
  py::gil_scoped_release const release;
  copy_to_host(array, streams, data);
  return values;
}

std::int64_t estimate(std::int64_t vertices, std::int64_t arcs, std::int64_t blocks, bool arc_weights,
                      int vertex_weights, bool graph_on_device, Config const& config) {
  return estimate_device_memory({vertices, arcs, blocks, arc_weights, vertex_weights, graph_on_device}, config);
}

template <class T, ElementType type>
DeviceArray to_device(Array<T> const& array, std::string const& device) {
  auto const values = view(array);
  py::gil_scoped_release const release;
  return copy_to_device(values.data(), static_cast<std::int64_t>(values.size()), type, device_id(device));
}

}  // namespace

void bind_device(py::module_& m) {
  py::class_<DeviceArray>(m, "DeviceArray", "A one-dimensional array in the memory of a GPU.")
      .def_static("from_pointer", &from_pointer, py::arg("data"), py::arg("size"), py::arg("type_name"),
                  py::arg("device"), py::arg("owner"))
      .def_static("from_dlpack", &from_dlpack, py::arg("capsule"), py::arg("name"))
      .def_static("from_blocks", &to_device<Block, ElementType::int32>, py::arg("blocks").noconvert(),
                  py::arg("device"))
      .def_static("from_weights", &to_device<Weight, ElementType::int64>, py::arg("weights").noconvert(),
                  py::arg("device"))
      .def("to_dlpack", &to_dlpack)
      .def("to_numpy", &to_numpy, "Copies the array, after the work so far in `streams`.", py::arg("streams"))
      .def_property_readonly("data", [](DeviceArray const& a) { return reinterpret_cast<std::uintptr_t>(a.data); })
      .def_readonly("size", &DeviceArray::size)
      .def_property_readonly("type_name", &type_name)
      .def_property_readonly("device", [](DeviceArray const& a) { return a.device.name(); })
      .def_property_readonly("dlpack_device", [](DeviceArray const& a) {
        auto const device = dlpack_device(a.device);
        return py::make_tuple(device.type, device.id);
      });
  m.def("gpu_kinds", &gpu_kinds, "Names of GPUs, without their numbers, whether this build can use them or not.");
  m.def("is_dlpack_gpu", &is_dlpack_gpu, "Whether DLPack's number of a type of devices means GPUs.", py::arg("type"));
}

void bind_memory(py::module_& m) {
  m.def("estimate_device_memory", &estimate, "Bytes that a mapping takes on a GPU, about.", py::arg("vertices"),
        py::arg("arcs"), py::arg("blocks"), py::arg("arc_weights"), py::arg("vertex_weights"),
        py::arg("graph_on_device"), py::arg("config"));
}

}  // namespace procmap::python
