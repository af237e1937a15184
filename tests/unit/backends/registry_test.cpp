// SPDX-License-Identifier: MIT
#include "backends/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "procmap/device.hpp"
#include "procmap/error.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

TEST(Device, HasANameThatMeansIt) {
  EXPECT_EQ(DeviceId{}.name(), "cpu");
  EXPECT_EQ((DeviceId{"cuda", 3}).name(), "cuda:3");
  EXPECT_EQ(device_id("cpu"), DeviceId{});
  EXPECT_EQ(device_id("cuda"), (DeviceId{"cuda", 0}));
  EXPECT_EQ(device_id("cuda:3"), (DeviceId{"cuda", 3}));
}

TEST(Device, OfAnotherNameIsAnErrorThatListsThem) {
  for (auto const* name : {"", "gpu", "auto", "cpu:0", "cud", "cudax", "cuda:", "cuda:x", "cuda:-1", "cuda:1x",
                           "cuda:99999999999", "CUDA", "cuda 1", " cuda"})
    EXPECT_EQ(message_of<ConfigError>([&] { device_id(name); }),
              "device = \"" + std::string(name) + "\" is none of \"auto\", \"cpu\", \"cuda\" and \"cuda:N\"");
}

TEST(Backends, BeginWithTheHostAndHaveDifferentNames) {
  std::set<std::string_view> names;
  for (auto const& backend : backends()) names.insert(backend.name);

  EXPECT_EQ(host_backend().name, DeviceId{}.backend);
  EXPECT_EQ(names.size(), backends().size());
  EXPECT_TRUE(names.contains("cuda"));
}

TEST(Backends, AreCompleteIfTheyAreBuilt) {
  EXPECT_TRUE(host_backend().built());
  for (auto const& backend : backends()) {
    SCOPED_TRACE(backend.name);
    if (!backend.built()) continue;
    EXPECT_TRUE(backend.require && backend.evaluate);
    if (!backend.memory) continue;
    auto const& memory = *backend.memory;
    EXPECT_TRUE(memory.available && memory.peak && memory.restart_peak);
    EXPECT_TRUE(memory.adopt && memory.upload && memory.copy_in && memory.copy_out);
  }
}

TEST(Backends, ThatAreNotBuiltSaySo) {
  EXPECT_EQ(message_of<DeviceError>([] { require_device({"none", 0}); }), "this build of procmap has no NONE backend");
  for (auto const& backend : gpu_backends()) {
    if (backend.built()) continue;
    EXPECT_THROW(require_device({std::string(backend.name), 0}), DeviceError) << backend.name;
  }
}

TEST(Backends, OfTheHostTakeWorkAndHaveNoMemoryOfTheirOwn) {
  EXPECT_NO_THROW(require_device({}));
  EXPECT_EQ(message_of<ConfigError>([] { memory_of({}); }), "device = \"cpu\" is no GPU");
}

}  // namespace
}  // namespace procmap::test
