// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "cuda/exec/device_memory.hpp"
#include "procmap/types.hpp"

namespace procmap {

// CUB's scans, compiled once. Temporary storage comes from `memory`, the work goes to its stream; nothing waits.

/// Replaces data[i] by the sum of all before it.
void exclusive_sum(DeviceMemory memory, Edge* data, Edge n);

/// before[w] = bits set in words[0..w), for w <= num_words.
void count_bits_before(DeviceMemory memory, std::uint32_t const* words, Edge num_words, Edge* before);

}  // namespace procmap
