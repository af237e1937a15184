// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>

namespace procmap {

/// What an executor has told and asked the driver about its kernels: once each, as that takes about as long as a
/// launch.
class PreparedKernels {
 public:
  /// prepare() the first time that it is asked for a kernel, and what that returned from then on.
  template <class Kernel, class Prepare>
  unsigned once(Kernel* kernel, Prepare prepare) {
    auto const* const key = reinterpret_cast<void const*>(kernel);
    auto const known = answers_.find(key);
    return known != answers_.end() ? known->second : answers_.emplace(key, prepare()).first->second;
  }

 private:
  std::unordered_map<void const*, unsigned> answers_;
};

}  // namespace procmap
