// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/stopwatch.hpp"
#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/host_jobs.hpp"
#include "cuda/exec/lasting_memory.hpp"
#include "cuda/exec/staging.hpp"
#include "cuda/exec/stream.hpp"

// Not a test: measures how fast pageable memory reaches the GPU and is reached from it. upload_speed [THREADS]

namespace procmap {
namespace {

template <class Copy>
double median_gigabytes_per_second(std::size_t bytes, Copy copy) {
  std::vector<double> seconds;
  for (int repetition = 0; repetition < 7; ++repetition) {
    Stopwatch const watch;
    copy();
    seconds.push_back(watch.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return static_cast<double>(bytes) / seconds[seconds.size() / 2] * 1e-9;
}

void measure(std::size_t bytes, int threads) {
  std::vector<char> host(bytes, 1);
  auto const device = allocate_lasting(bytes);
  Stream const stream;
  auto const plain = median_gigabytes_per_second(bytes, [&] {
    cuda_check(cudaMemcpyAsync(device.get(), host.data(), bytes, cudaMemcpyHostToDevice, stream.get()));
    stream.wait();
  });
  auto const staged = median_gigabytes_per_second(bytes, [&] {
    upload_staged(host.data(), bytes, device.get(), stream.get(), threads);
    stream.wait();
  });
  auto const plain_back = median_gigabytes_per_second(bytes, [&] {
    cuda_check(cudaMemcpyAsync(host.data(), device.get(), bytes, cudaMemcpyDeviceToHost, stream.get()));
    stream.wait();
  });
  auto const staged_back = median_gigabytes_per_second(bytes, [&] {
    download_staged(device.get(), bytes, host.data(), stream.get(), threads);
    stream.wait();
  });
  std::printf("%8zu MiB   GB/s there and back: cudaMemcpy %5.1f %5.1f   staged, %2d threads %5.1f %5.1f\n", bytes >> 20,
              plain, plain_back, threads, staged, staged_back);
}

}  // namespace
}  // namespace procmap

int main(int argc, char** argv) {
  int const threads = procmap::host_threads(argc > 1 ? std::atoi(argv[1]) : 0);
  for (std::size_t mib = 1; mib <= 2048; mib *= 4) procmap::measure(mib << 20, threads);
}
