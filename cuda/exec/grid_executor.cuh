// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <new>

#include "cuda/exec/grid_clock.cuh"
#include "cuda/exec/grid_sort.cuh"
#include "cuda/exec/groups.cuh"
#include "cuda/exec/passes.cuh"
#include "cuda/exec/table_pass.cuh"
#include "exec/executor.hpp"
#include "exec/scratch.hpp"

namespace procmap {

/// Part of the arena of a kernel; it is not given back before the end of the ScratchScope around it.
template <class T>
class GridBuffer {
 public:
  GridBuffer() = default;
  __device__ GridBuffer(T* data, std::size_t n) : data_(data), size_(n) {}
  PROCMAP_HD T* data() const { return data_; }
  PROCMAP_HD std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Tables of a resident kernel: mapping costs take three keys per adjacent block.
template <int Lanes>
using ResidentTables = WarpTables<512, Lanes>;

/// The table of a whole block, in the place of those of its warps.
struct BlockTable {
  static constexpr int slots = 3000;
  static constexpr Vertex max_keys = keys_of_slots(slots);
  static_assert(table_slots(max_keys) <= slots);

  Weight sums[slots];
  Vertex keys[slots];
  std::uint32_t used[slots];
  int count;
};

/// Device memory that one crew works in.
struct GridMemory {
  static constexpr int num_counters = 4;
  static constexpr int totals_per_block = 2;

  Weight* totals = nullptr;  // totals_per_block of each
  unsigned* counter = nullptr;  // num_counters, the first of them 0
  std::byte* arena = nullptr;
  std::size_t arena_bytes = 0;
  std::size_t table_bytes = 0;  // at the end of the arena: tables of items with many keys
  GridClock* clock = nullptr;
  Edge table_keys = std::numeric_limits<Edge>::max();  // most that an item asks for
  unsigned* next_counter = nullptr;  // of the kernel that comes next, which expects 0
};

/// Runs passes inside one kernel. Every thread of the crew executes the same phases and calls the same verbs with the
/// same arguments; each verb ends with a barrier of the crew, about 1 us for a whole grid, where CudaExecutor launches
/// kernels and waits for their results. So loops with many short rounds belong here. Tiles have `Lanes` lanes.
template <int Lanes, class Crew = GridCrew>
class GridExecutor {
 public:
  template <class T>
  using Buffer = GridBuffer<T>;

  /// Shared memory that a block of the kernel must have.
  static constexpr std::size_t shared_bytes = sizeof(ResidentTables<Lanes>) * block_warps;
  static_assert(sizeof(BlockTable) <= shared_bytes);

  __device__ GridExecutor(GridMemory const& memory, std::byte* shared, KernelClock& clock)
      : memory_(memory), shared_(shared), clock_(clock) {}

  template <std::size_t N>
  __device__ GridPhase phase(char const (&name)[N]) const {
    static_assert(N <= max_phase_name);
    return GridPhase(clock_, name);
  }
  __device__ void checkpoint() const {}

  /// Buffers made while it lives are given back at its end.
  class ScratchScope {
   public:
    __device__ explicit ScratchScope(GridExecutor& ex) : ex_(ex), mark_(ex.used_) {}
    ScratchScope(ScratchScope const&) = delete;
    ScratchScope& operator=(ScratchScope const&) = delete;
    __device__ ~ScratchScope() { ex_.used_ = mark_; }

   private:
    GridExecutor& ex_;
    std::size_t mark_;
  };

  template <class T>
  __device__ Buffer<T> buffer(std::size_t n) {
    auto const at = used_;
    used_ += scratch_bytes_of<T>(n);
    if (used_ > memory_.arena_bytes) __trap();  // whoever launched the kernel counted wrongly
    return {reinterpret_cast<T*>(memory_.arena + at), n};
  }

