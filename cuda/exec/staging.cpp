// SPDX-License-Identifier: MIT
#include "cuda/exec/staging.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/exec/context.hpp"
#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/host_jobs.hpp"
#include "procmap/error.hpp"

namespace procmap {
namespace {

constexpr std::size_t piece_bytes = std::size_t{2} << 20;
constexpr std::size_t smallest_staged = 4 * piece_bytes;  // below, to wake the threads takes longer than they save
constexpr int max_lanes = 8;
constexpr int pieces_per_lane = 2;  // one is filled while the other is on its way

/// A pinned buffer of a device, and when the last copy from it was done.
class Piece {
 public:
  Piece() {
    void* memory = nullptr;
    cuda_check(cudaHostAlloc(&memory, piece_bytes, cudaHostAllocDefault));
    memory_.reset(memory);
  }

  /// Fills the buffer once it is free, and sends it.
  void send(void const* host, std::size_t bytes, void* device, cudaStream_t stream) {
    if (sent_) cuda_check(cudaEventSynchronize(sent_));
    std::memcpy(memory_.get(), host, bytes);
    cuda_check(cudaMemcpyAsync(device, memory_.get(), bytes, cudaMemcpyHostToDevice, stream));
    if (!sent_) cuda_check(cudaEventCreateWithFlags(&sent_, cudaEventDisableTiming | cudaEventBlockingSync));
    cuda_check(cudaEventRecord(sent_, stream));
  }

  /// Events belong to a device, and the next call may be for another one.
  void forget() {
    if (sent_) cudaEventDestroy(sent_);
    sent_ = nullptr;
  }

 private:
  struct Unpin {
    void operator()(void* memory) const { cudaFreeHost(memory); }
  };
  std::unique_ptr<void, Unpin> memory_;
  cudaEvent_t sent_ = nullptr;
};

/// What one thread of the host works with.
struct Lane {
  Piece pieces[pieces_per_lane];
};

/// At the end of a copy, also of one that failed.
struct Finish {
  cudaStream_t stream;
  std::vector<std::unique_ptr<Lane>>& lanes;

  ~Finish() {
    cudaStreamSynchronize(stream);
    for (auto& lane : lanes)
      for (auto& piece : lane->pieces) piece.forget();
  }
};

/// The lanes of a device.
struct Staging {
  std::mutex mutex;
  ContextId context;
  std::vector<std::unique_ptr<Lane>> lanes;
};

// Live as long as the process: the driver may be gone when static objects are destroyed.
Staging& staging_of(int device) {
  static std::mutex mutex;
  static auto& all = *new std::map<int, Staging>;
  std::lock_guard const lock(mutex);
  return all[device];
}

/// Makes lanes up to that number, as far as memory may be pinned; returns how many there are.
std::size_t prepare(Staging& staging, ContextId const& context, std::size_t wanted) {
  auto& lanes = staging.lanes;
  if (staging.context != context) {
    for (auto& lane : lanes) (void)lane.release();  // a reset of the device has taken what they would give back
    lanes.clear();
    staging.context = context;
  }
  try {
    while (lanes.size() < wanted) lanes.push_back(std::make_unique<Lane>());
  } catch (DeviceOutOfMemory const&) {  // a limit of the system; fewer lanes are slower
  }
  return std::min(lanes.size(), wanted);
}

class StagedCopy {
 public:
  StagedCopy(void const* host, std::size_t bytes, void* device, cudaStream_t stream)
      : host_(static_cast<char const*>(host)), bytes_(bytes), device_(static_cast<char*>(device)), stream_(stream) {
    cuda_check(cudaGetDevice(&ordinal_));
  }

  /// Takes the next part and sends it, until there is none. Several lanes at once.
  void work(Lane& lane) {
    cuda_check(cudaSetDevice(ordinal_));  // of this thread
    for (int turn = 0;; ++turn) {
      auto const begin = next_.fetch_add(piece_bytes);
      if (begin >= bytes_) return;
      lane.pieces[turn % pieces_per_lane].send(host_ + begin, std::min(piece_bytes, bytes_ - begin), device_ + begin,
                                               stream_);
    }
  }

 private:
  char const* host_;
  std::size_t bytes_;
  char* device_;
  cudaStream_t stream_;
  int ordinal_ = 0;
  std::atomic<std::size_t> next_{0};
};

}  // namespace

void upload_staged(void const* host, std::size_t bytes, void* device, cudaStream_t stream, int threads) {
  if (bytes >= smallest_staged && threads > 1) {
    auto const context = ContextId::current();
    auto& staging = staging_of(context.device());
    auto& lanes = staging.lanes;
    std::lock_guard const lock(staging.mutex);
    if (auto const count = prepare(staging, context, static_cast<std::size_t>(std::min(threads, max_lanes)));
        count > 0) {
      Finish const finish{stream, lanes};
      StagedCopy copy(host, bytes, device, stream);
      HostJobs(static_cast<int>(count)).run(static_cast<Edge>(count), [&](Edge lane) {
        copy.work(*lanes[static_cast<std::size_t>(lane)]);
      });
      return;
    }
  }
  if (bytes > 0) cuda_check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
}

}  // namespace procmap
