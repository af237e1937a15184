// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace procmap {

/// While one of these lives, several threads may be at work on the same data. While none does, an atomic operation need
/// not be one: with a lock it takes some 20 cycles. Who lets other threads begin says so before, and who waits for them
/// says so until they have ended; threads of different calls share no data.
class SharedWork {
 public:
  SharedWork() { number_.fetch_add(1, std::memory_order_relaxed); }
  SharedWork(SharedWork const&) = delete;
  SharedWork& operator=(SharedWork const&) = delete;
  ~SharedWork() { number_.fetch_sub(1, std::memory_order_relaxed); }

  static bool exists() { return number_.load(std::memory_order_relaxed) != 0; }

 private:
  // Read by all threads all the time, so away from what changes.
  alignas(128) static inline std::atomic<int> number_ = 0;
};

}  // namespace procmap
