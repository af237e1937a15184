// SPDX-License-Identifier: MIT
#include "c_api/topology_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "procmap/error.hpp"

namespace procmap::capi {
namespace {

TEST(TopologyText, NamesMachinesOfEveryKind) {
  EXPECT_EQ(topology_from_text("4:8:6/1:10:100"), Topology::hierarchy("4:8:6", "1:10:100"));
  EXPECT_EQ(topology_from_text("torus:4:3"), Topology::torus({4, 3}));
  EXPECT_EQ(topology_from_text("mesh:5"), Topology::mesh({5}));
  EXPECT_EQ(topology_from_text("hypercube:3"), Topology::hypercube(3));
  EXPECT_EQ(topology_from_text("fat-tree:4"), Topology::fat_tree(4));
  EXPECT_EQ(topology_from_text("fat-tree:4:2"), Topology::fat_tree(4, 2));
  EXPECT_EQ(topology_from_text("dragonfly:9:4:2"), Topology::dragonfly(9, 4, 2));
  EXPECT_EQ(topology_from_text("flat:192"), Topology::flat(192));
}

TEST(TopologyText, SaysWhatIsPossible) {
  for (auto const* const text : {"", ":", "/", "4:8", "torus", "torus:", "torus:4:", "torus:4:x", "torus:-", "tor:4",
                                 "flat:1:2", "fat-tree:1:2:3", "hypercube:99999999999999", "torus:4 ", "TORUS:4"}) {
    try {
      topology_from_text(text);
      ADD_FAILURE() << text;
    } catch (TopologyError const& error) {
      EXPECT_NE(std::string(error.what()), "") << text;
    }
  }
  EXPECT_THROW(topology_from_text("torus" + std::string(1 << 20, ':')), TopologyError);
}

}  // namespace
}  // namespace procmap::capi
