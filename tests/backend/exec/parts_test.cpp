// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/reference.hpp"

// Parts of a call, which run at the same time where threads, memory and the machine allow it.

namespace procmap::test {
namespace {

constexpr Edge length = 50'000;      // items of a part: more than a CPU leaves to one thread
constexpr Edge few = 1000;           // arcs
constexpr Edge many = Edge{1} << 40;  // ... for which no GPU has memory at the same time

template <class Exec>
void write_products(Exec& ex, Edge factor, Weight* to) {
  ex.for_each(length, [=] PROCMAP_LAMBDA(Edge i) { to[i] = factor * i; });
}

template <class Exec>
Weight sum_of(Exec& ex, Weight const* values) {
  return ex.sum(length, [=] PROCMAP_LAMBDA(Edge i) { return values[i]; });
}

constexpr Weight sum_of_products(Edge factor) { return factor * (length * (length - 1) / 2); }

/// Sums up `factor` times the items, in memory of the executor's own.
Weight work(Backend::Exec& ex, Edge factor) {
  Phase const phase(ex.run(), "part");
  auto const values = ex.buffer<Weight>(at(length));
  write_products(ex, factor, values.data());
  return sum_of(ex, values.data());
}

/// The same by passes that run where the data lie, with barriers of their own.
struct SumInside {
  Edge factor;
  Weight* values;
  Weight* sum;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("inside");
    ex.for_each(length, [=, factor = factor, to = values] PROCMAP_LAMBDA(Edge i) { to[i] = factor * i; });
    Weight all = 0;
    for (int turn = 0; turn < 50; ++turn)
      all = ex.sum(length, [=, from = values] PROCMAP_LAMBDA(Edge i) { return from[i]; });
    ex.for_each(1, [=, sum = sum] PROCMAP_LAMBDA(Edge) { *sum = all; });
  }
};

Weight work_inside(Backend::Exec& ex, Edge factor) {
  auto const values = ex.buffer<Weight>(at(length));
  auto const sum = ex.buffer<Weight>(1);
  ex.resident({length, 0, 0, 0}, SumInside{factor, values.data(), sum.data()});
  return ex.read(sum.data());
}

TEST(Parts, EachRunsKernelsOfItsOwn) {
  for (int const threads : {1, 2, 4}) {
    Backend backend(threads);
    std::vector<Weight> sums(8, 0);

    for (int turn = 0; turn < 3; ++turn)
      backend.ex.for_each_part(8, few, [&](Edge i, Backend::Exec& ex) { sums[at(i)] += work_inside(ex, i); });
    Weight const alone = work_inside(backend.ex, 9);

    for (Edge i = 0; i < 8; ++i) EXPECT_EQ(sums[at(i)], 3 * sum_of_products(i)) << threads << " threads";
    EXPECT_EQ(alone, sum_of_products(9));
    Weight calls = 0;
    for (auto const& phase : backend.phases())
      if (phase.name == "inside") calls += phase.calls;
    EXPECT_EQ(calls, 25);
  }
}

TEST(Parts, RunAtTheSameTime) {
  Backend backend(2);
  std::atomic<int> begun = 0;
  bool has_met[2] = {};

  backend.ex.for_each_part(2, few, [&](Edge i, Backend::Exec&) {
    ++begun;
    auto const patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (begun < 2 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    has_met[i] = begun == 2;
  });

  EXPECT_TRUE(has_met[0] && has_met[1]);
}

TEST(Parts, EachRunsOnceAndReportsToTheCall) {
  for (int const threads : Backend::thread_counts())
    for (Edge const arcs : {few, many})
      for (Edge const n : {0, 1, 2, 20}) {
        Backend backend(threads);
        std::vector<Weight> sums(at(n), 0);

        backend.ex.for_each_part(n, arcs, [&](Edge i, Backend::Exec& ex) { sums[at(i)] += work(ex, i + 1); });

        for (Edge i = 0; i < n; ++i) EXPECT_EQ(sums[at(i)], sum_of_products(i + 1)) << n << " parts";
        auto const& phases = backend.phases();
        ASSERT_EQ(phases.size(), n > 0 ? 1u : 0u);
        EXPECT_EQ(n > 0 ? phases[0].calls : 0, n);
      }
}

TEST(Parts, MayHavePartsThemselves) {
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    std::vector<Weight> sums(12, 0);

    backend.ex.for_each_part(3, few, [&](Edge i, Backend::Exec& ex) {
      ex.for_each_part(4, few, [&](Edge j, Backend::Exec& inner) { sums[at(4 * i + j)] += work(inner, 4 * i + j); });
    });

    for (Edge i = 0; i < 12; ++i) EXPECT_EQ(sums[at(i)], sum_of_products(i)) << threads << " threads";
  }
}

TEST(Parts, ReadAndWriteWhatTheCallHas) {
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    auto const shared = backend.make<Weight>(at(4 * length));

    backend.ex.for_each_part(4, few,
                             [&](Edge i, Backend::Exec& ex) { write_products(ex, i, shared.data() + length * i); });

    for (Edge i = 0; i < 4; ++i) EXPECT_EQ(sum_of(backend.ex, shared.data() + length * i), sum_of_products(i));
  }
}

TEST(Parts, TheFirstMayLeaveSomethingBehind) {
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    Buffer<Backend::Exec, Weight> kept;

    backend.ex.for_each_part(3, few, [&](Edge i, Backend::Exec& ex) {
      auto values = ex.buffer<Weight>(at(length));
      write_products(ex, i + 5, values.data());
      if (i == 0) kept = std::move(values);
    });

    EXPECT_EQ(sum_of(backend.ex, kept.data()), sum_of_products(5)) << threads << " threads";
  }
}

TEST(Parts, PassOnWhatOneOfThemThrows) {
  for (int const threads : Backend::thread_counts())
    for (Edge const failing : {0, 1, 3}) {
      Backend backend(threads);

      EXPECT_THROW(backend.ex.for_each_part(4, few,
                                            [&](Edge i, Backend::Exec& ex) {
                                              if (i == failing) throw std::bad_alloc();
                                              work(ex, i);
                                            }),
                   std::bad_alloc)
          << threads << " threads";

      EXPECT_EQ(work(backend.ex, 3), sum_of_products(3)) << "the executor is of use afterwards";
    }
}

}  // namespace
}  // namespace procmap::test
