// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "exec/cpu_executor.hpp"

namespace procmap::test {

/// Part of the scratch memory of a composite.
template <class T>
struct LaggingBuffer {
  T* begin = nullptr;
  std::size_t length = 0;

  T* data() const { return begin; }
  std::size_t size() const { return length; }
};

/// Passes in the order that is hardest on for_each_ahead: on a GPU some threads may be that late with it that all
/// others have already done what the next verb does before its first barrier. Buffers come out of one piece of memory
/// as they do there, and take each other's place.
class LaggingResident : public CpuResident {
 public:
  template <class T>
  using Buffer = LaggingBuffer<T>;

  LaggingResident(CpuExecutor& ex, ResidentNeeds needs)
      : CpuResident(ex, ex.run(), needs), memory_(needs.scratch_bytes / sizeof(Unit) + 1) {}

  class ScratchScope {
   public:
    explicit ScratchScope(LaggingResident& ex) : ex_(ex), mark_(ex.used_) {}
    ScratchScope(ScratchScope const&) = delete;
    ScratchScope& operator=(ScratchScope const&) = delete;
    ~ScratchScope() { ex_.used_ = mark_; }

   private:
    LaggingResident& ex_;
    std::size_t mark_;
  };

  template <class T>
  Buffer<T> buffer(std::size_t n) {
    auto const at = used_;
    used_ += scratch_bytes_of<T>(n);
    if (used_ > memory_.size() * sizeof(Unit)) throw std::logic_error("a composite takes more scratch than it says");
    return {reinterpret_cast<T*>(reinterpret_cast<std::byte*>(memory_.data()) + at), n};
  }

  template <class F>
  void for_each_ahead(Edge n, F f) {
    late_.push_back([this, n, f] { CpuResident::for_each(n, f); });
  }
  template <class F>
  void for_each(Edge n, F f) {
    CpuResident::for_each(n, f);
    catch_up();
  }
  template <class Work, class F>
  void for_each_in_group(Edge n, Work work, F f) {
    CpuResident::for_each_in_group(n, work, f);
    catch_up();
  }
  template <class Needs, class F>
  void for_each_with_table(Edge n, Needs needs, Vertex universe, F f) {
    CpuResident::for_each_with_table(n, needs, universe, f);
    catch_up();
  }
  template <class F>
  Weight sum(Edge n, F term) {
    return barrier_behind(CpuResident::sum(n, term));
  }
  template <class F>
  Weight sum_in_group(Edge n, F term) {
    return barrier_behind(CpuResident::sum_in_group(n, term));
  }
  /// Adds up, has a barrier, and only then writes.
  template <class F, class... Visit>
  Edge scan(Edge n, F term, Edge* out, Visit... visit) {
    sum(n, term);
    return CpuResident::scan(n, term, out, visit...);
  }
  template <class Predicate, class F, class T>
  Edge select(Edge n, Predicate predicate, F value, T* out) {
    sum(n, [=](Edge i) -> Weight { return predicate(i) ? 1 : 0; });
    return CpuResident::select(n, predicate, value, out);
  }
  /// The last items come first, and are written before anybody looks at the next one.
  template <class Predicate, class F, class T>
  Edge collect(Edge n, Predicate predicate, F value, T* out) {
    Edge count = 0;
    for (Edge i = n - 1; i >= 0; --i)
      if (predicate(i)) out[count++] = static_cast<T>(value(i));
    return barrier_behind(count);
  }
  template <class T, class Less>
  void sort(T* data, Edge n, Less less) {
    CpuResident::sort(data, n, less);
    if (n > 1) catch_up();
  }

  /// Nobody waits before one block has done all of it.
  template <class F>
  Edge by_few(Edge, F f) {
    auto const later = std::exchange(late_, {});
    Edge const result = f(*this);
    catch_up();
    for (auto const& pass : later) pass();
    return result;
  }

  /// The last ones arrive at a barrier, or at the end.
  void catch_up() {
    for (auto const& pass : std::exchange(late_, {})) pass();
  }

 private:
  template <class T>
  T barrier_behind(T result) {
    catch_up();
    return result;
  }

  struct alignas(16) Unit {
    std::byte bytes[16];
  };

  std::vector<Unit> memory_;
  std::size_t used_ = 0;
  std::vector<std::function<void()>> late_;
};

static_assert(ResidentExecutor<LaggingResident>);

/// A CPU whose composites run like that.
class LaggingExecutor : public CpuExecutor {
 public:
  using CpuExecutor::CpuExecutor;

  template <class F>
  void resident(ResidentNeeds needs, F const& f) {
    LaggingResident inside(*this, needs);
    f(inside);
    inside.catch_up();
  }
  template <class F>
  void for_each_part(Edge n, Edge, F f) {
    for (Edge i = 0; i < n; ++i) f(i, *this);
  }
};

static_assert(HostExecutor<LaggingExecutor>);

}  // namespace procmap::test