  template <class F>
  __device__ void for_each(Edge n, F f) {
    for_each_ahead(n, f);
    sync();
  }
  template <class F>
  __device__ void for_each_ahead(Edge n, F f) {
#pragma unroll 1  // most passes have an item or two for a thread
    for (Edge i = Crew::thread(); i < n; i += Crew::threads()) f(i);
  }

  template <class Work, class F>
  __device__ void for_each_in_group(Edge n, Work work, F f) {
    ScratchScope const scope(*this);
    auto const listed = buffer<Edge>(static_cast<std::size_t>(n));
    unsigned* const count = next_counter();
    serve_group_items<Lanes, Crew>(n, work, f, [=](Edge i) { listed.data()[atomicAdd(count, 1u)] = i; });
    sync();
    if (*count == 0) return;
    for (unsigned next = Crew::block(); next < *count; next += Crew::blocks()) f(listed.data()[next], BlockGroup{});
    sync();
  }

  template <class Needs, class F>
  __device__ void for_each_with_table(Edge n, Needs needs, Vertex universe, F f) {
    ScratchScope const scope(*this);
    auto const listed = buffer<Edge>(static_cast<std::size_t>(n));
    unsigned* const count = next_counter();
    serve_table_items<Crew>(
        n, universe, needs, f, [=](Edge i, Vertex) { listed.data()[atomicAdd(count, 1u)] = i; },
        *reinterpret_cast<ResidentTables<Lanes>(*)[block_warps]>(shared_));
    sync();
    if (*count == 0) return;
    serve_large_items(*count, listed.data(), needs, universe, f);
    sync();
  }

  template <class F>
  __device__ Weight sum_in_group(Edge n, F term) {
    auto const tile =
        TileGroup<Lanes>{cooperative_groups::tiled_partition<Lanes>(cooperative_groups::this_thread_block())};
    Weight mine = 0;
    for (Edge i = Crew::thread() / Lanes; i < n; i += Crew::threads() / Lanes)
      if (Weight const value = term(i, tile); tile.rank() == 0) mine += value;
    return over_blocks(BlockGroup{}.sum(mine)).all;
  }

  template <class F>
  __device__ Weight sum(Edge n, F term) {
    Weight mine = 0;
    for (Edge i = Crew::thread(); i < n; i += Crew::threads()) mine += static_cast<Weight>(term(i));
    BlockGroup const block;
    return over_blocks(block.sum(mine)).all;
  }

  template <class F>
  __device__ Edge scan(Edge n, F term, Edge* out) {
    return scan(n, term, out, [](Edge, Edge) {});
  }
  template <class F, class Visit>
  __device__ Edge scan(Edge n, F term, Edge* out, Visit visit) {
    Chunk const chunk(n);
    BlockGroup const block;
    Weight mine = 0;
    for (Edge i = chunk.begin + block.rank(); i < chunk.end; i += block_threads) mine += static_cast<Weight>(term(i));
    auto const totals = over_blocks(block.sum(mine));
    Edge before = totals.before;
#pragma unroll 1  // it has barriers
    for (Edge base = chunk.begin; base < chunk.end; base += block_threads) {
      Edge const i = base + block.rank();
      Edge const value = i < chunk.end ? static_cast<Edge>(term(i)) : 0;
      auto const [below, all] = block.exclusive_sum(value);
      if (i < chunk.end) {
        out[i] = before + below;
        visit(i, before + below);
      }
      before += all;
    }
    if (Crew::thread() == 0) out[n] = totals.all;
    sync();
    return totals.all;
  }

  template <class Predicate, class F, class T>
  __device__ Edge select(Edge n, Predicate predicate, F value, T* out) {
    Chunk const chunk(n);
    BlockGroup const block;
    Weight mine = 0;
    for (Edge i = chunk.begin + block.rank(); i < chunk.end; i += block_threads) mine += predicate(i) ? 1 : 0;
    auto const totals = over_blocks(block.sum(mine));
    Edge before = totals.before;
#pragma unroll 1
    for (Edge base = chunk.begin; base < chunk.end; base += block_threads) {
      Edge const i = base + block.rank();
      bool const chosen = i < chunk.end && predicate(i);
      auto const [below, all] = block.count_before(chosen);
      if (chosen) out[before + below] = static_cast<T>(value(i));
      before += all;
    }
    sync();
    return totals.all;
  }

