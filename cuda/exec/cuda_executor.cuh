// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/job_runs.hpp"
#include "cuda/exec/device_buffer.hpp"
#include "cuda/exec/device_scan.hpp"
#include "cuda/exec/device_sort.cuh"
#include "cuda/exec/gpu_facts.hpp"
#include "cuda/exec/host_jobs.hpp"
#include "cuda/exec/passes.cuh"
#include "cuda/exec/pinned_cell.hpp"
#include "cuda/exec/resident.cuh"
#include "cuda/exec/staging.hpp"
#include "cuda/exec/stream.hpp"
#include "cuda/exec/table_pass.cuh"
#include "cuda/exec/teams.cuh"
#include "exec/cpu_executor.hpp"
#include "exec/executor.hpp"
#include "exec/scratch.hpp"
#include "exec/slab.hpp"

namespace procmap {

/// Runs passes on one GPU, in a stream of its own; jobs of the host on `threads` of its threads. Its device is the
/// current one of the thread that makes it, while it lives. sum, max, scan, select, read and download wait for the GPU,
/// and so do for_each_part and, when tables may be large, for_each_with_table; nothing else does. Outlives its buffers.
class CudaExecutor {
 public:
  template <class T>
  using Buffer = DeviceBuffer<T>;

  CudaExecutor(int threads, Run& run, int device = 0)
      : CudaExecutor(GpuFacts(device), HostJobs(host_threads(threads)), &run) {}

  int threads() const { return jobs_.threads(); }
  /// There will be jobs: their threads start while the GPU is at work.
  void expect_jobs() { jobs_.start(); }
  static constexpr bool has_small_teams = false;
  static constexpr bool waits_for_hubs = true;
  static constexpr Edge slab_arcs() { return gpu_slab_arcs; }
  CpuExecutor host() const { return {jobs_.team(), run()}; }
  Edge host_arcs() const { return jobs_.team() ? threads() * host_arcs_per_thread : nothing_for_host; }
  Run& run() const { return *run_; }

  template <class T>
  static constexpr std::size_t scratch_bytes(std::size_t n) {
    return scratch_bytes_of<T>(n);
  }
  static constexpr std::size_t pass_bytes(std::size_t n) { return pass_scratch_bytes(n); }
  /// f runs in one kernel on a GridExecutor.
  template <class F>
  void resident(ResidentNeeds needs, F const& f) {
    run().checkpoint();
    unsigned const blocks = blocks_of_resident<F>(needs.items, processors_);
    auto const table_bytes = room_for_tables(needs, blocks);
    auto const arena = buffer<std::byte>(needs.scratch_bytes + table_bytes);
    auto* const counters = grid_counters_.data();
    std::size_t const turn = num_residents_++ % 2 * GridMemory::num_counters;
    if (!resident_time_) resident_time_.emplace(run());
    launch_resident(kernels_, f, needs,
                    GridMemory{grid_totals_.data(), counters + turn, arena.data(), needs.scratch_bytes, table_bytes,
                               clock_.data(), needs.table_keys, counters + (GridMemory::num_counters - turn)},
                    blocks, processors_, stream());
  }
  /// Composite f.of(i) for all i, each in a crew of its own. Phases are timed in the first one.
  template <class F>
  void resident_parts(std::vector<ResidentNeeds> const& needs, F const& f) {
    run().checkpoint();
    Edge items = 0;
    std::vector<std::size_t> place{0};
    for (auto const& part : needs) {
      place.push_back(place.back() + part.scratch_bytes);
      items = std::max(items, part.items);
    }
    auto const n = needs.size();
    unsigned const blocks = blocks_of_crew(static_cast<Edge>(n), items, processors_, gpu_.most_crew_blocks);
    auto const totals = buffer<Weight>(GridMemory::totals_per_block * n * blocks);
    auto const arena = buffer<std::byte>(place.back());
    // The counters, all 0, lie behind the places: one copy.
    auto const first_counter = place.size();
    place.resize(first_counter + (n * GridMemory::num_counters * sizeof(unsigned) + 7) / sizeof(std::size_t));
    auto const places = buffer<std::size_t>(place.size());
    upload(place.data(), static_cast<Edge>(place.size()), places.data());
    auto* const counters = reinterpret_cast<unsigned*>(places.data() + first_counter);
    if (!resident_time_) resident_time_.emplace(run());
    launch_crews(kernels_, f, GridMemory{totals.data(), counters, arena.data(), 0, 0, clock_.data()}, places.data(),
                 static_cast<unsigned>(n), {blocks, gpu_.most_crew_blocks}, stream());
  }
  /// Whether tables of so many keys leave crews without memory of their own for them.
  static constexpr bool crews_hold(Vertex universe) { return universe <= BlockTable::max_keys; }
  /// Waits until everything asked for so far is done.
  void wait() const {
    stream_.wait();
    resident_time_.reset();
  }
  /// Adds the times of the phases inside resident kernels since the last report to those of the run. Throws
  /// std::logic_error if a clock had no room for all of them.
  void report_resident_phases() const {
    GridClock clock{};
    download(clock_.data(), 1, &clock);
    cuda_check(cudaMemsetAsync(clock_.data(), 0, sizeof(GridClock), stream()));
    if (clock.lost > 0) throw std::logic_error("more phases in resident kernels than max_resident_phases says");
    for (auto const& entry : clock.entry)
      if (entry.calls > 0)
        run().add_phase(entry.name, static_cast<double>(entry.nanoseconds) * 1e-9,
                        static_cast<std::int64_t>(entry.calls));
  }

