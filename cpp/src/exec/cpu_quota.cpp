// SPDX-License-Identifier: MIT
#include "exec/cpu_quota.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>

namespace procmap {
namespace {

/// The number at the beginning of `text`, which is cut off with the blanks before it; 0 if there is none.
std::int64_t next_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{} ? number : 0;
}

std::string text_of(std::string const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The less of two numbers of processors, where 0 is no limit.
int less_of(int a, int b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

/// The group of this process in the hierarchy of version 2, such as "/user.slice/job_7"; empty if it is in none.
std::string_view group_of(std::string_view cgroups) {
  constexpr std::string_view version_2 = "0::";
  while (!cgroups.empty()) {
    auto const line = cgroups.substr(0, cgroups.find('\n'));
    if (line.starts_with(version_2)) return line.substr(version_2.size());
    cgroups.remove_prefix(std::min(line.size() + 1, cgroups.size()));
  }
  return {};
}

}  // namespace

int processors_of_quota(std::string_view cpu_max) {
  auto const quota = next_number(cpu_max);
  auto const period = next_number(cpu_max);
  if (quota <= 0 || period <= 0) return 0;
  auto const processors = (quota - 1) / period + 1;
  return static_cast<int>(std::min<std::int64_t>(processors, std::numeric_limits<int>::max()));
}

int processors_of_groups(std::string_view cgroups, std::string const& root) {
  auto group = group_of(cgroups);
  int least = 0;
  while (true) {
    std::string path = root;
    path += group;
    least = less_of(least, processors_of_quota(text_of(path + "/cpu.max")));
    if (group.empty() || group == "/") return least;
    group = group.substr(0, group.rfind('/'));
  }
}

int processors_of_quota() { return processors_of_groups(text_of("/proc/self/cgroup"), "/sys/fs/cgroup"); }

}  // namespace procmap
