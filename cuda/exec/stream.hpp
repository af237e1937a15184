// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/exec/cuda_check.hpp"

namespace procmap {

/// Makes a device the current one of this thread until the end of the block.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    cuda_check(cudaGetDevice(&before_));
    cuda_check(cudaSetDevice(device));
  }
  DeviceGuard(DeviceGuard const&) = delete;
  DeviceGuard& operator=(DeviceGuard const&) = delete;
  ~DeviceGuard() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

/// Owns a stream of the current device that never waits for the default stream. Nothing in the library uses
/// the default stream.
class Stream {
 public:
  Stream() { cuda_check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  Stream(Stream const&) = delete;
  Stream& operator=(Stream const&) = delete;
  ~Stream() {
    cudaStreamSynchronize(handle_);  // what still runs may use memory of the host
    cudaStreamDestroy(handle_);
  }

  cudaStream_t get() const { return handle_; }
  /// Waits until everything asked for so far is done.
  void wait() const { cuda_check(cudaStreamSynchronize(handle_)); }

 private:
  cudaStream_t handle_ = nullptr;
};

}  // namespace procmap
