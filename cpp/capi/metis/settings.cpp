// SPDX-License-Identifier: MIT
#include "metis/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "metis/failure.hpp"

namespace procmap_metis {
namespace {

/// A variable of the environment; `otherwise` if it is not set or empty.
char const* variable(char const* name, char const* otherwise) {
  char const* const value = std::getenv(name);
  return value && *value ? value : otherwise;
}

void set(procmap_options* options, char const* option, char const* name, char const* otherwise) {
  try {
    require_ok(procmap_options_set(options, option, variable(name, otherwise)));
  } catch (Failure const& failure) {
    throw Failure(failure.code(), std::string(name) + ": " + failure.what());
  }
}

/// The prime factors of a number, the smallest first; the first ones times each other if there are more than 8, which
/// is how many levels a machine may have.
std::vector<std::int64_t> factors(std::int64_t number) {
  constexpr std::size_t most = 8;
  std::vector<std::int64_t> found;
  for (std::int64_t factor = 2; factor * factor <= number; ++factor)
    for (; number % factor == 0; number /= factor) found.push_back(factor);
  if (number > 1) found.push_back(number);
  for (std::size_t i = 0; found.size() > most; i = (i + 1) % most) {
    found[i] *= found[i + 1];
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return found;
}

/// PEs that are all equally far from each other. Where next to nothing is allowed above a part's share, as
/// METIS_PartGraphRecursive does, they are told as a hierarchy: vertices that are split step by step, into few parts at
/// a time, then have room to move. Cuts of 15 graphs in 8, 12, 30 and 64 parts were 1 to 5 % lower than with all parts
/// at once; with a hundredth allowed, or in 4 parts, they were higher. Several weights leave little room whatever is
/// allowed: cuts in 64 parts were 6 % lower, in 8 to 16 parts the same in 0.6 of the time.
std::string equal_distances(Wanted const& wanted) {
  constexpr std::int64_t tight = 2000, few = 8;
  auto const sizes = factors(wanted.parts);
  bool const little_room = wanted.slack.size() > 1 || wanted.slack[0] <= tight;
  if (!little_room || wanted.parts < few || sizes.size() < 2) return "flat:" + std::to_string(wanted.parts);
  std::string text, distances;
  for (auto const size : sizes) {
    text += (text.empty() ? "" : ":") + std::to_string(size);
    distances += distances.empty() ? "/1" : ":1";
  }
  return text + distances;
}

}  // namespace

Handle<procmap_options> options_of_environment(Wanted const& wanted) {
  procmap_options* handle = nullptr;
  require_ok(procmap_options_create(&handle));
  Handle<procmap_options> options(handle);
  set(handle, "preset", "PROCMAP_PRESET", "default");
  set(handle, "threads", "PROCMAP_THREADS", "0");
  // Not "auto": a program of many processes would open one GPU in all of them, unasked.
  set(handle, "device", "PROCMAP_DEVICE", "cpu");
  require_ok(procmap_options_set_int(handle, "seed", wanted.seed));
  require_ok(procmap_options_set_int(handle, "repeats", wanted.repeats));
  require_ok(procmap_options_set(handle, "allow_empty", "false"));
  return options;
}

Handle<procmap_topology> machine_of_environment(Wanted const& wanted) {
  char const* const text = variable("PROCMAP_TOPOLOGY", nullptr);
  procmap_topology* handle = nullptr;
  require_ok(procmap_topology_parse(text ? text : equal_distances(wanted).c_str(), &handle));
  Handle<procmap_topology> machine(handle);
  auto const pes = procmap_topology_num_pes(handle);
  if (pes != wanted.parts)
    refuse("PROCMAP_TOPOLOGY=" + std::string(text) + " has " + std::to_string(pes) +
           " PEs, but nparts = " + std::to_string(wanted.parts));
  return machine;
}

}  // namespace procmap_metis