  template <class T>
  Buffer<T> buffer(std::size_t n) const {
    return Buffer<T>(n, memory_);
  }

  template <class F>
  void for_each(Edge n, F f) const {
    if (n <= 0) return;
    for_each_kernel<<<blocks_for(n), block_threads, 0, stream()>>>(n, f);
    check_launch();
  }

  template <class Work, class F>
  void for_each_in_group(Edge n, Work work, F f) const {
    if (n <= 0) return;
    auto const listed = buffer<Edge>(static_cast<std::size_t>(n));
    auto const count = buffer<unsigned>(1);
    cuda_check(cudaMemsetAsync(count.data(), 0, sizeof(unsigned), stream()));
    group_kernel<<<blocks_for_rows(n), block_threads, 0, stream()>>>(n, work, f, listed.data(), count.data());
    check_launch();
    large_group_kernel<<<resident_blocks(), block_threads, 0, stream()>>>(listed.data(), count.data(), f);
    check_launch();
  }

  template <class F>
  void for_each_team(Edge n, Edge work, F f) const {
    if (n <= 0) return;
    if (work / n < large_team_work)
      launch_teams<SmallTeam>(kernels_, n, small_team_bytes, f, stream());
    else
      launch_teams<LargeTeam>(kernels_, n, gpu_.large_team_bytes, f, stream());
  }

  template <class F>
  void for_each_team_in_order(TeamQueue const& queue, F f) const {
    if (queue.count <= 0) return;
    auto const in_use = zeros<int>(static_cast<std::size_t>(queue.slots) + 1);  // and how many items are taken
    DeviceTeamQueue const turns{queue, reinterpret_cast<unsigned*>(in_use.data() + queue.slots), in_use.data()};
    if (queue.work < large_team_work)
      launch_queue<SmallTeam>(kernels_, turns, small_team_bytes, f, stream());
    else if (fits_shared_teams(queue, gpu_.num_processors, gpu_.most_crew_blocks))
      launch_queue<SharedTeam>(kernels_, turns, gpu_.large_team_bytes, f, stream());
    else
      launch_queue<LargeTeam>(kernels_, turns, gpu_.large_team_bytes, f, stream());
  }

  /// needs(i) must not depend on what f does for other items.
  template <class Needs, class F>
  void for_each_with_table(Edge n, Needs needs, Vertex universe, F f) {
    if (n <= 0) return;
    auto item = buffer<Edge>(static_cast<std::size_t>(n));
    auto totals = buffer<LargeItems::Totals>(1);
    LargeItems const large{item.data(), totals.data()};
    cuda_check(cudaMemsetAsync(totals.data(), 0, sizeof(LargeItems::Totals), stream()));
    table_kernel<<<blocks_for_rows(n), block_threads, 0, stream()>>>(n, universe, needs, f, large);
    check_launch();
    serve_large_items(n, needs, universe, f, large);
  }

