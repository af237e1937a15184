// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace procmap {

/// While it lives, what its thread adds by contended_add is added up here first: one line of memory that many threads
/// write takes longer than all else they do. The sums reach their targets at its end at the latest.
class CombinedSums {
 public:
  CombinedSums() : outer_(std::exchange(current_, this)) {}
  CombinedSums(CombinedSums const&) = delete;
  CombinedSums& operator=(CombinedSums const&) = delete;
  ~CombinedSums() {
    for (Entry& entry : entries_) write(entry);
    current_ = outer_;
  }

  /// Of the calling thread, or null.
  static CombinedSums* current() { return current_; }

  template <class T>
  void add(T* target, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    Entry& entry = entries_[place_of(target)];
    if (entry.target != target) {
      write(entry);
      entry = {target, 0, sizeof(T) == 8};
    }
    entry.sum += static_cast<std::int64_t>(value);
  }

 private:
  struct Entry {
    void* target = nullptr;
    std::int64_t sum = 0;
    bool is_wide = false;
  };

  static constexpr std::size_t num_entries = 32;

  static std::size_t place_of(void const* target) {
    auto const address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(target));
    return static_cast<std::size_t>(((address >> 2) * 0x9e3779b97f4a7c15ull) >> 59);
  }

  static void write(Entry const& entry) {
    if (entry.sum == 0) return;
    if (entry.is_wide)
      add_to(static_cast<std::int64_t*>(entry.target), entry.sum);
    else
      add_to(static_cast<std::int32_t*>(entry.target), static_cast<std::int32_t>(entry.sum));
  }
  template <class T>
  static void add_to(T* target, T value) {
    std::atomic_ref<T>(*target).fetch_add(value, std::memory_order_relaxed);
  }

  static inline thread_local CombinedSums* current_ = nullptr;

  Entry entries_[num_entries];
  CombinedSums* outer_;
};

}  // namespace procmap
