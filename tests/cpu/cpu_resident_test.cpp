// SPDX-License-Identifier: MIT
#include "exec/cpu_resident.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "exec/kernel_traits.hpp"
#include "support/backend.hpp"
#include "support/message.hpp"

// A composite that counts its scratch wrongly stops the user's process on a GPU. These tests say that the CPU notices.

namespace procmap::test {
namespace {

using Exec = CpuBackend::Exec;

/// What a composite f that needs `needs` throws; "" if nothing.
template <class F>
std::string complaint(ResidentNeeds needs, F const& f) {
  CpuBackend backend;
  try {
    backend.ex.resident(needs, f);
  } catch (std::logic_error const& error) {
    return error.what();
  }
  return "";
}

std::string const too_little_scratch = "a composite needs more than ResidentNeeds::scratch_bytes says";

/// Whether exactly `bytes` of scratch are enough for f on `items` items.
template <class F>
testing::AssertionResult takes(std::size_t bytes, F const& f) {
  if (auto const text = complaint({100, bytes, 10}, f); !text.empty())
    return testing::AssertionFailure() << bytes << " bytes: " << text;
  if (complaint({100, bytes - 1, 10}, f) != too_little_scratch)
    return testing::AssertionFailure() << bytes - 1 << " bytes are enough";
  return testing::AssertionSuccess();
}

TEST(CpuResident, CountsBuffersAsAGpuAlignsThem) {
  EXPECT_EQ(Exec::scratch_bytes<char>(1), 16U);
  EXPECT_EQ(Exec::scratch_bytes<Weight>(3), 32U);
  EXPECT_EQ(Exec::scratch_bytes<Vertex>(0), 0U);

  EXPECT_TRUE(takes(Exec::scratch_bytes<char>(1) + Exec::scratch_bytes<Weight>(3), [](auto& ex) {
    auto const first = ex.template buffer<char>(1);
    auto const second = ex.template buffer<Weight>(3);
  }));
}

TEST(CpuResident, BuffersCountUntilTheEndOfTheirScope) {
  EXPECT_TRUE(takes(2 * Exec::scratch_bytes<Weight>(10), [](auto& ex) {
    auto const lasting = ex.template buffer<Weight>(10);
    for (int round = 0; round < 3; ++round) {
      typename std::remove_cvref_t<decltype(ex)>::ScratchScope const scope(ex);
      auto const temporary = ex.template buffer<Weight>(10);
    }
  }));
  EXPECT_TRUE(takes(3 * Exec::scratch_bytes<Weight>(10), [](auto& ex) {
    for (int round = 0; round < 3; ++round) auto const lost = ex.template buffer<Weight>(10);
  }));
}

TEST(CpuResident, CountsWhatPassesTakeWhileTheyRun) {
  EXPECT_TRUE(takes(Exec::pass_bytes(100), [](auto& ex) {
    for (int round = 0; round < 3; ++round) ex.for_each_in_group(100, [](Edge) { return Edge{1}; }, [](Edge, auto) {});
  }));
  EXPECT_TRUE(takes(Exec::pass_bytes(100), [](auto& ex) {
    ex.for_each_with_table(100, [](Edge) { return Edge{1}; }, 10, [](Edge, auto, auto&) {});
  }));
}

TEST(CpuResident, CountsTheSecondPlaceOfASort) {
  EXPECT_TRUE(takes(2 * Exec::scratch_bytes<Weight>(100), [](auto& ex) {
    auto const values = ex.template buffer<Weight>(100);
    ex.for_each(100, [=, data = values.data()](Edge i) { data[i] = -i; });
    ex.sort(values.data(), 100, [](Weight a, Weight b) { return a < b; });
  }));
}

TEST(CpuResident, KnowsTheLargestUniverseOfTables) {
  auto const pass = [](auto& ex) {
    ex.for_each_with_table(1, [](Edge) { return Edge{1}; }, 10, [](Edge, auto, auto&) {});
  };

  EXPECT_EQ(complaint({1, 100, 10}, pass), "");
  EXPECT_EQ(complaint({1, 100, 9}, pass), "a composite needs more than ResidentNeeds::table_universe says");
}

TEST(CpuResident, KnowsTheMostKeysOfATable) {
  auto const pass = [](auto& ex) {
    ex.for_each_with_table(1, [](Edge) { return Edge{4}; }, 10, [](Edge, auto, auto&) {});
  };

  EXPECT_EQ(complaint({1, 100, 10, 0, 4}, pass), "");
  EXPECT_EQ(complaint({1, 100, 10, 0, 3}, pass), "a composite needs more than ResidentNeeds::table_keys says");
}

template <class Exec, std::size_t... I>
void open_phases(Exec& ex, std::index_sequence<I...>) {
  static constexpr char names[][3] = {{static_cast<char>('a' + I), static_cast<char>('a' + I / 26), 0}...};
  for (int round = 0; round < 2; ++round) (void(ex.phase(names[I])), ...);
}

TEST(CpuResident, HasRoomForSoManyPhases) {
  auto const as_many = [](auto& ex) { open_phases(ex, std::make_index_sequence<max_resident_phases>()); };
  auto const one_more = [](auto& ex) { open_phases(ex, std::make_index_sequence<max_resident_phases + 1>()); };

  EXPECT_EQ(complaint({}, as_many), "");
  EXPECT_EQ(complaint({}, one_more), "a composite needs more than max_resident_phases says");
}

struct Narrow {};
struct Wide {};

}  // namespace
}  // namespace procmap::test

template <>
struct procmap::KernelTraits<procmap::test::Narrow> : procmap::DefaultKernelTraits {
  static constexpr bool fills_machine = false;
};
template <>
struct procmap::KernelTraits<procmap::test::Wide> : procmap::DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

namespace procmap::test {

static_assert(!KernelTraits<int>::fills_machine && !KernelTraits<int>::by_degree);
static_assert(!KernelTraits<Narrow>::fills_machine, "false means false");
static_assert(KernelTraits<Wide>::fills_machine && !KernelTraits<Wide>::by_degree);

}  // namespace procmap::test
