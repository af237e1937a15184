// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "refinement/jet/jet.hpp"
#include "support/refinement.hpp"

// The vertices with something to do, looked for one by one and eight at a time.

namespace procmap::test {
namespace {

struct Lists {
  Vertex* one_by_one;
  Vertex* by_eights;
  Vertex* eights;
  Edge* counts;
};

struct ListActive {
  Refinement refinement;
  Lists to;
  std::uint64_t rarity;  // one of so many vertices is dirty, and one marked

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const out = to;
    auto const state = refinement.state;
    ex.for_each(refinement.part.num_vertices, [=, rare = rarity] PROCMAP_LAMBDA(Edge v) {
      state.dirty[v] = hash(1, static_cast<std::uint64_t>(v)) % rare == 0;
      state.mark[v] = hash(2, static_cast<std::uint64_t>(v)) % rare == 0 ? Mark::changed : 0;
    });
    auto const first = active_vertices(ex, refinement, out.one_by_one);
    auto const second = active_among_many(ex, refinement, out.by_eights, out.eights);
    ex.for_each(1, [=] PROCMAP_LAMBDA(Edge) {
      out.counts[0] = first.count;
      out.counts[1] = second.count;
    });
  }
};

std::vector<Vertex> sorted_front(std::vector<Vertex> list, Edge count) {
  list.resize(at(count));
  std::ranges::sort(list);
  return list;
}

TEST(ActiveVertices, AreTheSameLookedForEightAtATime) {
  for (Vertex const n : {1, 7, 8, 9, 250, 4101})
    for (std::uint64_t const rarity : {1, 3, 40, 5000}) {
      Backend backend(2);
      Stage stage(backend, random_problem({path(n)}, 2, 50, 1), CutCase{2});
      auto one_by_one = backend.make<Vertex>(at(n)), by_eights = backend.make<Vertex>(at(n));
      auto eights = backend.make<Vertex>(at(n));
      auto counts = backend.make<Edge>(2);

      backend.ex.resident(
          {n, 0, 1, 2 * Edge{n}},
          ListActive{stage.refinement(), {one_by_one.data(), by_eights.data(), eights.data(), counts.data()}, rarity});

      auto const found = backend.get(counts);
      EXPECT_EQ(found[1], found[0]) << n << " vertices, one of " << rarity;
      EXPECT_EQ(sorted_front(backend.get(by_eights), found[1]), sorted_front(backend.get(one_by_one), found[0]));
      EXPECT_TRUE(rarity > 1 || found[0] == n);
    }
}

}  // namespace
}  // namespace procmap::test
