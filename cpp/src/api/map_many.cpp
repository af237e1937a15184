// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/checked_call.hpp"
#include "core/first_failure.hpp"
#include "exec/cpu_executor.hpp"
#include "procmap/device.hpp"
#include "procmap/procmap.hpp"

namespace procmap {
namespace {

/// Does f(); what it throws about request i says so.
template <class F>
auto about(std::size_t i, F f) {
  auto const named = [&](std::exception const& error) { return "graphs[" + std::to_string(i) + "]: " + error.what(); };
  try {
    return f();
  } catch (ConfigError const& error) {
    throw ConfigError(named(error));
  } catch (DeviceError const& error) {
    throw DeviceError(named(error));
  } catch (std::overflow_error const& error) {
    throw std::overflow_error(named(error));
  }
}

Edge work_of(MapRequest const& request) { return request.graph->num_vertices() + request.graph->num_arcs(); }

/// Graphs with fewer arcs are so small that a GPU takes as long for one as threads of the host take for a few, and it
/// maps one after the other. The mappings are the same.
constexpr Edge many_gpu_arcs = Edge{1} << 17;

bool is_small(Graph const& graph) { return graph.device().on_host() && graph.num_arcs() < many_gpu_arcs; }

/// Maps one of many graphs by the calling thread.
Mapping map_on_host(Graph const& graph, Topology const& topology, Options options) {
  bool const wants_gpu = options.device != "auto" && !device_id(options.device).on_host();
  if (wants_gpu) options.device = DeviceId{}.name();
  options.threads = 1;
  auto mapping = map(graph, topology, options);
  if (wants_gpu)
    mapping.stats.device_reason =
        "one of many graphs, and it has fewer than " + std::to_string(many_gpu_arcs) + " arcs";
  return mapping;
}

/// One call for many graphs.
class Batch {
 public:
  Batch(std::span<MapRequest const> requests, Topology const& topology, int threads, Monitor const& monitor)
      : requests_(requests),
        topology_(topology),
        wanted_(threads),
        threads_(CpuExecutor::usable_threads(threads)),
        monitor_(monitor),
        results_(requests.size()) {}

  std::vector<Mapping> run() {
    choose_ways();
    for (auto const i : alone_) map_alone(i);
    WorkPool pool(std::min(threads_, static_cast<int>(together_.size())));
    auto const poll = [](void* batch) { static_cast<Batch*>(batch)->poll(); };
    try {
      pool.share(
          {.n = static_cast<Edge>(together_.size()), .wakes = true, .is_short = false},
          [&](Edge begin, Edge end) {
            for (Edge j = begin; j < end; ++j)
              failure_.guard([&] { map_job(together_[static_cast<std::size_t>(j)], pool.self() == 0); });
          },
          poll, this);
    } catch (...) {  // the first of them follows
    }
    failure_.rethrow();
    return std::move(results_);
  }

 private:
  /// A graph with more than a thread's share of the work is for all threads, or the GPU; so is one that is large
  /// enough for a GPU. Of the others every thread takes one at a time, large ones first.
  void choose_ways() {
    Edge const all = std::accumulate(requests_.begin(), requests_.end(), Edge{0},
                                     [](Edge sum, MapRequest const& request) { return sum + work_of(request); });
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      auto const& request = requests_[i];
      auto const device =
          about(i, [&] { return checked_call(*request.graph, topology_, request.options).choice.device; });
      bool const is_large = work_of(request) > all / threads_;
      (is_large || !(device.on_host() || is_small(*request.graph)) ? alone_ : together_).push_back(i);
    }
    std::ranges::stable_sort(together_, std::ranges::greater{}, [&](std::size_t i) { return work_of(requests_[i]); });
  }

  void map_alone(std::size_t i) {
    auto options = requests_[i].options;
    options.threads = wanted_;
    options.monitor = {monitor_.interrupted, {}};
    results_[i] = map(*requests_[i].graph, topology_, options);
  }

  void map_job(std::size_t i, bool of_caller) {
    auto options = requests_[i].options;
    options.monitor = job_monitor(of_caller);
    results_[i] = map_on_host(*requests_[i].graph, topology_, options);
  }

  Monitor job_monitor(bool of_caller) {
    return {
        [this, of_caller] { return failure_.stop() || (of_caller && monitor_.interrupted && monitor_.interrupted()); },
        {}};
  }

  void poll() {
    failure_.guard([&] {
      if (monitor_.interrupted && monitor_.interrupted()) throw Interrupted();
    });
  }

  std::span<MapRequest const> requests_;
  Topology const& topology_;
  int wanted_, threads_;
  Monitor const& monitor_;
  std::vector<Mapping> results_;
  std::vector<std::size_t> alone_, together_;
  FirstFailure failure_;
};

}  // namespace

std::vector<Mapping> map_many(std::span<MapRequest const> requests, Topology const& topology, int threads,
                              Monitor const& monitor) {
  return Batch(requests, topology, threads, monitor).run();
}

}  // namespace procmap
