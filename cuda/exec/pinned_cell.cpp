// SPDX-License-Identifier: MIT
#include "cuda/exec/pinned_cell.hpp"

#include <algorithm>
#include <mutex>

#include "cuda/exec/cuda_check.hpp"

namespace procmap {
namespace {

using Lines = std::list<PinnedCell::Line>;

struct FreeLines {
  std::mutex mutex;
  Lines lines;
};

// Live as long as the process: the driver may be gone when static objects are destroyed.
FreeLines& free_lines() {
  static auto& all = *new FreeLines;
  return all;
}

/// A free line of this context, if there is one. Forgets those that a reset of the device has taken.
Lines take_free(ContextId const& context) {
  auto& free = free_lines();
  std::lock_guard const lock(free.mutex);
  std::erase_if(free.lines, [&](PinnedCell::Line const& line) {
    return line.context.device() == context.device() && line.context != context;
  });
  Lines taken;
  auto const found = std::find_if(free.lines.begin(), free.lines.end(),
                                  [&](PinnedCell::Line const& line) { return line.context == context; });
  if (found != free.lines.end()) taken.splice(taken.begin(), free.lines, found);
  return taken;
}

}  // namespace

PinnedCell::PinnedCell() {
  auto const context = ContextId::current();
  line_ = take_free(context);
  if (!line_.empty()) return;
  line_.push_back({context});
  cuda_check(cudaMallocHost(&line_.front().memory, capacity));
}

PinnedCell::~PinnedCell() {
  auto& free = free_lines();
  std::lock_guard const lock(free.mutex);
  free.lines.splice(free.lines.begin(), line_);
}

}  // namespace procmap
