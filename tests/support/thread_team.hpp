// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <barrier>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "core/shared_work.hpp"
#include "exec/serial_group.hpp"

namespace procmap::test {

/// A team whose lanes are threads, each of which serves rows alone: they meet as those of a GPU do, and ThreadSanitizer
/// looks at what they share.
class ThreadTeam {
 public:
  static constexpr int num_lanes = 4;
  static constexpr std::size_t most_bytes = 64;  // of what is added up
  struct Shared {
    std::barrier<> barrier{num_lanes};
    std::array<std::array<std::byte, most_bytes>, num_lanes> room{};
    Vertex counters[num_team_counters] = {};
    std::vector<std::byte> fast_memory;
  };

  ThreadTeam(Shared& shared, int lane) : shared_(&shared), lane_(lane) {}

  int rank() const { return lane_; }
  static constexpr int size() { return num_lanes; }
  // It is a block of its own.
  static constexpr int blocks = 1;
  static constexpr int block() { return 0; }
  int block_rank() const { return lane_; }
  static constexpr int block_size() { return num_lanes; }
  template <class T>
  static T* of_block(T* own, int) {
    return own;
  }
  template <class T>
  T* fast(FastArray<T> array) const {
    return reinterpret_cast<T*>(shared_->fast_memory.data() + array.at);
  }
  template <class T>
  T* counters(T*) const {
    return shared_->counters;
  }
  FastMemory fast_memory() const { return {shared_->fast_memory.data(), shared_->fast_memory.size()}; }
  void sync() const { shared_->barrier.arrive_and_wait(); }
  static auto& item(auto* array, Vertex i) { return array[i]; }
  template <class T>
  T sum(T value) const {
    static_assert(sizeof(T) <= most_bytes);
    sync();  // the room may still be read from the last time
    std::memcpy(shared_->room[static_cast<std::size_t>(lane_)].data(), &value, sizeof(T));
    sync();
    T total{};
    for (auto const& room : shared_->room) {
      T of_lane;
      std::memcpy(&of_lane, room.data(), sizeof(T));
      total += of_lane;
    }
    return total;
  }
  template <class Count, class Size, class F>
  void for_rows(Count count, Size, F f) const {
    for (Count i = lane_; i < count; i += num_lanes) f(i, SerialGroup{});
  }

 private:
  Shared* shared_;
  int lane_;
};

/// f(team) on every lane.
template <class F>
void run_team(F f, std::vector<std::byte>& fast_memory) {
  SharedWork const shared_work;
  ThreadTeam::Shared shared;
  shared.fast_memory.swap(fast_memory);
  std::vector<std::thread> threads;
  for (int lane = 0; lane < ThreadTeam::num_lanes; ++lane)
    threads.emplace_back([&, lane] { f(ThreadTeam(shared, lane)); });
  for (auto& thread : threads) thread.join();
  shared.fast_memory.swap(fast_memory);
}
template <class F>
void run_team(F f) {
  std::vector<std::byte> none;
  run_team(f, none);
}

}  // namespace procmap::test
