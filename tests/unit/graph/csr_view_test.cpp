// SPDX-License-Identifier: MIT
#include "graph/csr_view.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace procmap::test {
namespace {

TEST(CsrView, TheLoopOverWeightsSeesThoseOfItsArcs) {
  std::vector<Weight> const wide{Weight{1} << 40, 0, 7};
  std::vector<NarrowWeight> const narrow{4'000'000'000u, 0, 5};
  CsrView const unit{}, with_wide{.arc_weights = wide.data()}, with_narrow{.narrow_arc_weights = narrow.data()};

  for (auto const& graph : {unit, with_wide, with_narrow})
    for (Edge e = 0; e < 3; ++e)
      EXPECT_EQ(graph.with_arc_weights([&](auto weight) { return weight(e); }), graph.arc_weight(e)) << e;
  EXPECT_EQ(unit.arc_weight(1), 1);
  EXPECT_EQ(with_wide.arc_weight(0), wide[0]);
  EXPECT_EQ(with_narrow.arc_weight(0), Weight{narrow[0]});
}

}  // namespace
}  // namespace procmap::test
