// SPDX-License-Identifier: MIT
#include "api/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/several_weights.hpp"
#include "core/stopwatch.hpp"
#include "procmap/error.hpp"

namespace procmap {
namespace {

/// Of several weights, the excess of all as parts of what a block holds on average.
Weight excess_of_several(Report const& report) {
  auto const sum = [](std::vector<Weight> const& loads) {
    return std::accumulate(loads.begin(), loads.end(), Weight{0});
  };
  auto const excess = [&](std::vector<Weight> const& loads, std::vector<Weight> const& capacities) {
    Weight const unit[] = {sum(loads) / static_cast<Weight>(loads.size())};
    return total_excess(loads, capacities, unit);
  };
  Weight total = excess(report.block_weights, report.capacities);
  for (auto const& weight : report.further)
    total = std::min(PeCapacities::unbounded, total + excess(weight.block_weights, weight.capacities));
  return total;
}

Weight overload(Report const& report) {
  if (!report.further.empty()) return excess_of_several(report);
  Weight worst = 0;
  for (std::size_t b = 0; b < report.block_weights.size(); ++b)
    worst = std::max(worst, report.block_weights[b] - report.capacities[b]);
  return worst;
}

}  // namespace

bool is_better(Report const& a, Report const& b, double migration_cost) {
  if (a.feasible != b.feasible) return a.feasible;
  if (overload(a) != overload(b)) return overload(a) < overload(b);
  if (a.migrated_weight == b.migrated_weight) return a.cost < b.cost;
  auto const total = [&](Report const& r) {
    return static_cast<double>(r.cost) + migration_cost * static_cast<double>(r.migrated_weight);
  };
  return total(a) < total(b);
}

namespace {

class Attempts {
 public:
  Attempts(Options const& options, MapOnce const& map_once)
      : options_(options), map_once_(map_once), run_(options.monitor) {}

  Mapping run() {
    bool const timed = options_.time_limit > 0;
    int const wanted = options_.repeats > 0 ? options_.repeats : timed ? Options::max_timed_repeats : 1;
    if (timed) make_sure_of_one();
    for (int i = 0; i < wanted && !out_of_time_; ++i) {
      auto options = options_;
      options.seed += static_cast<std::uint64_t>(i);
      attempt(options, false);
    }
    for (auto& stats : attempts_) stats.kept = &stats == &attempts_[kept_];
    best_.stats = std::move(run_.stats());
    best_.stats.seconds = watch_.seconds();
    best_.stats.attempts = std::move(attempts_);
    return std::move(best_);
  }

 private:
  /// What is slower than "fast" may not be ready in time: "fast" is tried first, and always finished, though without
  /// what takes long and only makes it better once the time is over.
  void make_sure_of_one() {
    if (options_.config.method == Method::multisection) {
      auto options = options_;
      options.config = Config::preset("fast");
      attempt(options, true);
    }
  }

  void attempt(Options const& options, bool quick) {
    if (options_.time_limit > 0) {
      double const left = options_.time_limit - watch_.seconds();
      attempts_.empty() ? run_.hurry_after(left) : run_.stop_after(left);
    }
    AttemptStats stats{options.seed, quick, false, false, 0, 0};
    Stopwatch const watch;
    try {
      auto mapping = map_once_(options, run_);
      stats.finished = true;
      stats.cost = mapping.report.cost;
      if (attempts_.empty() || is_better(mapping.report, best_.report, options.migration_cost)) {
        best_ = std::move(mapping);
        kept_ = attempts_.size();
      }
    } catch (OutOfTime const&) {
      out_of_time_ = true;
    }
    stats.seconds = watch.seconds();
    attempts_.push_back(stats);
  }

  Options const& options_;
  MapOnce const& map_once_;
  Stopwatch watch_;
  Run run_;
  Mapping best_;
  std::size_t kept_ = 0;
  bool out_of_time_ = false;
  std::vector<AttemptStats> attempts_;
};

}  // namespace

void check_attempts(Options const& options) {
  if (options.repeats < 0) throw ConfigError("repeats = " + std::to_string(options.repeats) + " is negative");
  if (!std::isfinite(options.time_limit) || options.time_limit < 0)
    throw ConfigError("time_limit = " + std::to_string(options.time_limit) + " is not a finite number of seconds >= 0");
}

Mapping best_attempt(Options const& options, MapOnce const& map_once) { return Attempts(options, map_once).run(); }

}  // namespace procmap
