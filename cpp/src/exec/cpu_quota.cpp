// SPDX-License-Identifier: MIT
#include "exec/cpu_quota.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>

#include "exec/next_number.hpp"

namespace procmap {
namespace {

std::string text_of(std::string const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The less of two numbers of processors, where 0 is no limit.
int less_of(int a, int b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

bool is_listed(std::string_view name, std::string_view names) {
  while (true) {
    auto const first = names.substr(0, names.find(','));
    if (first == name) return true;
    if (first.size() == names.size()) return false;
    names.remove_prefix(first.size() + 1);
  }
}

/// The group of this process, such as "/user.slice/job_7", where `controller` counts; empty if there is none. Lines are
/// "number:controllers:group", and version 2 names no controllers.
std::string_view group_of(std::string_view cgroups, std::string_view controller) {
  while (!cgroups.empty()) {
    auto const line = cgroups.substr(0, cgroups.find('\n'));
    auto const names = line.find(':');
    auto const group = names < line.size() ? line.find(':', names + 1) : line.npos;
    if (group < line.size() && is_listed(controller, line.substr(names + 1, group - names - 1)))
      return line.substr(group + 1);
    cgroups.remove_prefix(std::min(line.size() + 1, cgroups.size()));
  }
  return {};
}

/// What a group says, in the words of version 2.
std::string quota_of(std::string const& folder) {
  auto text = text_of(folder + "/cpu.max");
  if (text.empty()) text = text_of(folder + "/cpu.cfs_quota_us") + " " + text_of(folder + "/cpu.cfs_period_us");
  return text;
}

/// The least of a group and all around it; where groups are not mounted as they are named, as in a container, the last
/// one is its own.
int least_of_groups(std::string const& root, std::string_view group) {
  int least = 0;
  while (true) {
    std::string folder = root;
    folder += group;
    least = less_of(least, processors_of_quota(quota_of(folder)));
    auto const parent = group.rfind('/');
    if (group.size() <= 1 || parent == group.npos) return least;
    group = group.substr(0, parent);
  }
}

}  // namespace

int processors_of_quota(std::string_view cpu_max) {
  auto const quota = next_number<std::int64_t>(cpu_max);
  auto const period = next_number<std::int64_t>(cpu_max);
  if (quota <= 0 || period <= 0) return 0;
  auto const processors = (quota - 1) / period + 1;
  return static_cast<int>(std::min<std::int64_t>(processors, std::numeric_limits<int>::max()));
}

int processors_of_groups(std::string_view cgroups, std::string const& root) {
  return less_of(least_of_groups(root, group_of(cgroups, "")),
                 least_of_groups(root + "/cpu", group_of(cgroups, "cpu")));
}

int processors_of_quota() { return processors_of_groups(text_of("/proc/self/cgroup"), "/sys/fs/cgroup"); }

}  // namespace procmap
