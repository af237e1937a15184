// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "exec/cpu_passes.hpp"
#include "exec/first_of_groups.hpp"
#include "exec/scratch.hpp"

namespace procmap {

/// What CpuExecutor::resident hands out: the passes of the host, with the limits that they have in a kernel. A GPU
/// cannot say that a composite broke one of them: it stops the kernel, and with it the user's process. So the CPU
/// counts as well, and throws std::logic_error.
class CpuResident {
 public:
  template <class T>
  using Buffer = CpuBuffer<T>;

  CpuResident(CpuPasses& passes, Run& run, ResidentNeeds needs) : passes_(passes), run_(run), needs_(needs) {}
  CpuResident(CpuResident const&) = delete;
  CpuResident& operator=(CpuResident const&) = delete;

  template <std::size_t N>
  Phase phase(char const (&name)[N]) {
    static_assert(N <= max_phase_name, "a shorter name, please: a GPU keeps max_phase_name characters");
    note_phase(name);
    return Phase(run_, name);
  }
  void checkpoint() const { run_.checkpoint(); }

  /// Buffers made while it lives no longer count after its end.
  class ScratchScope {
   public:
    explicit ScratchScope(CpuResident& ex) : ex_(ex), mark_(ex.used_) {}
    ScratchScope(ScratchScope const&) = delete;
    ScratchScope& operator=(ScratchScope const&) = delete;
    ~ScratchScope() { ex_.used_ = mark_; }

   private:
    CpuResident& ex_;
    std::size_t mark_;
  };

  template <class T>
  Buffer<T> buffer(std::size_t n) {
    require_scratch(scratch_bytes_of<T>(n));
    used_ += scratch_bytes_of<T>(n);
    return passes_.buffer<T>(n);
  }

  template <class F>
  void for_each(Edge n, F f) const {
    passes_.for_each(n, f);
  }
  template <class F>
  void for_each_ahead(Edge n, F f) const {
    passes_.for_each(n, f);
  }
  template <class Work, class F>
  void for_each_in_group(Edge n, Work work, F f) const {
    require_scratch(pass_scratch_bytes(static_cast<std::size_t>(n)));
    passes_.for_each_in_group(n, work, f);
  }
  template <class Needs, class F>
  void for_each_with_table(Edge n, Needs needs, Vertex universe, F f) {
    require_scratch(pass_scratch_bytes(static_cast<std::size_t>(n)));
    if (universe > needs_.table_universe) throw_beyond("ResidentNeeds::table_universe");
    if (needs_.table_keys < universe) require_keys(n, needs);
    passes_.for_each_with_table(n, needs, universe, f);
  }

  template <class F>
  Weight sum(Edge n, F term) const {
    return passes_.sum(n, term);
  }
  template <class F>
  Weight sum_in_group(Edge n, F term) const {
    return passes_.sum(n, [=](Edge i) { return term(i, SerialGroup{}); });
  }
  template <class F>
  Edge scan(Edge n, F term, Edge* out) const {
    return passes_.scan(n, term, out);
  }
  template <class F, class Visit>
  Edge scan(Edge n, F term, Edge* out, Visit visit) const {
    return passes_.scan(n, term, out, visit);
  }
  template <class Predicate, class F, class T>
  Edge select(Edge n, Predicate predicate, F value, T* out) const {
    return passes_.select(n, predicate, value, out);
  }
  template <class Predicate, class F, class T>
  Edge collect(Edge n, Predicate predicate, F value, T* out) const {
    return passes_.select(n, predicate, value, out);
  }
  template <class T, class Less>
  void sort(T* data, Edge n, Less less) const {
    if (n > 1) require_scratch(scratch_bytes_of<T>(static_cast<std::size_t>(n)));  // a merge needs a second place
    passes_.sort(data, n, less);
  }
  template <class F>
  Edge by_few(Edge, F f) {
    return f(*this);
  }

 private:
  void require_scratch(std::size_t more) const {
    if (more > needs_.scratch_bytes - used_) throw_beyond("ResidentNeeds::scratch_bytes");
  }
  template <class Needs>
  void require_keys(Edge n, Needs needs) const {
    auto const asks_more = [=, most = needs_.table_keys](Edge i) -> Weight { return TableNeeds(needs(i)).keys > most; };
    if (passes_.sum(n, asks_more) > 0) throw_beyond("ResidentNeeds::table_keys");
  }
  void note_phase(char const* name) {
    int i = 0;
    while (i < num_phases_ && phases_[i] != name) ++i;
    if (i < num_phases_) return;
    if (num_phases_ == max_resident_phases) throw_beyond("max_resident_phases");
    phases_[num_phases_++] = name;
  }
  [[noreturn]] static void throw_beyond(char const* limit) {
    throw std::logic_error(std::string("a composite needs more than ") + limit + " says");
  }

  CpuPasses& passes_;
  Run& run_;
  ResidentNeeds needs_;
  std::size_t used_ = 0;
  char const* phases_[max_resident_phases] = {};  // by address, as a GPU tells them apart
  int num_phases_ = 0;
};

template <>
inline constexpr bool picks_first<CpuResident> = true;

static_assert(ResidentExecutor<CpuResident> && !HostExecutor<CpuResident>);

}  // namespace procmap
