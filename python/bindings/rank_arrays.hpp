// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "distributed/rank_rows.hpp"

// What a rank computes between two exchanges, which are Python's: procmap.distributed.

namespace procmap::python {

namespace py = pybind11;

using Ids = Array<GlobalVertex>;
using Weights = Array<Weight>;
using Flags = Array<std::uint8_t>;
using Blocks = Array<Block>;

// An array that takes the values over.
template <class T>
Array<T> owned(std::vector<T>&& values) {
  auto* const moved = new std::vector<T>(std::move(values));
  py::capsule const owner(moved, [](void* held) { delete static_cast<std::vector<T>*>(held); });
  return Array<T>(static_cast<py::ssize_t>(moved->size()), moved->data(), owner);
}

// Calls f without the GIL.
template <class F>
auto unlocked(F f) {
  py::gil_scoped_release const release;
  return f();
}

// An array of int32 or int64.
inline IntegerView integers(py::array const& array) {
  if (py::isinstance<Array<std::int32_t>>(array)) return view(Array<std::int32_t>(array));
  if (py::isinstance<Array<std::int64_t>>(array)) return view(Array<std::int64_t>(array));
  throw py::type_error("expected a contiguous array of int32 or int64");
}

inline py::tuple tuple_of(GlobalRows rows) {
  return py::make_tuple(owned(std::move(rows.offsets)), owned(std::move(rows.heads)),
                        owned(std::move(rows.arc_weights)));
}

inline py::tuple tuple_of(ArcList arcs) {
  return py::make_tuple(owned(std::move(arcs.tails)), owned(std::move(arcs.heads)), owned(std::move(arcs.weights)));
}

// Holds the arrays of RankRows.
struct HeldRows {
  GlobalVertex first;
  Array<Edge> offsets;
  Array<Vertex> heads;
  py::array arc_weights;  // of int64 or uint32
  Weights vertex_weights;
  Ids ghosts;

  RankRows rows() const {
    RankRows rows{first, view(offsets), view(heads), {}, view(vertex_weights), view(ghosts), {}};
    if (py::isinstance<Array<NarrowWeight>>(arc_weights)) {
      rows.narrow_arc_weights = view(Array<NarrowWeight>(arc_weights));
    } else {
      rows.arc_weights = view(Weights(arc_weights));
    }
    return rows;
  }
};

void bind_rank_rows(py::module_& m);
void bind_rank_clusters(py::module_& m);
void bind_rank_refinement(py::module_& m);

}  // namespace procmap::python
