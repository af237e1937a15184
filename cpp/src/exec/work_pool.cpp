// SPDX-License-Identifier: MIT
#include "exec/work_pool.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "core/shared_work.hpp"
#include "exec/processors.hpp"

namespace procmap {

namespace {

using Clock = std::chrono::steady_clock;

/// Where every thread has a processor, sleep pays if it lasts longer than coming back, which takes some 50 us: so long
/// a thread looks (a pause takes 20 to 50 ns), and so much there must be for those that are woken.
constexpr WorkPool::Patience with_processors{.looks_awake = 1000, .worth_waking_ns = 50'000, .wakes_at_once = 4};
/// Threads that share processors keep each other from working while they look.
constexpr WorkPool::Patience crowded{.looks_awake = 400, .worth_waking_ns = 100'000, .wakes_at_once = 2};
/// How often a waiting thread looks whether its caller has lost patience.
constexpr auto poll_interval = std::chrono::milliseconds(20);

/// Chunks [begin, end) that are left of a part of a loop, in one word.
struct PartOfLoop {
  std::uint32_t begin;
  std::uint32_t end;
};

PartOfLoop unpacked(std::uint64_t word) {
  return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
}

std::uint64_t packed(PartOfLoop part) { return part.begin | static_cast<std::uint64_t>(part.end) << 32; }

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

}  // namespace

bool thread_has_memory() {
  constexpr std::size_t some = 1 << 15;
  auto* const bytes = static_cast<char volatile*>(std::malloc(some));
  if (!bytes) return false;
  bytes[0] = 0;  // or the compiler leaves it out
  std::free(const_cast<char*>(bytes));
  return true;
}

WorkPool::WorkPool(int threads) {
  prepare_to_throw();
  auto const wanted = static_cast<std::size_t>(std::max(threads, 1));
  places_.reserve(wanted);
  places_.push_back(std::make_unique<Place>());
  if (wanted == 1) return;
  int const processors = num_processors();  // may throw, as nothing does once there are threads
  try {
    helpers_.reserve(wanted - 1);
    asleep_.reserve(wanted);
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
    patience_ = size() <= processors ? with_processors : crowded;
  }
}

WorkPool::~WorkPool() {
  end_ = true;
  epoch_.fetch_add(1);
  wake(size());
  for (auto& helper : helpers_) helper.join();
}

void WorkPool::run(SharedLoop loop, Body body, void const* function, Polling polling) {
  auto& place = *places_[static_cast<std::size_t>(self())];
  if (size() == 1 || loop.n <= loop.grain || place.depth == max_depth) {
    if (loop.n > 0) body(function, 0, loop.n);
    return;
  }
  // Loops inside of others are shared already; all threads read what says so, and few are to write it.
  std::optional<SharedWork> shared;
  if (self() == 0 && place.depth == 0) shared.emplace();
  Slot& slot = place.slots[place.depth++];
  slot.loop = loop;
  slot.body = body;
  slot.function = function;
  slot.failed.store(false, std::memory_order_relaxed);
  slot.pace.store(0, std::memory_order_relaxed);
  slot.next.store(0, std::memory_order_relaxed);
  if (loop.is_local) deal_out(slot);
  num_open_.fetch_add(1);
  slot.state.fetch_or(open);  // whoever joins sees all of this
  epoch_.fetch_add(1);
  work(slot);
  close(slot);
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
    } else if (++looks < patience_.looks_awake) {
      pause_briefly();
    } else {
      sleep(epoch, polling.poll != nullptr);
    }
    if (!polling.poll || (looks % 64 != 0 && looks < patience_.looks_awake)) continue;
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
  try {
    work_on_chunks(slot);
  } catch (...) {
    slot.next.store(slot.loop.n, std::memory_order_relaxed);
    if (!slot.failed.exchange(true)) slot.failure = std::current_exception();
  }
}

void WorkPool::work_on_chunks(Slot& slot) {
  Edge const n = slot.loop.n, grain = slot.loop.grain;
  bool has_called = call_others(slot) || sleepers_.load(std::memory_order_relaxed) == 0;
  auto const begun = has_called ? Clock::time_point{} : Clock::now();
  for (std::int64_t chunks = 1; true; ++chunks) {
    Edge const begin = take_chunk(slot);
    if (begin >= n) return close(slot);
    slot.body(slot.function, begin, std::min(begin + grain, n));
    if (has_called) continue;
    std::chrono::nanoseconds const passed = Clock::now() - begun;
    slot.pace.store(std::max<std::int64_t>(passed.count() / chunks, 1), std::memory_order_relaxed);
    has_called = call_others(slot);
  }
}

/// No thread joins any more. Who would join a loop without chunks, and leave it, writes what the last ones need.
void WorkPool::close(Slot& slot) {
  if (!(slot.state.load(std::memory_order_relaxed) & open)) return;
  if (slot.state.fetch_and(~open) & open) num_open_.fetch_sub(1);
}

void WorkPool::deal_out(Slot& slot) {
  auto const chunks = static_cast<std::uint64_t>((slot.loop.n + slot.loop.grain - 1) / slot.loop.grain);
  auto const count = static_cast<std::uint64_t>(parts());
  auto const cut = [&](std::uint64_t p) { return static_cast<std::uint32_t>(chunks * p / count); };
  for (std::uint64_t p = 0; p < count; ++p)
    slot.parts[p].chunks.store(packed({cut(p), cut(p + 1)}), std::memory_order_relaxed);
}

/// The first item of a chunk that is the calling thread's now, or n.
Edge WorkPool::take_chunk(Slot& slot) {
  auto const& loop = slot.loop;
  if (!loop.is_local) return slot.next.fetch_add(loop.grain, std::memory_order_relaxed);
  Edge const chunk = slot.failed.load(std::memory_order_relaxed) ? -1 : chunk_of_parts(slot);
  if (chunk >= 0) return chunk * loop.grain;
  slot.next.store(loop.n, std::memory_order_relaxed);
  return loop.n;
}

/// The first chunk that is left of the thread's own part, or the last one of another; -1 if there is none. No counter
/// of all is asked: 16 threads that do wait for it longer than for the rest of a short pass.
Edge WorkPool::chunk_of_parts(Slot& slot) {
  int const count = parts();
  int const own = self() % count;
  for (int i = 0; i < count; ++i) {
    auto& part = slot.parts[(own + i) % count].chunks;
    auto word = part.load(std::memory_order_relaxed);
    for (auto left = unpacked(word); left.begin < left.end; left = unpacked(word)) {
      Edge const chunk = i == 0 ? left.begin++ : --left.end;
      if (part.compare_exchange_weak(word, packed(left), std::memory_order_relaxed)) return chunk;
    }
  }
  return -1;
}

Edge WorkPool::chunks_left(Slot& slot) {
  auto const& loop = slot.loop;
  if (!loop.is_local) return (loop.n - slot.next.load(std::memory_order_relaxed) + loop.grain - 1) / loop.grain;
  Edge sum = 0;
  for (int p = 0; p < parts(); ++p) {
    auto const left = unpacked(slot.parts[p].chunks.load(std::memory_order_relaxed));
    sum += left.end - left.begin;
  }
  return sum;
}

/// Wakes some threads if so much of the loop is left that they, and all who are there, have enough of it.
bool WorkPool::call_others(Slot& slot) {
  Edge const chunks = chunks_left(slot);
  if (chunks <= 1) return false;
  auto const pace = slot.pace.load(std::memory_order_relaxed);
  auto const helpers = static_cast<std::int64_t>(slot.state.load(std::memory_order_relaxed) & ~open);
  if (pace == 0 ? !slot.loop.wakes : pace * chunks < patience_.worth_waking_ns * (helpers + 1)) return false;
  wake(static_cast<int>(std::min<Edge>(chunks - 1, patience_.wakes_at_once)));
  return true;
}

void WorkPool::leave(int owner, Slot& slot) {
  if (slot.state.fetch_sub(1) != 1) return;  // its owner still works on it, or others do
  epoch_.fetch_add(1);
  wake_owner(owner);
}

/// Works on a loop of another thread, if there is one with chunks left; the outermost first, as they are the largest.
bool WorkPool::help(bool only_short) {
  if (num_open_.load(std::memory_order_relaxed) == 0) return false;
  int const me = self();
  for (int depth = 0; depth < max_depth; ++depth)
    for (int i = 1; i < size(); ++i) {
      int const owner = (me + i) % size();
      auto& slot = places_[static_cast<std::size_t>(owner)]->slots[depth];
      if (!(slot.state.load(std::memory_order_relaxed) & open)) continue;
      bool const joined = slot.state.fetch_add(1) & open;
      bool const works =
          joined && (slot.loop.is_short || !only_short) && slot.next.load(std::memory_order_relaxed) < slot.loop.n;
      if (works) work(slot);
      leave(owner, slot);
      if (works) return true;
    }
  return false;
}

void WorkPool::live(int number) {
  if (!thread_has_memory()) return;  // nobody waits for it
  employer_ = this;
  number_ = number;
  prepare_to_throw();
  {
    std::lock_guard const lock(mutex_);
  }
  for (int looks = 0; true;) {
    // The epoch first: who does not see the end yet must not sleep past the epoch that it begins.
    int const epoch = epoch_.load();
    if (end_.load()) return;
    if (help(false)) {
      looks = 0;
    } else if (++looks < patience_.looks_awake) {
      pause_briefly();
    } else {
      sleep(epoch, false);
      looks = 0;
    }
  }
}

/// Until something has happened since `epoch` that is worth waking for, or somebody says so.
void WorkPool::sleep(int epoch, bool briefly) {
  auto& place = *places_[static_cast<std::size_t>(self())];
  std::unique_lock lock(mutex_);
  place.asleep = true;
  asleep_.push_back(self());
  sleepers_.fetch_add(1);
  auto const is_called = [&] { return !place.asleep.load(); };
  if (epoch_.load() == epoch) {
    if (briefly)
      place.called.wait_for(lock, poll_interval, is_called);
    else
      place.called.wait(lock, is_called);
  }
  if (is_called()) return;
  std::erase(asleep_, self());
  place.asleep = false;
  sleepers_.fetch_sub(1);
}

/// Who is about to sleep sleeps once the lock is free, or sees the new epoch.
void WorkPool::wake(int threads) {
  for (; threads > 0 && sleepers_.load() > 0; --threads) {
    std::unique_lock lock(mutex_);
    if (asleep_.empty()) return;
    auto& place = *places_[static_cast<std::size_t>(asleep_.back())];
    asleep_.pop_back();
    sleepers_.fetch_sub(1);
    place.asleep = false;
    lock.unlock();
    place.called.notify_one();
  }
}

/// The same for one that waits for its loop.
void WorkPool::wake_owner(int number) {
  auto& place = *places_[static_cast<std::size_t>(number)];
  if (!place.asleep.load()) return;
  {
    std::lock_guard const lock(mutex_);
    if (!place.asleep.load()) return;
    std::erase(asleep_, number);
    sleepers_.fetch_sub(1);
    place.asleep = false;
  }
  place.called.notify_one();
}

}  // namespace procmap
