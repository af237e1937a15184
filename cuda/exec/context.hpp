// SPDX-License-Identifier: MIT
#pragma once

namespace procmap {

/// The CUDA context of a device, which all libraries of a process share. cudaDeviceReset, called by any of them, ends
/// it: memory, pools and streams are gone with it, and to use them or give them back would crash. The next call makes
/// another context, so everything that outlives a call remembers the one it belongs to.
class ContextId {
 public:
  /// That of the current device of this thread. Throws DeviceError.
  static ContextId current();

  int device() const { return device_; }
  /// Whether the device still has this context.
  bool lives() const;
  bool operator==(ContextId const&) const = default;

 private:
  int device_ = 0;
  unsigned long long id_ = 0;
};

}  // namespace procmap