  /// Blocks ask for a part of `out` whenever they know how much they need of it, so items come in any order.
  template <class Predicate, class F, class T>
  __device__ Edge collect(Edge n, Predicate predicate, F value, T* out) {
    constexpr int per_thread = 4;  // as many loads are on their way at the same time
    unsigned* const count = next_counter();
    Chunk const chunk(n);
    BlockGroup const block;
#pragma unroll 1
    for (Edge base = chunk.begin + block.rank(); base - block.rank() < chunk.end; base += per_thread * block_threads) {
      unsigned chosen = 0;
#pragma unroll
      for (int k = 0; k < per_thread; ++k) {
        Edge const i = base + k * block_threads;
        if (predicate(min(i, chunk.end - 1)) && i < chunk.end) chosen |= 1u << k;
      }
      auto const [below, all] = block.exclusive_sum(__popc(chosen));
      if (all == 0) continue;
      unsigned const place = block.rank() == 0 ? atomicAdd(count, static_cast<unsigned>(all)) : 0u;
      Edge at = Edge{block.sum(place)} + below;
#pragma unroll
      for (int k = 0; k < per_thread; ++k)
        if (chosen >> k & 1u) out[at++] = static_cast<T>(value(base + k * block_threads));
    }
    sync();
    return *count;
  }

  /// Takes n elements of scratch.
  template <class T, class Less>
  __device__ void sort(T* data, Edge n, Less less) {
    if (n < 2) return;
    ScratchScope const scope(*this);
    auto const other = buffer<T>(static_cast<std::size_t>(n));
    static_assert(2 * sizeof(T) * block_threads <= shared_bytes);
    crew_sort<Crew>(data, other.data(), n, less, reinterpret_cast<T*>(shared_));
  }

  /// Barriers of one block take a tenth of those of a crew, and few items leave nothing to do for the others.
  template <class F>
  __device__ Edge by_few(Edge n, F f) {
    constexpr Edge few = 4 * block_threads;
    if (n > few) return f(*this);
    Edge result = 0;
    if (Crew::block() == 0) {
      GridExecutor<Lanes, BlockCrew> alone(memory_of_one_block(), shared_, clock_);
      result = f(alone);
    }
    return exchange(result)[0];
  }

 private:
  /// The consecutive items of this block.
  struct Chunk {
    Edge begin, end;
    __device__ explicit Chunk(Edge n) {
      Edge const tiles = (n + block_threads - 1) / block_threads;
      Edge const per_block = (tiles + Crew::blocks() - 1) / Crew::blocks() * block_threads;
      begin = min(n, per_block * Crew::block());
      end = min(n, begin + per_block);
    }
  };

  struct Totals {
    Weight before, all;
  };

  __device__ void sync() const { Crew::sync(); }

  /// What is left of the memory of the crew, with totals and counters in shared memory. Called by one block.
  __device__ GridMemory const& memory_of_one_block() {
    __shared__ Weight totals[GridMemory::totals_per_block];
    __shared__ unsigned counters[GridMemory::num_counters];
    __shared__ __align__(16) std::byte room[sizeof(GridMemory)];
    if (threadIdx.x == 0) {
      counters[0] = 0;
      auto* const memory = new (room) GridMemory(memory_);
      memory->totals = totals;
      memory->counter = counters;
      memory->arena += used_;
      memory->arena_bytes -= used_;
    }
    __syncthreads();
    return *reinterpret_cast<GridMemory const*>(room);
  }

