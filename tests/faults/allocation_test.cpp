// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "procmap/io.hpp"
#include "procmap/procmap.hpp"
#include "support/files.hpp"
#include "support/graphs.hpp"
#include "support/traced.hpp"

// Every allocation of the library fails once, one after the other. Its buffers call malloc, which the linker leads here
// (--wrap=malloc), and everything else operator new. Other libraries are left alone.

namespace {

constexpr long never = std::numeric_limits<long>::max();
std::atomic<long> left = never;  // allocations until the first that fails
std::atomic<bool> lasting = false;
std::atomic<long> failures = 0;

bool fails_now() {
  if (left.load(std::memory_order_relaxed) == never) return false;
  long const before = left.fetch_sub(1);
  bool const fails = lasting ? before <= 1 : before == 1;
  if (fails) ++failures;
  return fails;
}

}  // namespace

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // all of them are malloc and free here
#endif

extern "C" void* __real_malloc(std::size_t bytes);
extern "C" void* __real_realloc(void* old, std::size_t bytes);
extern "C" void* __wrap_malloc(std::size_t bytes) { return fails_now() ? nullptr : __real_malloc(bytes); }
extern "C" void* __wrap_realloc(void* old, std::size_t bytes) {
  return fails_now() ? nullptr : __real_realloc(old, bytes);
}

void* operator new(std::size_t bytes) {
  void* const memory = fails_now() ? nullptr : __real_malloc(bytes ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  return fails_now() ? nullptr : __real_malloc(bytes ? bytes : 1);
}
void* operator new[](std::size_t bytes, std::nothrow_t const& tag) noexcept { return operator new(bytes, tag); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* memory = nullptr;
  if (fails_now() || ::posix_memalign(&memory, static_cast<std::size_t>(alignment), bytes) != 0) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace procmap::test {
namespace {

/// The allocations of its life fail from the n-th on, or the n-th alone.
class Shortage {
 public:
  Shortage(long n, bool lasts) {
    failures = 0;
    lasting = lasts;
    left = n;
  }
  Shortage(Shortage const&) = delete;
  Shortage& operator=(Shortage const&) = delete;
  ~Shortage() { left = never; }
};

/// Runs f() with every of its allocations failing in turn, every `step`-th one of them. It must throw std::bad_alloc,
/// or do without the memory and give the same result. Returns how many allocations were tried.
template <class F>
long fail_at_every_allocation(F f, long step = 1) {
  if (sanitized) step *= 4;
  auto const expected = f();
  long points = 0;
  for (bool const lasts : {false, true})
    for (long n = 1;; n += step) {
      bool same = true, other = false;
      {
        Shortage const shortage(n, lasts);
        try {
          auto const result = f();
          left = never;
          same = result == expected;
        } catch (std::bad_alloc const&) {
        } catch (...) {
          other = true;
        }
      }
      EXPECT_TRUE(same) << "allocation " << n << (lasts ? " and later" : "");
      EXPECT_FALSE(other) << "another exception than std::bad_alloc, allocation " << n;
      if (failures == 0) break;
      ++points;
    }
  EXPECT_EQ(f(), expected) << "the library is as before";
  return points;
}

Options options(std::string_view preset, int threads) {
  Options options;
  options.config = Config::preset(preset);
  options.threads = threads;
  return options;
}

constexpr long enough = sanitized ? 12 : 50;  // failing allocations; a sanitizer sees every fourth

struct Case {
  char const* preset;
  long step;  // 1: all; every one of "default" is 19,000 points and half a minute
};

class EveryAllocation : public ::testing::TestWithParam<Case> {};

TEST_P(EveryAllocation, OfAMappingMayFail) {
  auto const graph = grid2d(5, 5);
  auto const machine = Topology::hierarchy("2:2", "1:10");
  for (int const threads : {1, 3}) {
    auto const chosen = options(GetParam().preset, threads);

    auto const points = fail_at_every_allocation([&] { return map(graph, machine, chosen).blocks; }, GetParam().step);

    EXPECT_GT(points, enough);
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryAllocation,
                         ::testing::Values(Case{"fast", 1}, Case{"default", 41}, Case{"strong", 401}, Case{"im", 1},
                                           Case{"hm", 1}),
                         [](auto const& tested) { return std::string(tested.param.preset); });

TEST(EveryAllocationOfOthers, OfAMappingOntoATorusMayFail) {
  auto const graph = grid2d(6, 6);
  auto const chosen = options("fast", 2);

  auto const machines =
      fail_at_every_allocation([&] { return map(graph, Topology::torus({2, 3}), chosen).blocks; }, 101);

  EXPECT_GT(machines, enough);
}

TEST(EveryAllocationOfOthers, OfAGraphItsFilesAndItsEvaluationMayFail) {
  TempFolder const folder;
  auto const file = folder / "graph", out = folder / "out";
  write_metis(grid2d(30, 30), file);
  auto const machine = Topology::hierarchy("2:2", "1:10");
  std::vector<Block> const blocks(900, 1);

  auto const points = fail_at_every_allocation([&] {
    auto const graph = read_metis(file, 2);
    write_metis(graph, out);
    write_mapping(blocks, out);
    return evaluate(graph, machine, blocks).cost + read_mapping(out)[0];
  });

  EXPECT_GT(points, enough / 3);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 2) << "no temporary file is left";
}

}  // namespace
}  // namespace procmap::test
