// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "procmap/graph.hpp"

namespace procmap::python {

namespace py = pybind11;

/// Exactly this dtype and C-contiguous; together with py::arg().noconvert() nothing is converted
/// behind the caller's back. The Python layer normalises.
template <class T>
using Array = py::array_t<T, py::array::c_style>;

template <class T>
std::span<T const> view(Array<T> const& array) {
  if (array.ndim() != 1) throw py::value_error("expected a one-dimensional array");
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// A holder of a Python object. The last one may be any thread, so the release takes the GIL.
inline std::shared_ptr<py::object> keep_alive(py::object object) {
  auto const release = [](py::object* held) {
    if (Py_IsInitialized() == 0) return;  // the interpreter is gone, and its objects with it
    py::gil_scoped_acquire const gil;
    delete held;
  };
  return {new py::object(std::move(object)), release};
}

/// The values of `array` without a copy. The array object lives as long as the result does.
template <class T>
SharedArray<T> borrow(Array<T> const& array) {
  return {view(array), keep_alive(array)};
}

/// A read-only NumPy array over `values`, which live inside the Python object `owner`.
template <class T>
Array<T> lend(std::span<T const> values, py::handle owner) {
  Array<T> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace procmap::python
