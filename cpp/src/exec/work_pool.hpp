// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Whether a thread that has just begun gets some memory. Without, its first look at a variable of its own would end
/// the process.
bool thread_has_memory();

/// A loop over [0, n) whose chunks of `grain` items are for whoever is there.
struct SharedLoop {
  Edge n = 0;
  Edge grain = 1;
  bool wakes = false;  // it is long enough to wake threads that sleep; otherwise its first chunks show whether it is
  bool is_short = true;  // its chunks are: a thread that waits for another loop may take one meanwhile
  bool is_local = false;  // every thread begins with its own part of the items, the same one in every loop of n items
};

/// The threads of one call. A thread that has a loop opens it and works on it; idle threads join. Nobody waits but for
/// threads that hold a chunk: a loop which nobody joins, because the others are busy or the system runs something else,
/// costs what it costs alone. Loops may be opened inside of others: a job is an item of an outer loop, and its own
/// passes get help once the jobs are given out.
///
/// The threads live as long as the pool, so that a process may fork between calls, and in another thread during one.
class WorkPool {
 public:
  /// Called now and then by the thread that opened a loop while it waits for others; may throw, and that ends the loop.
  using Poll = void (*)(void* context);

  /// When threads without work sleep, and how they are woken.
  struct Patience {
    int looks_awake;  // for work, before a thread sleeps
    std::int64_t worth_waking_ns;  // of a loop, for every thread that works on it, or sleeping ones are not woken
    int wakes_at_once;  // a thread wakes so many, and so does each of them: nobody pays for all
  };

  /// With `threads` threads, the calling one included, or fewer where the system starts no more.
  explicit WorkPool(int threads);
  WorkPool(WorkPool const&) = delete;
  WorkPool& operator=(WorkPool const&) = delete;
  ~WorkPool();

  int size() const { return static_cast<int>(places_.size()); }

  /// The number of the calling thread, below size(); of threads that are not the pool's, one at a time may use it.
  int self() const { return employer_ == this ? number_ : 0; }

  /// body(begin, end) for all chunks, on any threads; passes on what one of them throws, without those that had not
  /// begun by then.
  template <class F>
  void share(SharedLoop loop, F const& body, Poll poll = nullptr, void* context = nullptr) {
    run(loop, [](void const* f, Edge begin, Edge end) { (*static_cast<F const*>(f))(begin, end); }, &body,
        {poll, context});
  }

 private:
  using Body = void (*)(void const* function, Edge begin, Edge end);

  struct Polling {
    Poll poll;
    void* context;
  };

  static constexpr int max_parts = 32;  // of a local loop

  /// What is left of a part of a local loop: a PartOfLoop.
  struct alignas(64) Part {
    std::atomic<std::uint64_t> chunks = 0;
  };

  /// Room for one open loop. What threads write while it runs lies in cache lines of its own.
  struct alignas(128) Slot {
    std::atomic<std::uint32_t> state = 0;  // `open`, and how many threads have joined
    alignas(64) std::atomic<Edge> next = 0;  // item of the next chunk, n if there is none; of a local loop 0 until then
    alignas(64) std::atomic<bool> failed = false;
    std::atomic<std::int64_t> pace = 0;  // nanoseconds that a chunk takes, 0: not known yet
    SharedLoop loop;
    Body body = nullptr;
    void const* function = nullptr;
    std::exception_ptr failure;  // the first one
    Part parts[max_parts];
  };

  static constexpr int max_depth = 6;  // of loops inside of loops; what lies deeper its thread does alone

  /// What a thread has opened, and where it sleeps.
  struct Place {
    Slot slots[max_depth];
    int depth = 0;
    std::atomic<bool> asleep = false;
    std::condition_variable called;
  };

  static constexpr std::uint32_t open = std::uint32_t{1} << 31;  // it has chunks that nobody has taken

  void run(SharedLoop loop, Body body, void const* function, Polling polling);
  void wait_for_helpers(Slot& slot, Polling polling);
  void work(Slot& slot);
  void work_on_chunks(Slot& slot);
  int parts() const { return size() < max_parts ? size() : max_parts; }
  void deal_out(Slot& slot);
  Edge take_chunk(Slot& slot);
  Edge chunk_of_parts(Slot& slot);
  Edge chunks_left(Slot& slot);
  void close(Slot& slot);
  bool call_others(Slot& slot);
  void leave(int owner, Slot& slot);
  bool help(bool only_short);
  void live(int number);
  void sleep(int epoch, bool briefly);
  void wake(int threads);
  void wake_owner(int number);

  static inline thread_local WorkPool const* employer_ = nullptr;  // of this thread
  static inline thread_local int number_ = 0;  // ... and its number there

  std::vector<std::unique_ptr<Place>> places_;
  Patience patience_{};
  std::vector<std::thread> helpers_;
  std::atomic<int> num_open_ = 0;
  std::atomic<int> epoch_ = 0;  // counts what a sleeping thread may be waiting for
  std::atomic<int> sleepers_ = 0;
  std::atomic<bool> end_ = false;
  std::mutex mutex_;
  std::vector<int> asleep_;  // their numbers; who came last is woken first
};

}  // namespace procmap