  /// f(i) on the host, for a few large independent jobs; f may throw.
  template <class F>
  void for_each_job(Edge n, F f) const {
    jobs_.run(n, f);
  }

  /// Parts run at the same time where there is memory for all of them, as the short steps of each leave most of a GPU
  /// idle. The first one runs on this executor, so what it keeps may outlive the pass.
  template <class F>
  void for_each_part(Edge n, Edge work, F f) {
    Edge const at_once = std::min<Edge>({n, threads(), most_parts, processors_ / fewest_processors});
    if (at_once <= 1 || !has_room_for_parts(work)) {
      for (Edge i = 0; i < n; ++i) f(i, *this);
      return;
    }
    wait();
    report_resident_phases();
    auto colleagues = take_colleagues(static_cast<std::size_t>(at_once - 1));
    auto const processors = static_cast<int>(processors_ / at_once);
    JobRuns runs(run(), n);
    auto const job = [&](Edge j) {
      auto& ex = j == 0 ? *this : *colleagues[static_cast<std::size_t>(j - 1)];
      for (Edge i = j; i < n; i += at_once)
        runs.run(i, [&](Run& run) {
          ShareOfGpu const share(ex, run, processors);
          f(i, ex);
          ex.report_resident_phases();
        });
    };
    runs.run_all([&](WorkPool::Poll poll, void* context) { jobs_.run(at_once, job, poll, context); });
    for (auto& colleague : colleagues) colleagues_.push_back(std::move(colleague));
  }

  template <class T>
  void fill(T* data, Edge n, T value) const {
    if (n <= 0) return;
    fill_kernel<<<blocks_for(n), block_threads, 0, stream()>>>(data, n, value);
    check_launch();
  }
  template <class T>
  void copy(T const* from, Edge n, T* to) const {
    if (n > 0) cuda_check(cudaMemcpyAsync(to, from, bytes<T>(n), cudaMemcpyDeviceToDevice, stream()));
  }
  /// Returns when `host` may be overwritten, provided that it is not pinned.
  template <class T>
  void upload(T const* host, Edge n, T* data) const {
    if (n > 0) cuda_check(cudaMemcpyAsync(data, host, bytes<T>(n), cudaMemcpyHostToDevice, stream()));
  }
  template <class T>
  void download(T const* data, Edge n, T* host) const {
    if (n <= 0) return;
    download_staged(data, bytes<T>(n), host, stream(), threads());
    wait();
  }

  template <class T>
  T read(T const* value) const {
    static_assert(sizeof(T) <= PinnedCell::capacity);
    download(value, 1, static_cast<T*>(cell_.data()));
    return *static_cast<T const*>(cell_.data());
  }

  template <class F>
  Weight sum(Edge n, F term) const {
    if (n <= 0) return 0;
    auto* const result = static_cast<Weight*>(cell_.data());
    sum_kernel<<<std::min(blocks_for(n), resident_blocks()), block_threads, 0, stream()>>>(n, term, sum_cell_.data(),
                                                                                           result);
    check_launch();
    wait();
    return *result;
  }

  template <class F>
  Weight max(Edge n, F term) const {
    auto const smallest = std::numeric_limits<Weight>::min();
    if (n <= 0) return smallest;
    auto const largest = buffer<Weight>(1);
    fill(largest.data(), 1, smallest);
    max_kernel<<<std::min(blocks_for(n), resident_blocks()), block_threads, 0, stream()>>>(n, term, smallest,
                                                                                           largest.data());
    check_launch();
    return read(largest.data());
  }

  template <class F>
  void prefix_sums(Edge n, F term, Edge* out) const {
    terms_kernel<<<blocks_for(n + 1), block_threads, 0, stream()>>>(n, term, out);
    check_launch();
    if (n > 0) exclusive_sum(memory_, out, n + 1);
  }

  template <class F>
  Edge scan(Edge n, F term, Edge* out) const {
    prefix_sums(n, term, out);
    return n > 0 ? read(out + n) : 0;
  }

