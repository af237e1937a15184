// SPDX-License-Identifier: MIT
#include "exec/cpu_executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "exec/processors.hpp"
#include "support/backend.hpp"
#include "support/message.hpp"

// What only the CPU does; the verbs themselves: backend/executor_test.cpp.

// Too large an allocation must return to the caller under the sanitizers as well.
extern "C" char const* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" char const* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace procmap::test {
namespace {

TEST(CpuExecutor, UsesAsManyThreadsAsAskedFor) {
  EXPECT_EQ(CpuBackend(1).ex.threads(), 1);
  EXPECT_EQ(CpuBackend(3).ex.threads(), 3);
  EXPECT_EQ(CpuBackend(0).ex.threads(), default_threads());
  EXPECT_EQ(CpuBackend(-1).ex.threads(), default_threads());
}

TEST(CpuExecutor, PassesOnWhatATablePassThrows) {
  for (int const threads : CpuBackend::thread_counts())
    for (Edge const n : {1, 10'000}) {
      CpuBackend backend(threads);
      std::vector<char> done(static_cast<std::size_t>(n), 0);
      auto const pass = [&](bool fails) {
        backend.ex.for_each_with_table(
            n, [](Edge) { return Edge{2}; }, 1 << 20,
            [&](Edge i, auto, auto& table) {
              table.add(static_cast<Vertex>(i), 1);
              if (fails && i % 700 == 0) throw std::runtime_error("item " + std::to_string(i));
              done[static_cast<std::size_t>(i)] = table.size() == 1;
            });
      };

      auto const message = message_of<std::runtime_error>([&] { pass(true); });
      pass(false);

      EXPECT_EQ(message.substr(0, 5), "item ") << threads << " threads, n = " << n;
      EXPECT_EQ(std::accumulate(done.begin(), done.end(), Edge{0}), n) << "a later pass starts with empty tables";
    }
}

TEST(CpuExecutor, PassesOnThatATableDoesNotFitIntoMemory) {
  for (int const threads : CpuBackend::thread_counts()) {
    CpuBackend backend(threads);
    auto const pass = [&](Edge bound) {
      backend.ex.for_each_with_table(
          1000, [=](Edge) { return bound; }, 1 << 20,
          [](Edge i, auto, auto& table) { table.add(static_cast<Vertex>(i), 1); });
    };

    Edge const volatile too_many = Edge{1} << 60;  // volatile: the compiler would warn of it
    EXPECT_THROW(pass(too_many), std::bad_alloc) << threads << " threads";
    EXPECT_NO_THROW(pass(4)) << threads << " threads";
  }
}

TEST(CpuExecutor, RunsEveryJobOnceAndPassesOnWhatItThrows) {
  for (int const threads : CpuBackend::thread_counts())
    for (Edge const n : {0, 1, 50}) {
      CpuBackend backend(threads);
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n));

      backend.ex.for_each_job(n, [&](Edge i) { ++runs[static_cast<std::size_t>(i)]; });

      for (auto const& count : runs) EXPECT_EQ(count, 1) << threads << " threads";
      if (n == 0) continue;
      EXPECT_THROW(backend.ex.for_each_job(n,
                                           [](Edge i) {
                                             if (i == 0) throw std::bad_alloc();
                                           }),
                   std::bad_alloc)
          << threads << " threads";
    }
}

TEST(CpuBuffer, MovesItsMemory) {
  CpuBuffer<int> first(3);
  first.data()[0] = 7;
  auto* const memory = first.data();

  CpuBuffer<int> second(std::move(first));
  CpuBuffer<int> third(100);
  third = std::move(second);

  EXPECT_EQ(third.data(), memory);
  EXPECT_EQ(third.size(), 3u);
  EXPECT_EQ(third.data()[0], 7);
}

TEST(CpuBuffer, IsNullWhenEmpty) {
  EXPECT_EQ(CpuBuffer<int>().data(), nullptr);
  EXPECT_EQ(CpuBuffer<int>(0).data(), nullptr);
  CpuBuffer<int> shrunk(5);
  shrunk.shrink(0);
  EXPECT_EQ(shrunk.data(), nullptr);
  EXPECT_EQ(shrunk.size(), 0u);
}

TEST(CpuBuffer, KeepsWhatALargeArrayBeginsWith) {
  constexpr std::size_t large = std::size_t{3} << 20;  // has pages of its own
  for (std::size_t const kept : {large, large - 1, std::size_t{2000001}, std::size_t{5}, std::size_t{0}}) {
    CpuBuffer<int> buffer(large);
    for (std::size_t i = 0; i < large; ++i) buffer.data()[i] = static_cast<int>(i);
    buffer.shrink(kept);
    CpuBuffer<int> other(3);
    other = std::move(buffer);
    EXPECT_EQ(other.size(), kept);
    for (std::size_t i = 0; i < kept; ++i) ASSERT_EQ(other.data()[i], static_cast<int>(i)) << kept;
  }
}

TEST(CpuBuffer, GivesAPageBackOnlyWhole) {
  constexpr std::size_t large = std::size_t{5} << 20;  // bytes
  CpuBuffer<char> buffer(large);
  for (std::size_t kept = large; kept > 3; kept /= 3) {
    buffer.data()[kept - 1] = 'x';
    buffer.shrink(kept);
    EXPECT_EQ(buffer.data()[kept - 1], 'x');
  }
}

TEST(CpuBuffer, RefusesMoreThanThereIs) {
  EXPECT_THROW(CpuBuffer<Weight>(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
  EXPECT_THROW(CpuBuffer<Weight>(std::size_t{1} << 58), std::bad_alloc);
}

}  // namespace
}  // namespace procmap::test
