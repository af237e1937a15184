// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bit>
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
    for (std::size_t word = 0; word < num_words; ++word)
      for (std::uint64_t left = used_[word]; left != 0; left &= left - 1)
        write(entries_[64 * word + static_cast<std::size_t>(std::countr_zero(left))]);
    current_ = outer_;
  }

  /// Of the calling thread, or null.
  static CombinedSums* current() { return current_; }

  template <class T>
  void add(T* target, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    auto const place = place_of(target);
    Entry& entry = entries_[place];
    std::uint64_t& used = used_[place / 64];
    std::uint64_t const bit = std::uint64_t{1} << place % 64;
    if ((used & bit) != 0 && entry.target == target) {
      entry.sum += static_cast<std::int64_t>(value);
      return;
    }
    if ((used & bit) != 0) write(entry);
    used |= bit;
    entry = {target, static_cast<std::int64_t>(value), sizeof(T) == 8};
  }

 private:
  struct Entry {
    void* target;
    std::int64_t sum;
    bool is_wide;
  };

  // A loss histogram of few blocks fits. Most chunks use none of them, so nothing but `used_` is made ready.
  static constexpr int entry_bits = 8;
  static constexpr std::size_t num_entries = std::size_t{1} << entry_bits;
  static constexpr std::size_t num_words = num_entries / 64;

  static std::size_t place_of(void const* target) {
    auto const address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(target));
    return static_cast<std::size_t>(((address >> 2) * 0x9e3779b97f4a7c15ull) >> (64 - entry_bits));
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

  Entry entries_[num_entries];  // those whose bit is set in used_
  std::uint64_t used_[num_words] = {};
  CombinedSums* outer_;
};

}  // namespace procmap