  template <class F>
  ScannedRows scan_rows(Edge n, F term, Edge* out) const {
    auto const longest = zeros<Edge>(1);
    row_terms_kernel<<<blocks_for(n + 1), block_threads, 0, stream()>>>(n, term, out, longest.data());
    check_launch();
    if (n > 0) exclusive_sum(memory_, out, n + 1);
    auto* const totals = static_cast<ScannedRows*>(cell_.data());
    for_each(1, [=, most = longest.data()] PROCMAP_LAMBDA(Edge) { *totals = {out[n], *most}; });
    wait();
    return *totals;
  }

  template <class Predicate, class F, class T>
  Edge select(Edge n, Predicate predicate, F value, T* out) const {
    if (n <= 0) return 0;
    auto* const count = static_cast<Edge*>(cell_.data());
    list_chosen(n, predicate, value, out, count);
    wait();
    return *count;
  }

  template <class Predicate, class F, class T>
  void list(Edge n, Predicate predicate, F value, T* out) const {
    if (n > 0) list_chosen(n, predicate, value, out, nullptr);
  }

  template <class T, class Less>
  void sort(T* data, Edge n, Less less) const {
    merge_sort(memory_, data, n, less);
  }

  // Public because nvcc does not admit device lambdas as arguments of private templates.

  /// Lists value(i) of all i that the predicate chooses; `count` gets how many there are if it is not null.
  template <class Predicate, class F, class T>
  void list_chosen(Edge n, Predicate predicate, F value, T* out, Edge* count) const {
    Edge const words = (n + warp_lanes - 1) / warp_lanes;
    auto const chosen = buffer<std::uint32_t>(static_cast<std::size_t>(words));
    auto const before = buffer<Edge>(static_cast<std::size_t>(words) + 1);
    choose_kernel<<<blocks_for(n), block_threads, 0, stream()>>>(n, predicate, chosen.data());
    check_launch();
    count_bits_before(memory_, chosen.data(), words, before.data());
    place_kernel<<<blocks_for(n), block_threads, 0, stream()>>>(n, chosen.data(), before.data(), value, out, count);
    check_launch();
  }

  /// The second half of for_each_with_table.
  template <class Needs, class F>
  void serve_large_items(Edge n, Needs needs, Vertex universe, F f, LargeItems large) const {
    auto blocks = static_cast<std::uint64_t>(std::min<Edge>(n, 2 * Edge{gpu_.num_processors}));
    std::uint64_t slots_per_block = 0;
    std::uint64_t slots = 0;
    if (universe <= max_block_universe) {  // a table per block is cheaper than to ask how many there are
      slots_per_block = table_slots(static_cast<std::uint64_t>(universe));
      slots = blocks * slots_per_block;
    } else {
      auto const totals = read(large.totals);
      if (totals.count == 0) return;
      blocks = std::min<std::uint64_t>(totals.count, 8 * static_cast<std::uint64_t>(gpu_.num_processors));
      slots = totals.slots;
    }
    auto const sums = buffer<Weight>(slots);
    auto const keys = buffer<Vertex>(slots);
    auto const used = buffer<std::uint32_t>(slots);
    large_table_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, stream()>>>(
        universe, needs, f, large, LargeTables{sums.data(), keys.data(), used.data(), slots_per_block});
    check_launch();
  }

 private:
  static constexpr Edge most_parts = 8;         // at the same time
  static constexpr int fewest_processors = 16;  // of each
  // With 16 threads limits of 15,000 to 60,000 arcs take about as long, with 4 of 2,000 to 8,000, on an H200.
  static constexpr Edge host_arcs_per_thread = 1024;
  static constexpr Edge large_team_work = 2048;  // arcs per item
  // Of a block, for networks of cuts; the rest of 256 KiB is the cache that the graph is read through.
  static constexpr std::size_t small_team_bytes = std::size_t{40} << 10;
  static constexpr Vertex max_block_universe = 1 << 13;  // 200 KB per block, 50 MB in all

