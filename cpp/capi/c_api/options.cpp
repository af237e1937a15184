// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "c_api/handles.hpp"

namespace procmap::capi {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view expected) {
  throw ConfigError(std::string(name) + " = \"" + std::string(value) + "\" is not " + std::string(expected));
}

template <class T>
void read(std::string_view name, std::string_view value, std::string_view expected, T& target) {
  T parsed{};
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc() || end != value.data() + value.size()) refuse(name, value, expected);
  target = parsed;
}

void read_flag(std::string_view name, std::string_view value, bool& target) {
  bool const yes = value == "true" || value == "1";
  if (!yes && value != "false" && value != "0") refuse(name, value, "true or false");
  target = yes;
}

/// An option that is no parameter of the algorithms.
struct Named {
  std::string_view name;
  void (*set)(Options& options, std::string_view name, std::string_view value);
};

constexpr std::string_view an_integer = "an integer in range", a_number = "a number";

constexpr std::array named{
    Named{"preset", [](Options& o, std::string_view, std::string_view v) { o.config = Config::preset(v); }},
    Named{"imbalance", [](Options& o, std::string_view n, std::string_view v) { read(n, v, a_number, o.imbalance); }},
    Named{"seed", [](Options& o, std::string_view n, std::string_view v) { read(n, v, an_integer, o.seed); }},
    Named{"threads", [](Options& o, std::string_view n, std::string_view v) { read(n, v, an_integer, o.threads); }},
    Named{"device", [](Options& o, std::string_view, std::string_view v) { o.device = v; }},
    Named{"repeats", [](Options& o, std::string_view n, std::string_view v) { read(n, v, an_integer, o.repeats); }},
    Named{"time_limit", [](Options& o, std::string_view n, std::string_view v) { read(n, v, a_number, o.time_limit); }},
    Named{"allow_empty", [](Options& o, std::string_view n, std::string_view v) { read_flag(n, v, o.allow_empty); }},
    Named{"migration_cost",
          [](Options& o, std::string_view n, std::string_view v) { read(n, v, a_number, o.migration_cost); }},
};

void set_text(procmap_options& handle, std::string_view name, std::string_view value) {
  auto const option = std::ranges::find(named, name, &Named::name);
  if (option == named.end()) return set_field(handle.options.config, name, value);
  option->set(handle.options, name, value);
  if (name == "imbalance") handle.imbalance_given = true;
}

template <class T>
std::vector<T> values_of(T const* values, std::int64_t size, char const* name) {
  if (size < 0)
    throw ArgumentError("the number of " + std::string(name) + ", " + std::to_string(size) + ", is negative");
  if (size == 0) return {};
  required(values, name);
  return {values, values + size};
}

}  // namespace

Options options_of(procmap_options const* options, Graph const& graph, Block num_pes) {
  auto result = options ? options->options : Options{};
  bool const given = options && options->imbalance_given;
  bool all_one = true;
  for (int i = 0; i < graph.num_weights(); ++i)
    all_one = all_one && graph.max_weight(i) <= 1 && graph.total_weight(i) == graph.num_vertices();
  if (!given && all_one && graph.num_vertices() <= num_pes) result.imbalance = 0;
  return result;
}

}  // namespace procmap::capi

using namespace procmap::capi;

procmap_status procmap_options_create(procmap_options** options) {
  return guarded([&] { required(options, "options") = new procmap_options; });
}

void procmap_options_free(procmap_options* options) { delete options; }

procmap_status procmap_options_set(procmap_options* options, char const* name, char const* value) {
  return guarded([&] { set_text(required(options, "options"), &required(name, "name"), &required(value, "value")); });
}

procmap_status procmap_options_set_int(procmap_options* options, char const* name, int64_t value) {
  return guarded([&] {
    // A seed is any 64 bits.
    bool const seed = std::string_view(&required(name, "name")) == "seed";
    auto const text = seed ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
    set_text(required(options, "options"), name, text);
  });
}

procmap_status procmap_options_set_real(procmap_options* options, char const* name, double value) {
  return guarded([&] {
    std::array<char, 64> text{};
    std::to_chars(text.data(), text.data() + text.size() - 1, value);
    set_text(required(options, "options"), &required(name, "name"), text.data());
  });
}

procmap_status procmap_options_set_capacities(procmap_options* options, int64_t const* capacities, int64_t size) {
  return guarded([&] { required(options, "options").options.capacities = values_of(capacities, size, "capacities"); });
}

procmap_status procmap_options_set_imbalances(procmap_options* options, double const* imbalances, int num_weights) {
  return guarded(
      [&] { required(options, "options").options.imbalances = values_of(imbalances, num_weights, "imbalances"); });
}

procmap_status procmap_options_set_fixed(procmap_options* options, int32_t const* pes, int64_t num_vertices) {
  return guarded([&] { required(options, "options").options.fixed = values_of(pes, num_vertices, "pes"); });
}

procmap_status procmap_options_set_initial(procmap_options* options, int32_t const* pes, int64_t num_vertices) {
  return guarded([&] { required(options, "options").options.initial = values_of(pes, num_vertices, "pes"); });
}

procmap_status procmap_options_set_vertex_sizes(procmap_options* options, int64_t const* sizes, int64_t num_vertices) {
  return guarded([&] { required(options, "options").options.vertex_sizes = values_of(sizes, num_vertices, "sizes"); });
}

procmap_status procmap_options_set_monitor(procmap_options* options, int (*interrupted)(void* data),
                                           void (*progress)(char const* line, void* data), void* data) {
  return guarded([&] {
    procmap::Monitor monitor;
    if (interrupted) monitor.interrupted = [=] { return interrupted(data) != 0; };
    if (progress) monitor.progress = [=](std::string const& line) { progress(line.c_str(), data); };
    required(options, "options").options.monitor = std::move(monitor);
  });
}
