// SPDX-License-Identifier: MIT
#include "placement/replica_exchange.hpp"

#include <algorithm>
#include <cstdint>

#include "arrays.hpp"
#include "bindings.hpp"

// What takes time of procmap.placement.

namespace procmap::python {

namespace {

using Numbers = Array<std::int64_t>;

// Returns the GPU of every replica afterwards.
Numbers exchanged(std::int64_t num_experts, std::int64_t num_gpus, Numbers const& expert, Numbers const& gpu,
                  Numbers const& load, Numbers const& traffic, Numbers const& distance, Array<std::uint8_t> const& home,
                  Weight move_cost, Weight bound, double heat) {
  Numbers found(gpu.size());
  std::copy_n(gpu.data(), gpu.size(), found.mutable_data());
  Replicas const replicas{num_experts,    num_gpus,   view(expert), view(load), view(traffic),
                          view(distance), view(home), move_cost,    bound};
  std::span<std::int64_t> const places{found.mutable_data(), static_cast<std::size_t>(found.size())};
  py::gil_scoped_release const release;
  exchange_replicas(replicas, places, heat);
  return found;
}

}  // namespace

void bind_placement(py::module_& m) {
  m.def("exchange_replicas", &exchanged, py::arg("num_experts"), py::arg("num_gpus"), py::arg("expert").noconvert(),
        py::arg("gpu").noconvert(), py::arg("load").noconvert(), py::arg("traffic").noconvert(),
        py::arg("distance").noconvert(), py::arg("home").noconvert(), py::arg("move_cost"), py::arg("bound"),
        py::arg("heat"), "GPUs of replicas after exchanges; arrays of pairs are flat, and empty ones do not count.");
}

}  // namespace procmap::python
