// SPDX-License-Identifier: MIT
#include "coarsening/skewed_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "support/backend.hpp"

namespace procmap::test {
namespace {

template <class Rule>
bool holds(Rule rule, std::vector<Weight> const& weights) {
  Backend backend;
  auto const buffer = backend.put(weights);
  auto const total = std::accumulate(weights.begin(), weights.end(), Weight{0});
  return rule(backend.ex, buffer.data(), static_cast<Edge>(weights.size()), total);
}

bool few_of(std::vector<Weight> const& weights) {
  return holds([](auto&&... of) { return few_are_heavy(of...); }, weights);
}

bool skewed_arcs(std::vector<Weight> const& weights) {
  return holds([](auto&&... of) { return arcs_are_skewed(of...); }, weights);
}

std::vector<Weight> ones_and(std::size_t others, Weight weight) {
  std::vector<Weight> weights(100, 1);
  std::fill_n(weights.begin(), others, weight);
  return weights;
}

TEST(HeavyFew, CarryAFifthOfTheWeight) {
  EXPECT_TRUE(few_of(ones_and(1, 30)));
  EXPECT_FALSE(few_of(ones_and(1, 14)));
  EXPECT_TRUE(few_of(ones_and(5, 64)));
  EXPECT_TRUE(few_of(ones_and(1, std::numeric_limits<Weight>::max() / 2)));
}

TEST(HeavyFew, AreNotMany) {
  EXPECT_FALSE(few_of(ones_and(0, 1)));
  EXPECT_FALSE(few_of(ones_and(50, 1000)));
}

TEST(HeavyFew, MayBeAllThatWeighAnythingButNotNextToNothing) {
  std::vector<Weight> weights(100, 0);
  EXPECT_FALSE(few_of(weights));
  std::fill_n(weights.begin(), 20, 1);
  EXPECT_FALSE(few_of(weights));
  std::fill_n(weights.begin(), 20, 5);
  EXPECT_TRUE(few_of(weights));
  std::fill_n(weights.begin(), 60, 5);
  EXPECT_FALSE(few_of(weights));
}

TEST(HeavyFew, AreNoneOfNothing) {
  Backend backend;
  EXPECT_FALSE(few_are_heavy(backend.ex, nullptr, 100, 100));
  EXPECT_FALSE(few_of({}));
}

TEST(ManyLight, AreElevenInFortyBelowAQuarterOfTheAverage) {
  EXPECT_TRUE(skewed_arcs(ones_and(72, 10)));
  EXPECT_FALSE(skewed_arcs(ones_and(73, 10)));
  EXPECT_FALSE(skewed_arcs(ones_and(70, 5)));
  EXPECT_TRUE(skewed_arcs(ones_and(1, std::numeric_limits<Weight>::max() / 2)));
}

TEST(ManyLight, AreNeitherEqualNorNothing) {
  EXPECT_FALSE(skewed_arcs(ones_and(0, 1)));
  std::vector<Weight> weights(100, 0);
  EXPECT_FALSE(skewed_arcs(weights));
  std::fill_n(weights.begin(), 50, 100);
  EXPECT_FALSE(skewed_arcs(weights));
  EXPECT_FALSE(skewed_arcs({}));
}

}  // namespace
}  // namespace procmap::test
