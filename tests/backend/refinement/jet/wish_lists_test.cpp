// SPDX-License-Identifier: MIT
#include "refinement/jet/wish_lists.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/backend.hpp"

namespace procmap::test {
namespace {

/// Vertex v gets count[v] wishes, of which the i-th gains i + 1 in block v; found[v] is the sum of what it then has.
template <class Exec>
void note_and_sum(Exec& ex, WishLists lists, Edge const* count, Vertex n, Weight* found) {
  ex.for_each_in_group(
      n, [=] PROCMAP_LAMBDA(Edge v) { return count[v]; },
      [=] PROCMAP_LAMBDA(Edge i, auto group) {
        auto const v = static_cast<Vertex>(i);
        if (lists.open(v, count[v], group))
          for (Edge j = group.rank(); j < count[v]; j += group.size()) lists.note(v, {j + 1, v});
        else if (group.rank() == 0)
          lists.forget(v);
        group.sync();
        Weight sum = 0;
        if (lists.has(v)) lists.for_each(v, group, [&](Wish wish) { sum += wish.block == v ? wish.gain : -1; });
        sum = group.sum(sum);
        if (group.rank() == 0) found[v] = sum;
      });
}

struct HeldLists {
  HeldLists(Backend& backend, Vertex n, Edge capacity)
      : backend_(backend),
        list_(backend.put(std::vector<WishList>(static_cast<std::size_t>(n)))),
        wish_(backend.make<Wish>(static_cast<std::size_t>(capacity))),
        used_(backend.put(std::vector<Edge>{0})),
        view{list_.data(), wish_.data(), used_.data(), capacity} {}

  std::vector<Weight> sums(std::vector<Edge> const& count) {
    auto const counts = backend_.put(count);
    auto found = backend_.make<Weight>(count.size());
    note_and_sum(backend_.ex, view, counts.data(), static_cast<Vertex>(count.size()), found.data());
    return backend_.get(found);
  }
  Edge used() { return backend_.ex.read(used_.data()); }

 private:
  Backend& backend_;
  Buffer<Backend::Exec, WishList> list_;
  Buffer<Backend::Exec, Wish> wish_;
  Buffer<Backend::Exec, Edge> used_;

 public:
  WishLists view;
};

TEST(WishLists, HoldWhatWasNotedLast) {
  Backend backend;
  HeldLists lists(backend, 3, 100);

  EXPECT_EQ(lists.sums({4, 0, 30}), (std::vector<Weight>{10, 0, 465}));
  EXPECT_EQ(lists.sums({2, 1, 31}), (std::vector<Weight>{3, 1, 496}));
}

TEST(WishLists, AreWrittenOverWhereTheyFit) {
  Backend backend;
  HeldLists lists(backend, 2, 100);
  lists.sums({8, 8});
  Edge const used = lists.used();

  lists.sums({12, 3});

  EXPECT_EQ(lists.used(), used);  // there was room for half as many more
}

TEST(WishLists, AreNotKeptWithoutPlace) {
  Backend backend;
  HeldLists lists(backend, 2, 10);

  EXPECT_EQ(lists.sums({4, 0}), (std::vector<Weight>{10, 0}));
  EXPECT_EQ(lists.sums({4, 9}), (std::vector<Weight>{10, 0}));
}

}  // namespace
}  // namespace procmap::test