  /// Shows one value of every block to all. Two sets of values take turns: who writes to one of them has passed the
  /// barrier behind which everybody had read it.
  __device__ Weight const* exchange(Weight of_block) {
    Weight* const values = memory_.totals + (turn_ ? Crew::blocks() : 0);
    turn_ = !turn_;
    if (threadIdx.x == 0) values[Crew::block()] = of_block;
    sync();
    return values;
  }

  __device__ __noinline__ Totals over_blocks(Weight of_block) {
    auto const* const values = exchange(of_block);
    Weight before = 0;
    Weight all = 0;
    for (unsigned b = threadIdx.x; b < Crew::blocks(); b += block_threads) {
      if (b < Crew::block()) before += values[b];
      all += values[b];
    }
    BlockGroup const block;
    return {block.sum(before), block.sum(all)};
  }

  /// A counter at 0. The next one is cleared meanwhile; a barrier lies between any two calls.
  __device__ unsigned* next_counter() {
    unsigned* const counter = memory_.counter + counter_;
    counter_ = (counter_ + 1) % GridMemory::num_counters;
    if (Crew::thread() == 0) memory_.counter[counter_] = 0;
    return counter;
  }

  /// Where the table of this block lies, if it has one.
  struct LargeTable {
    Vertex* keys;
    Weight* sums;
    std::uint32_t* used;
    int* count;
    unsigned num_tables;  // blocks that have one
  };

  /// In shared memory if all tables fit, else in device memory, in which there is room for some blocks at a time.
  __device__ __noinline__ LargeTable large_table(Vertex universe) {
    universe = static_cast<Vertex>(min(Edge{universe}, memory_.table_keys));
    if (universe <= BlockTable::max_keys) {
      auto& memory = *reinterpret_cast<BlockTable*>(shared_);
      return {memory.keys, memory.sums, memory.used, &memory.count, Crew::blocks()};
    }
    auto const slots = table_slots(static_cast<std::uint64_t>(universe));
    auto const bytes = large_table_bytes(universe);
    auto const tables = static_cast<unsigned>(min(std::size_t{Crew::blocks()}, memory_.table_bytes / bytes));
    if (tables == 0) __trap();  // whoever launched the kernel counted wrongly
    std::byte* const mine = memory_.arena + memory_.arena_bytes + bytes * Crew::block();
    auto* const sums = reinterpret_cast<Weight*>(mine);
    auto* const keys = reinterpret_cast<Vertex*>(sums + slots);
    auto* const used = reinterpret_cast<std::uint32_t*>(keys + slots);
    return {keys, sums, used, reinterpret_cast<int*>(shared_), tables};
  }

  /// A block per item.
  template <class Needs, class F>
  __device__ void serve_large_items(unsigned count, Edge const* item, Needs needs, Vertex universe, F f) {
    auto const memory = large_table(universe);
    BlockGroup const block;
    for (unsigned next = Crew::block(); next < count && Crew::block() < memory.num_tables; next += memory.num_tables) {
      Edge const i = item[next];
      auto const wanted = static_cast<std::uint64_t>(table_keys(needs(i), universe));
      DeviceTable<std::uint32_t> table(memory.keys, memory.sums, memory.used, memory.count,
                                       static_cast<std::uint32_t>(table_slots(wanted)));
      table.clear(block);
      f(i, block, table);
      block.sync();
    }
  }

 public:
  /// Device memory of the table of one item that may see every key.
  PROCMAP_HD static constexpr std::size_t large_table_bytes(Vertex universe) {
    auto const slots = static_cast<std::size_t>(table_slots(static_cast<std::uint64_t>(universe)));
    return scratch_bytes_of<std::byte>(slots * (sizeof(Weight) + sizeof(Vertex) + sizeof(std::uint32_t)));
  }

 private:
  GridMemory const& memory_;
  std::byte* shared_;
  KernelClock& clock_;
  std::size_t used_ = 0;
  int counter_ = 0;
  bool turn_ = false;
};

static_assert(ResidentExecutor<GridExecutor<small_lanes>> && !HostExecutor<GridExecutor<small_lanes>>);

}  // namespace procmap
