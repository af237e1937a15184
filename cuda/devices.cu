// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <atomic>
#include <string>

#include "cuda/cuda_backend.hpp"
#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/gpu_traits.hpp"
#include "cuda/exec/lasting_memory.hpp"
#include "cuda/exec/stream.hpp"
#include "procmap/error.hpp"

namespace procmap {
namespace {

std::atomic<pid_t> cuda_user{0};  // the process that first found a GPU here

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The runtime calls a missing driver too old.
std::string driver_problem() {
  int driver = 0, runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return "there is no CUDA driver";
  cudaRuntimeGetVersion(&runtime);
  return "the CUDA driver knows version " + version_text(driver) + ", but this build of procmap needs " +
         version_text(runtime);
}

int count_gpus() {
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess) return count;
  cudaGetLastError();
  if (status == cudaErrorNoDevice) return 0;
  throw DeviceError(status == cudaErrorInsufficientDriver ? driver_problem() : cudaGetErrorString(status));
}

}  // namespace

bool forked_after_cuda() {
  auto const user = cuda_user.load();
  return user != 0 && user != getpid();
}

void require_gpu(int ordinal) {
  if (forked_after_cuda())
    throw DeviceError(
        "this process was forked after its parent had used CUDA, which cannot work; start it with the method "
        "'spawn' or 'forkserver' of multiprocessing");
  int const count = count_gpus();
  if (count == 0) throw DeviceError("there is no GPU");
  if (ordinal >= count)
    throw DeviceError(count == 1 ? "there is only one GPU, cuda:0"
                                 : "there are only " + std::to_string(count) +
                                       " GPUs, cuda:0 to cuda:" + std::to_string(count - 1));
  cuda_user = getpid();
  try {
    DeviceGuard const guard(ordinal);
    compiled_for();  // throws if nothing was
  } catch (DeviceOutOfMemory const& error) {  // no room for a context
    throw DeviceError(error.what());
  }
}

}  // namespace procmap