  /// An executor that works for one part of the call on its share of the processors, called by the thread that has the
  /// part and keeps the device as its current one. At the end nothing that it has asked for is under way.
  class ShareOfGpu {
   public:
    ShareOfGpu(CudaExecutor& ex, Run& run, int processors) : ex_(ex), whole_(ex.run_), processors_(ex.processors_) {
      cuda_check(cudaSetDevice(ex.gpu_.ordinal));
      ex.run_ = &run;
      ex.processors_ = processors;
    }
    ShareOfGpu(ShareOfGpu const&) = delete;
    ShareOfGpu& operator=(ShareOfGpu const&) = delete;
    ~ShareOfGpu() {
      cudaStreamSynchronize(ex_.stream());  // its error, if there is one, is that of the call that comes next
      ex_.resident_time_.reset();
      ex_.processors_ = processors_;
      ex_.run_ = whole_;
    }

   private:
    CudaExecutor& ex_;
    Run* whole_;
    int processors_;
  };

  CudaExecutor(GpuFacts const& gpu, HostJobs jobs, Run* run)
      : gpu_(gpu),
        device_(gpu.ordinal),
        blocks_(stream_.get()),
        memory_(stream_.get(), blocks_),
        clock_(zeros<GridClock>(1)),
        sum_cell_(zeros<SumCell>(1)),
        grid_counters_(zeros<unsigned>(2 * GridMemory::num_counters)),
        grid_totals_(buffer<Weight>(GridMemory::totals_per_block * most_blocks_per_processor *
                                    static_cast<std::size_t>(gpu.num_processors))),
        processors_(gpu.num_processors),
        jobs_(std::move(jobs)),
        run_(run) {}

  /// Each part takes memory of its own: small ones little, and all others together get a share of what is free.
  bool has_room_for_parts(Edge arcs) const {
    constexpr Edge few = Edge{1} << 20;
    constexpr std::int64_t bytes_per_arc = 64, share = 4;
    return arcs <= few || arcs <= available_memory(gpu_.ordinal) / (share * bytes_per_arc);
  }

  using Colleagues = std::vector<std::unique_ptr<CudaExecutor>>;

  /// Executors for the same call, idle ones or new ones. Parts of a part come while others are away.
  Colleagues take_colleagues(std::size_t wanted) {
    jobs_.start();  // colleagues have copies
    Colleagues taken;
    for (; taken.size() < wanted && !colleagues_.empty(); colleagues_.pop_back())
      taken.push_back(std::move(colleagues_.back()));
    while (taken.size() < wanted) taken.emplace_back(new CudaExecutor(gpu_, jobs_, nullptr));
    return taken;
  }

  template <class T>
  static std::size_t bytes(Edge n) {
    return static_cast<std::size_t>(n) * sizeof(T);
  }
  /// Blocks that fill the GPU; more would only add to the number of partial results.
  unsigned resident_blocks() const { return 8 * static_cast<unsigned>(gpu_.num_processors); }
  template <class T>
  Buffer<T> zeros(std::size_t n) const {
    auto zeros = buffer<T>(n);
    cuda_check(cudaMemsetAsync(zeros.data(), 0, n * sizeof(T), stream()));
    return zeros;
  }
  cudaStream_t stream() const { return stream_.get(); }

  GpuFacts gpu_;
  DeviceGuard device_;
  Stream stream_;
  BlockCache blocks_;
  DeviceMemory memory_;
  PinnedCell cell_;
  Buffer<GridClock> clock_;  // of the resident kernels
  Buffer<SumCell> sum_cell_;
  Buffer<unsigned> grid_counters_;  // two sets, in turns: a kernel clears that of the next one
  Buffer<Weight> grid_totals_;
  std::size_t num_residents_ = 0;  // kernels launched so far
  mutable PreparedKernels kernels_;
  int processors_;  // for kernels whose blocks all run at the same time
  mutable HostJobs jobs_;
  Run* run_;  // null: of a colleague that is idle
  mutable std::optional<DeviceTime> resident_time_;  // from the launch of a resident kernel until nothing is under way
  Colleagues colleagues_;  // that are idle
};

static_assert(HostExecutor<CudaExecutor> && !ResidentExecutor<CudaExecutor>);

}  // namespace procmap
