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

/// A pinned buffer of a device, and when the last copy from it or to it was done.
class Piece {
 public:
  Piece() {
    void* memory = nullptr;
    cuda_check(cudaHostAlloc(&memory, piece_bytes, cudaHostAllocDefault));
    memory_.reset(memory);
  }

  /// Fills the buffer once it is free, and sends it.
  void send(void const* host, std::size_t bytes, void* device, cudaStream_t stream) {
    wait();
    std::memcpy(memory_.get(), host, bytes);
    copy(device, memory_.get(), bytes, cudaMemcpyHostToDevice, stream);
  }

  /// Hands over what it was asked for before, and asks the device for more; nothing where that is no bytes.
  void fetch(void const* device, void* host, std::size_t bytes, cudaStream_t stream) {
    if (asked_bytes_ > 0) {
      wait();
      std::memcpy(asked_by_, memory_.get(), asked_bytes_);
    }
    asked_by_ = host;
    asked_bytes_ = bytes;
    if (bytes > 0) copy(memory_.get(), device, bytes, cudaMemcpyDeviceToHost, stream);
  }

  /// Events belong to a device, and the next call may be for another one. What was asked for is no longer wanted.
  void forget() {
    if (done_) cudaEventDestroy(done_);
    done_ = nullptr;
    asked_bytes_ = 0;
  }

 private:
  struct Unpin {
    void operator()(void* memory) const { cudaFreeHost(memory); }
  };

  void wait() {
    if (done_) cuda_check(cudaEventSynchronize(done_));
  }
  void copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind direction, cudaStream_t stream) {
    cuda_check(cudaMemcpyAsync(to, from, bytes, direction, stream));
    if (!done_) cuda_check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming | cudaEventBlockingSync));
    cuda_check(cudaEventRecord(done_, stream));
  }

  std::unique_ptr<void, Unpin> memory_;
  cudaEvent_t done_ = nullptr;
  void* asked_by_ = nullptr;
  std::size_t asked_bytes_ = 0;
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

/// Hands out the pieces of a copy to several lanes at once.
class StagedCopy {
 public:
  StagedCopy(std::size_t bytes, cudaStream_t stream) : bytes_(bytes), stream_(stream) {
    cuda_check(cudaGetDevice(&ordinal_));
  }

  void upload(char const* host, char* device, Lane& lane) {
    for_each_piece(lane, [&](Piece& piece, std::size_t begin, std::size_t bytes) {
      piece.send(host + begin, bytes, device + begin, stream_);
    });
  }
  void download(char const* device, char* host, Lane& lane) {
    for_each_piece(lane, [&](Piece& piece, std::size_t begin, std::size_t bytes) {
      piece.fetch(device + begin, host + begin, bytes, stream_);
    });
    for (auto& piece : lane.pieces) piece.fetch(nullptr, nullptr, 0, stream_);
  }

 private:
  template <class F>
  void for_each_piece(Lane& lane, F f) {
    cuda_check(cudaSetDevice(ordinal_));  // of this thread
    for (int turn = 0;; ++turn) {
      auto const begin = next_.fetch_add(piece_bytes);
      if (begin >= bytes_) return;
      f(lane.pieces[turn % pieces_per_lane], begin, std::min(piece_bytes, bytes_ - begin));
    }
  }

  std::size_t bytes_;
  cudaStream_t stream_;
  int ordinal_ = 0;
  std::atomic<std::size_t> next_{0};
};

/// f(copy, lane) on each of up to `threads` lanes; false if there are none, or the copy is too small for them.
template <class F>
bool copy_in_lanes(std::size_t bytes, cudaStream_t stream, int threads, F f) {
  if (bytes < smallest_staged || threads <= 1) return false;
  auto const context = ContextId::current();
  auto& staging = staging_of(context.device());
  auto& lanes = staging.lanes;
  std::lock_guard const lock(staging.mutex);
  auto const count = prepare(staging, context, static_cast<std::size_t>(std::min(threads, max_lanes)));
  if (count == 0) return false;
  Finish const finish{stream, lanes};
  StagedCopy copy(bytes, stream);
  HostJobs(static_cast<int>(count)).run(static_cast<Edge>(count), [&](Edge lane) {
    f(copy, *lanes[static_cast<std::size_t>(lane)]);
  });
  return true;
}

}  // namespace

void upload_staged(void const* host, std::size_t bytes, void* device, cudaStream_t stream, int threads) {
  bool const is_done = copy_in_lanes(bytes, stream, threads, [=](StagedCopy& copy, Lane& lane) {
    copy.upload(static_cast<char const*>(host), static_cast<char*>(device), lane);
  });
  if (!is_done && bytes > 0) cuda_check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
}

void download_staged(void const* device, std::size_t bytes, void* host, cudaStream_t stream, int threads) {
  bool const is_done = copy_in_lanes(bytes, stream, threads, [=](StagedCopy& copy, Lane& lane) {
    copy.download(static_cast<char const*>(device), static_cast<char*>(host), lane);
  });
  if (!is_done && bytes > 0) cuda_check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
}

}  // namespace procmap
