// SPDX-License-Identifier: MIT
#include "metis/settings.hpp"

#include <cstdlib>
#include <string>

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

Handle<procmap_topology> machine_of_environment(std::int64_t parts) {
  char const* const text = variable("PROCMAP_TOPOLOGY", nullptr);
  auto const flat = "flat:" + std::to_string(parts);
  procmap_topology* handle = nullptr;
  require_ok(procmap_topology_parse(text ? text : flat.c_str(), &handle));
  Handle<procmap_topology> machine(handle);
  auto const pes = procmap_topology_num_pes(handle);
  if (pes != parts)
    refuse("PROCMAP_TOPOLOGY=" + std::string(text) + " has " + std::to_string(pes) +
           " PEs, but nparts = " + std::to_string(parts));
  return machine;
}

}  // namespace procmap_metis
