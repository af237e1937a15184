// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace procmap::test {
namespace {

/// Skips all tests of the program on a machine without a GPU.
class GpuEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    int count = 0;
    auto const status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
      GTEST_SKIP() << "no usable GPU: " << (status == cudaSuccess ? "none found" : cudaGetErrorString(status));
  }
};

[[maybe_unused]] auto* const environment = ::testing::AddGlobalTestEnvironment(new GpuEnvironment);

}  // namespace
}  // namespace procmap::test
