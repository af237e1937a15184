// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace procmap {

/// Processors whose time a group of processes may use (`docker run --cpus`, limits of Kubernetes, CPUQuota of systemd),
/// rounded up; 0: as many as there are. `cpu_max` is what a file of that name says: microseconds, or "max", and the
/// microseconds of a period.
int processors_of_quota(std::string_view cpu_max);

/// The same for this process: the least of its control group and all groups around it, of both versions. `cgroups` is
/// the text of /proc/self/cgroup, `root` where the groups are mounted.
int processors_of_groups(std::string_view cgroups, std::string const& root);

/// The same for this process as the system has it.
int processors_of_quota();

}  // namespace procmap
