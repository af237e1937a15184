// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include "core/hash.hpp"
#include "multilevel/methods/laid_out.hpp"
#include "multilevel/methods/neighbourhood.hpp"
#include "multilevel/methods/slot_mapping.hpp"

// New mappings of the slots of a machine that is no hierarchy compete with each other.

namespace procmap {

/// Is the machine to be cut along all dimensions of equal length at once? That is better for integrated mapping of a
/// graph that fills space, and up to 1.25 times worse for one in the plane.
template <HostExecutor Exec>
bool cuts_at_once(Exec& ex, CsrView graph, SlotProblem const& problem, Method method) {
  auto const& guide = problem.machine.guide;
  auto const& slots = problem.slots;
  if (method != Method::integrated || guide.sizes == guide.sizes_at_once) return false;
  return fills_space(ex, graph, slots.total_weight, slots.config.coarsening, hash(slots.seed, Salt::coarsening));
}

/// A new mapping of the slots by one method; with integrated mapping, tasks laid out on a grid compete.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots_by(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective,
                                 Method method) {
  auto const& [pes, slots, machine] = problem;
  bool const at_once = cuts_at_once(ex, graph, problem, method);
  auto block = map_onto_guide(ex, graph, slots, machine, {method, at_once, slots.seed});
  auto const* const grid = method == Method::integrated && !ex.run().in_hurry() ? grid_to_lay_out_on(pes) : nullptr;
  auto other = grid ? promising_layout(ex, graph, slots, machine, *grid, block.data()) : std::nullopt;
  refine_to_the_end(ex, graph, problem, objective, block.data());
  if (!other || ex.run().in_hurry()) return block;
  exchange_after(ex, graph, slots, machine, machine.guide.sizes, 0, other->data());
  refine_to_the_end(ex, graph, problem, objective, other->data());
  auto const others = standing_of(ex, graph, slots, objective, other->data());
  return others < standing_of(ex, graph, slots, objective, block.data()) ? *std::move(other) : std::move(block);
}

template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective);

/// What the first method competes with, as neither is the better one on all graphs: the whole mapping of the preset
/// that does less, so that presets are in order. `fast` maps by the other method.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots_by_other_method(Exec& ex, CsrView graph, SlotProblem const& problem,
                                              Objective objective) {
  auto const& config = problem.slots.config;
  if (config.method == Method::integrated) return map_slots_by(ex, graph, problem, objective, Method::multisection);
  auto const preset = Config::preset(config.multisection.contains_default ? "default" : "fast");
  auto const lesser = for_slots(preset, problem.pes.topology);
  return map_slots(ex, graph, with_config(problem, lesser), objective);
}

/// The better one of both methods. The other one is refined on if it has been better so far.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots_by_both(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective) {
  auto const& slots = problem.slots;
  auto block = map_slots_by(ex, graph, problem, objective, slots.config.method);
  if (!slots.config.machine.both_methods || ex.run().in_hurry()) return block;
  auto other = map_slots_by_other_method(ex, graph, problem, objective);
  auto const others = standing_of(ex, graph, slots, objective, other.data());
  if (!(others < standing_of(ex, graph, slots, objective, block.data()))) return block;
  ex.copy(other.data(), graph.num_vertices, block.data());
  refine_to_the_end(ex, graph, problem, objective, block.data());
  bool const was_better = others < standing_of(ex, graph, slots, objective, block.data());
  return was_better ? std::move(other) : std::move(block);
}

/// The best of `count` quick first mappings of other seeds, by both guides in turn: which parts of the graph lie beside
/// each other on the machine is decided here, and refinement mostly keeps it.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> best_start(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective, int count) {
  auto const quick = for_slots(Config::preset("fast"), problem.pes.topology);
  auto const slots = with_config(problem.slots, quick, problem.slots.fixed);
  std::optional<Buffer<Exec, Block>> best;
  Standing best_standing;
  for (int start = 0; start < count && !(start > 0 && ex.run().in_hurry()); ++start) {
    auto const seed = hash(slots.seed, Salt::slot_start, static_cast<std::uint64_t>(start));
    auto block = map_onto_guide(ex, graph, slots, problem.machine, {Method::integrated, start % 2 == 0, seed});
    auto const standing = standing_of(ex, graph, slots, objective, block.data());
    if (best && !(standing < best_standing)) continue;
    best = std::move(block);
    best_standing = standing;
  }
  return *std::move(best);
}

/// A new mapping of the slots.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective) {
  auto const& slots = problem.slots;
  auto block = map_slots_by_both(ex, graph, problem, objective);
  int const count = slots.config.machine.more_starts;
  if (count == 0 || ex.run().in_hurry()) return block;
  auto other = best_start(ex, graph, problem, objective, count);
  refine_to_the_end(ex, graph, problem, objective, other.data());
  auto const others = standing_of(ex, graph, slots, objective, other.data());
  return others < standing_of(ex, graph, slots, objective, block.data()) ? std::move(other) : std::move(block);
}

}  // namespace procmap
