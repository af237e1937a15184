// SPDX-License-Identifier: MIT
#include "topology/digest.hpp"

#include <vector>

#include "core/hash.hpp"

namespace procmap {
namespace {

struct Digest {
  std::uint64_t value = 0;

  void add(std::uint64_t number) { value = hash(value, number); }
  template <class T>
  void add(std::vector<T> const& numbers) {
    add(static_cast<std::uint64_t>(numbers.size()));
    for (T const number : numbers) add(static_cast<std::uint64_t>(number));
  }
};

}  // namespace

std::uint64_t digest_of(Topology const& machine) {
  Digest digest;
  if (auto const* const hierarchy = machine.as_hierarchy()) {
    digest.add(std::uint64_t{1});
    digest.add(hierarchy->sizes);
    digest.add(hierarchy->distances);
  } else if (auto const* const grid = machine.as_grid()) {
    digest.add(std::uint64_t{2});
    digest.add(grid->sizes);
    digest.add(grid->wraps);
    digest.add(grid->costs);
    digest.add(grid->coordinates);
  } else if (auto const* const table = machine.as_table()) {
    digest.add(std::uint64_t{3});
    digest.add(static_cast<std::uint64_t>(table->num_nodes));
    digest.add(table->node_of_pe);
    digest.add(table->distances);
    digest.add(table->groups);
  }
  return digest.value;
}

}  // namespace procmap
