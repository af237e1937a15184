// SPDX-License-Identifier: MIT
#include <cstdint>

#include "core/hash.hpp"
#include "rank_arrays.hpp"
#include "topology/digest.hpp"

namespace procmap::python {

void bind_distributed(py::module_& m) {
  bind_rank_rows(m);
  bind_rank_clusters(m);
  bind_rank_refinement(m);
  m.def(
      "hash", [](std::uint64_t seed, std::uint64_t id) { return hash(seed, id); },
      "The numbers of which all random ones are made.", py::arg("seed"), py::arg("id"));
  m.def(
      "digest_of", [](Topology const& machine) { return unlocked([&] { return digest_of(machine); }); },
      "A number that equal machines share.", py::arg("machine"));
}

}  // namespace procmap::python
