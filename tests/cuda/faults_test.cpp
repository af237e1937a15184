// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "procmap/device_array.hpp"
#include "procmap/error.hpp"
#include "procmap/procmap.hpp"
#include "support/graphs.hpp"

// Every call of the CUDA runtime that takes memory fails in turn, and then every other one that can fail. The linker
// leads the library's calls here (--wrap).

namespace {

constexpr long never = std::numeric_limits<long>::max();

/// Calls of one kind: which of them fail, and how.
struct Faults {
  std::atomic<long> left = never;  // calls until the first that fails
  std::atomic<long> failures = 0;
  bool lasting = false;  // that one, or all from then on

  bool now() {
    if (left.load(std::memory_order_relaxed) == never) return false;
    long const before = left.fetch_sub(1);
    bool const fails = lasting ? before <= 1 : before == 1;
    if (fails) ++failures;
    return fails;
  }
};

Faults memory_faults;
Faults call_faults;

}  // namespace

// NOLINTBEGIN
#define PROCMAP_WRAPPED(name, faults, code, parameters, arguments) \
  extern "C" cudaError_t __real_##name parameters;                 \
  extern "C" cudaError_t __wrap_##name parameters { return faults.now() ? code : __real_##name arguments; }
PROCMAP_WRAPPED(cudaMalloc, memory_faults, cudaErrorMemoryAllocation, (void** p, std::size_t n), (p, n))
PROCMAP_WRAPPED(cudaMallocHost, memory_faults, cudaErrorMemoryAllocation, (void** p, std::size_t n), (p, n))
PROCMAP_WRAPPED(cudaHostAlloc, memory_faults, cudaErrorMemoryAllocation, (void** p, std::size_t n, unsigned f),
                (p, n, f))
PROCMAP_WRAPPED(cudaMallocFromPoolAsync, memory_faults, cudaErrorMemoryAllocation,
                (void** p, std::size_t n, cudaMemPool_t pool, cudaStream_t s), (p, n, pool, s))
PROCMAP_WRAPPED(cudaMemcpyAsync, call_faults, cudaErrorUnknown,
                (void* to, void const* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t s),
                (to, from, n, kind, s))
PROCMAP_WRAPPED(cudaMemsetAsync, call_faults, cudaErrorUnknown, (void* p, int v, std::size_t n, cudaStream_t s),
                (p, v, n, s))
PROCMAP_WRAPPED(cudaStreamCreateWithFlags, call_faults, cudaErrorUnknown, (cudaStream_t * s, unsigned f), (s, f))
PROCMAP_WRAPPED(cudaEventCreateWithFlags, call_faults, cudaErrorUnknown, (cudaEvent_t * e, unsigned f), (e, f))
PROCMAP_WRAPPED(cudaGetDevice, call_faults, cudaErrorUnknown, (int* device), (device))
PROCMAP_WRAPPED(cudaDeviceGetAttribute, call_faults, cudaErrorUnknown, (int* v, cudaDeviceAttr a, int d), (v, a, d))
// The work is done and fails: what runs must not be left behind.
extern "C" cudaError_t __real_cudaStreamSynchronize(cudaStream_t s);
extern "C" cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t s) {
  auto const status = __real_cudaStreamSynchronize(s);
  return call_faults.now() ? cudaErrorUnknown : status;
}
#undef PROCMAP_WRAPPED
// NOLINTEND

namespace procmap::test {
namespace {

/// The n-th call of its life fails, or all from then on.
class Fault {
 public:
  Fault(Faults& faults, long n, bool lasts) : faults_(faults) {
    faults_.failures = 0;
    faults_.lasting = lasts;
    faults_.left = n;
  }
  Fault(Fault const&) = delete;
  Fault& operator=(Fault const&) = delete;
  ~Fault() { faults_.left = never; }

