// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "cuda/exec/context.hpp"

namespace procmap {

/// Memory of the current device that outlives the run that made it, because the user holds it. Uninitialised. Its
/// end waits for all work on the device: whoever drops an array may have kernels under way that read it, in any stream.
/// Throws DeviceOutOfMemory.
std::shared_ptr<void> allocate_lasting(std::size_t bytes);

/// Throws DeviceError if the context that memory of allocate_lasting() belongs to was ended by a reset. Memory of
/// others is not known here.
void require_not_reset(std::shared_ptr<void const> const& memory);
void require_not_reset(ContextId const& context);

/// Whether this process was forked from one that had used CUDA by then.
bool forked_after_cuda();

}  // namespace procmap
