// SPDX-License-Identifier: MIT
#include "api/device_choice.hpp"
#include "backends/registry.hpp"
#include "multilevel/split/member_job.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

std::string do_job(std::string_view job, std::string const& device, int threads) {
  auto const member = unpacked_member(job);
  auto const where = named_device(device);
  Monitor const silent;
  Run run(silent);
  return packed(backend_of(where).split(member, where.ordinal, threads, run));
}

}  // namespace procmap
