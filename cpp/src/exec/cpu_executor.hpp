// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>

#include "core/job_runs.hpp"
#include "exec/cpu_passes.hpp"
#include "exec/cpu_resident.hpp"
#include "exec/processors.hpp"
#include "exec/slab.hpp"

namespace procmap {

/// Runs passes on the host, on `threads` threads, or fewer if the system starts no more.
class CpuExecutor : public CpuPasses {
 public:
  CpuExecutor(int threads, Run& run) : CpuExecutor(std::make_shared<CpuTeam>(usable_threads(threads)), run) {}

  /// <= 0: all. Far more threads than processors only wait for each other.
  static int usable_threads(int wanted) {
    if (wanted <= 0) return default_threads();
    return std::min(wanted, std::max(default_threads(), 8 * num_processors()));
  }

  /// On threads that are there already.
  CpuExecutor(std::shared_ptr<CpuTeam> team, Run& run) : CpuPasses(std::move(team)), run_(run) {}

  /// On the same threads, for a job with a run of its own.
  CpuExecutor(CpuExecutor const& whole, Run& run) : CpuPasses(whole), run_(run) {}

  static constexpr bool has_small_teams = true;
  static constexpr bool waits_for_hubs = false;
  Edge slab_arcs() const { return threads() * host_slab_arcs; }
  static constexpr Edge host_arcs() { return nothing_for_host; }
  CpuExecutor host() const { return *this; }
  Run& run() const { return run_; }

  template <class T>
  static constexpr std::size_t scratch_bytes(std::size_t n) {
    return scratch_bytes_of<T>(n);
  }
  static constexpr std::size_t pass_bytes(std::size_t n) { return pass_scratch_bytes(n); }
  template <class F>
  void resident(ResidentNeeds needs, F const& f) {
    CpuResident inside(*this, run_, needs);
    f(inside);
  }

  template <class F>
  void for_each_team(Edge n, Edge work, F f) const {
    auto const range = [&](Edge begin, Edge end) {
      for (Edge i = begin; i < end; ++i) f(i, SerialGroup{});
    };
    if (n <= 1 || is_serial(work, serial_below_table)) return range(0, n);
    pool().share({.n = n, .wakes = true, .is_short = false}, range);
  }

  /// f(i) for a few large independent jobs; f may throw.
  template <class F>
  void for_each_job(Edge n, F f) const {
    pool().share({.n = n, .wakes = true, .is_short = false}, [&](Edge begin, Edge end) {
      for (Edge i = begin; i < end; ++i) f(i);
    });
  }

  template <class F>
  void for_each_part(Edge n, Edge, F f) {
    if (n <= 1 || threads() == 1) {
      for (Edge i = 0; i < n; ++i) f(i, *this);
      return;
    }
    JobRuns runs(run_, n);
    auto const range = [&](Edge begin, Edge end) {
      for (Edge i = begin; i < end; ++i)
        runs.run(i, [&](Run& run) {
          CpuExecutor own(*this, run);
          f(i, own);
        });
    };
    runs.run_all([&](WorkPool::Poll poll, void* jobs) {
      pool().share({.n = n, .wakes = true, .is_short = false}, range, poll, jobs);
    });
  }

  template <class T>
  void fill(T* data, Edge n, T value) const {
    for_each(n, [=](Edge i) { data[i] = value; });
  }
  template <class T>
  void copy(T const* from, Edge n, T* to) const {
    for_each(n, [=](Edge i) { to[i] = from[i]; });
  }
  template <class T>
  void upload(T const* host, Edge n, T* data) const {
    if (n > 0) std::memcpy(data, host, static_cast<std::size_t>(n) * sizeof(T));
  }
  template <class T>
  void download(T const* data, Edge n, T* host) const {
    if (n > 0) std::memcpy(host, data, static_cast<std::size_t>(n) * sizeof(T));
  }

  template <class T>
  T read(T const* value) const {
    return *value;
  }

  template <class F>
  Weight max(Edge n, F term) const {
    auto const range = [&](Edge begin, Edge end) {
      auto part = std::numeric_limits<Weight>::min();
      for (Edge i = begin; i < end; ++i) part = std::max(part, static_cast<Weight>(term(i)));
      return part;
    };
    if (is_serial(n, serial_below)) return range(0, n);
    std::atomic<Weight> largest = std::numeric_limits<Weight>::min();
    share(n, serial_below, [&](Edge begin, Edge end) {
      Weight const part = range(begin, end);
      for (Weight seen = largest; seen < part && !largest.compare_exchange_weak(seen, part);) {
      }
    });
    return largest;
  }

  template <class F>
  void prefix_sums(Edge n, F term, Edge* out) const {
    scan(n, term, out);
  }

  template <class F>
  ScannedRows scan_rows(Edge n, F term, Edge* out) const {
    return {scan(n, term, out), n > 0 ? max(n, term) : 0};
  }

  template <class Predicate, class F, class T>
  void list(Edge n, Predicate predicate, F value, T* out) const {
    select(n, predicate, value, out);
  }

 private:
  Run& run_;
};

static_assert(HostExecutor<CpuExecutor> && !ResidentExecutor<CpuExecutor>);

}  // namespace procmap