 private:
  Faults& faults_;
};

using Blocks = std::vector<Block>;

/// Runs f() with every `step`-th call of the kind failing in turn: it must throw Expected, or do without and give the
/// same. Returns how many calls were tried.
template <class Expected>
long fail_at_every_call(Faults& faults, std::function<Blocks()> const& f, long step) {
  auto const expected = f();
  long points = 0;
  for (bool const lasts : {false, true})
    for (long n = 1;; n += step) {
      {
        Fault const fault(faults, n, lasts);
        try {
          EXPECT_EQ(f(), expected) << "call " << n << (lasts ? " and later" : "");
        } catch (Expected const&) {
        }
      }
      if (faults.failures == 0) break;
      ++points;
      if (points % 16 == 0) {
        EXPECT_EQ(f(), expected) << "the call after " << n;
      }
    }
  EXPECT_EQ(f(), expected) << "the library is as before";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  return points;
}

struct Case {
  char const* preset;
  long step;
};

class GpuFaults : public ::testing::TestWithParam<Case> {
 protected:
  Blocks map_once() const {
    Options options;
    options.config = Config::preset(GetParam().preset);
    options.device = "cuda";
    options.threads = 2;
    return map(graph_, machine_, options).blocks;
  }

 private:
  Graph graph_ = grid2d(48, 48);  // more arcs than two threads of the host take over
  Topology machine_ = Topology::hierarchy("2:2:2", "1:10:100");
};

TEST_P(GpuFaults, MemoryMayBeShortAtEveryAllocation) {
  auto const points =
      fail_at_every_call<DeviceOutOfMemory>(memory_faults, [this] { return map_once(); }, GetParam().step);

  EXPECT_GT(points, 20);  // small blocks are kept, so the driver is asked less often
}

TEST_P(GpuFaults, EveryCallOfTheRuntimeMayFail) {
  auto const points = fail_at_every_call<DeviceError>(call_faults, [this] { return map_once(); }, GetParam().step);

  EXPECT_GT(points, 40);
}

INSTANTIATE_TEST_SUITE_P(Presets, GpuFaults,
                         ::testing::Values(Case{"fast", 1}, Case{"default", 11}, Case{"im", 1}, Case{"hm", 3}),
                         [](auto const& tested) { return std::string(tested.param.preset); });

/// Long enough for the staged upload with its pinned buffers.
TEST(GpuFaultsOfGraphs, UploadsAndCopiesMayLackMemoryAndFail) {
  auto const graph = grid2d(900, 900);
  auto const use = [&] {
    auto const there = graph.to_device({"cuda", 0});
    auto const heads = there.resident() ? there.heads() : graph.heads();
    std::vector<int> const values{1, 2, 3};
    auto const array = copy_to_device(values.data(), 3, ElementType::int32, {"cuda", 0});
    Blocks found(3);
    copy_to_host(array, {}, found.data());
    found.push_back(static_cast<Block>(heads[heads.size() / 2]));
    return found;
  };

  auto const short_of_memory = fail_at_every_call<DeviceOutOfMemory>(memory_faults, use, 1);
  auto const failing = fail_at_every_call<DeviceError>(call_faults, use, 3);

  EXPECT_GT(short_of_memory, 5);
  EXPECT_GT(failing, 10);
}

/// Any library may reset a device, and all arrays there are lost with it.
TEST(GpuReset, LosesWhatLayThereAndNothingElse) {
  auto const graph = grid2d(20, 20);
  auto const machine = Topology::hierarchy("2:2", "1:10");
  Options options;
  options.device = "cuda";
  auto const expected = map(graph, machine, options).blocks;
  std::vector<int> values{1, 2, 3};
  auto const array = copy_to_device(values.data(), 3, ElementType::int32, {"cuda", 0});
  auto const there = graph.to_device({"cuda", 0});

  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_THROW(copy_to_host(array, {}, values.data()), DeviceError);
  EXPECT_THROW(map(there, machine, options), DeviceError);
  EXPECT_EQ(map(graph, machine, options).blocks, expected);
  auto const again = copy_to_device(values.data(), 3, ElementType::int32, {"cuda", 0});
  copy_to_host(again, {}, values.data());
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3}));
}

}  // namespace
}  // namespace procmap::test
