// SPDX-License-Identifier: MIT
#include "exec/work_pool.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace procmap {

namespace {

/// Looks before a thread that finds nothing to do goes to sleep, some 20 us: longer than most gaps between two passes,
/// and nothing to a process that shares the processor.
constexpr int looks_awake = 400;
/// How often a waiting thread looks whether its caller has lost patience.
constexpr auto poll_interval = std::chrono::milliseconds(20);

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// So that this thread can throw when there is no memory at all: the first exception of a thread needs some, and the
/// process ends if there is none.
void prepare_to_throw() { [[maybe_unused]] int const volatile exceptions = std::uncaught_exceptions(); }

/// Whether the calling thread gets some memory. Without, the first look at a variable of its own would end the process.
bool has_memory() {
  constexpr std::size_t some = 1 << 15;
  auto* const bytes = static_cast<char volatile*>(std::malloc(some));
  if (!bytes) return false;
  bytes[0] = 0;  // or the compiler leaves it out
  std::free(const_cast<char*>(bytes));
  return true;
}

}  // namespace

WorkPool::WorkPool(int threads) {
  prepare_to_throw();
  auto const wanted = static_cast<std::size_t>(std::max(threads, 1));
  places_.reserve(wanted);
  places_.push_back(std::make_unique<Place>());
  if (wanted == 1) return;
  try {
    helpers_.reserve(wanted - 1);
    while (places_.size() < wanted) places_.push_back(std::make_unique<Place>());
  } catch (std::bad_alloc const&) {  // fewer
  }
  std::size_t started = 0;
  auto const possible = std::min(helpers_.capacity(), places_.size() - 1);
  {
    std::lock_guard const lock(mutex_);  // nobody looks at the places before their number is known
    try {
      for (; started < possible; ++started)
        helpers_.emplace_back([this, number = static_cast<int>(started) + 1] { live(number); });
    } catch (std::system_error const&) {  // no more threads
    } catch (std::bad_alloc const&) {     // no room for more
    }
    places_.resize(started + 1);
  }
}

WorkPool::~WorkPool() {
  end_ = true;
  epoch_.fetch_add(1);
  {
    std::lock_guard const lock(mutex_);
  }
  called_.notify_all();
  for (auto& helper : helpers_) helper.join();
}

void WorkPool::run(SharedLoop loop, Body body, void const* function, Polling polling) {
  auto& place = *places_[static_cast<std::size_t>(self())];
  if (size() == 1 || loop.n <= loop.grain || place.depth == max_depth) {
    if (loop.n > 0) body(function, 0, loop.n);
    return;
  }
  Slot& slot = place.slots[place.depth++];
  slot.loop = loop;
  slot.body = body;
  slot.function = function;
  slot.failed.store(false, std::memory_order_relaxed);
  slot.next.store(0, std::memory_order_relaxed);
  slot.state.fetch_or(open);  // whoever joins sees all of this
  num_open_.fetch_add(1);
  epoch_.fetch_add(1);
  if (loop.wakes) wake(loop.n > 2 * loop.grain);
  work(slot);
  num_open_.fetch_sub(1);
  slot.state.fetch_and(~open);
  wait_for_helpers(slot, polling);
  --place.depth;
  if (slot.failed.load(std::memory_order_relaxed)) std::rethrow_exception(std::exchange(slot.failure, nullptr));
}

/// Meanwhile works for others. All that is open while the caller of the pool waits for its outermost loop is a part of
/// that; elsewhere a long job of others could keep a thread away from what waits for it.
void WorkPool::wait_for_helpers(Slot& slot, Polling polling) {
  bool const is_outermost = self() == 0 && places_[0]->depth == 1;
  int looks = 0;
  while (true) {
    int const epoch = epoch_.load();
    if (slot.state.load(std::memory_order_acquire) == 0) return;
    if (help(!is_outermost)) {
      looks = 0;
    } else if (++looks < looks_awake) {
      pause_briefly();
    } else {
      sleep(epoch, polling.poll != nullptr);
    }
    if (!polling.poll || (looks % 64 != 0 && looks < looks_awake)) continue;
    try {
      polling.poll(polling.context);
    } catch (...) {
      if (!slot.failed.exchange(true)) slot.failure = std::current_exception();
      polling.poll = nullptr;
    }
  }
}

/// Takes chunks of an open loop until there are none left.
void WorkPool::work(Slot& slot) {
  auto const [n, grain, wakes, is_short] = slot.loop;
  try {
    for (Edge begin = 0; (begin = slot.next.fetch_add(grain, std::memory_order_relaxed)) < n;)
      slot.body(slot.function, begin, std::min(begin + grain, n));
  } catch (...) {
    slot.next.store(n, std::memory_order_relaxed);
    if (!slot.failed.exchange(true)) slot.failure = std::current_exception();
  }
}

void WorkPool::leave(Slot& slot) {
  if (slot.state.fetch_sub(1) != 1) return;  // its owner still works on it, or others do
  epoch_.fetch_add(1);
  wake(true);
}

/// Works on a loop of another thread, if there is one with chunks left; the outermost first, as they are the largest.
bool WorkPool::help(bool only_short) {
  if (num_open_.load(std::memory_order_relaxed) == 0) return false;
  int const me = self();
  for (int depth = 0; depth < max_depth; ++depth)
    for (int i = 1; i < size(); ++i) {
      auto& slot = places_[static_cast<std::size_t>((me + i) % size())]->slots[depth];
      if (!(slot.state.load(std::memory_order_relaxed) & open)) continue;
      bool const joined = slot.state.fetch_add(1) & open;
      bool const works =
          joined && (slot.loop.is_short || !only_short) && slot.next.load(std::memory_order_relaxed) < slot.loop.n;
      if (works) work(slot);
      leave(slot);
      if (works) return true;
    }
  return false;
}

void WorkPool::live(int number) {
  if (!has_memory()) return;  // nobody waits for it
  employer_ = this;
  number_ = number;
  prepare_to_throw();
  {
    std::lock_guard const lock(mutex_);
  }
  for (int looks = 0; !end_.load();) {
    int const epoch = epoch_.load();
    if (help(false)) {
      looks = 0;
    } else if (++looks < looks_awake) {
      pause_briefly();
    } else {
      sleep(epoch, false);
      looks = 0;
    }
  }
}

/// Until something has happened since `epoch` that is worth waking for, or somebody says so.
void WorkPool::sleep(int epoch, bool briefly) {
  std::unique_lock lock(mutex_);
  sleepers_.fetch_add(1);
  if (epoch_.load() == epoch) {
    if (briefly)
      called_.wait_for(lock, poll_interval);
    else
      called_.wait(lock);
  }
  sleepers_.fetch_sub(1);
}

void WorkPool::wake(bool all) {
  if (sleepers_.load() == 0) return;
  {
    std::lock_guard const lock(mutex_);  // who is about to sleep sleeps now, or sees the new epoch
  }
  if (all)
    called_.notify_all();
  else
    called_.notify_one();
}

}  // namespace procmap
