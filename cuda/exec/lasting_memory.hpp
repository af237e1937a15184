// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

namespace procmap {

/// Memory of the current device that outlives the run that made it, because the user holds it. Uninitialised. Its
/// end waits for all work on the device: whoever drops an array may have kernels under way that read it, in any stream.
/// Throws DeviceOutOfMemory.
std::shared_ptr<void> allocate_lasting(std::size_t bytes);

/// Whether this process was forked from one that had used CUDA by then.
bool forked_after_cuda();

}  // namespace procmap
