// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"
#include "multilevel/task.hpp"
#include "refinement/places/distances.hpp"
#include "topology/guide.hpp"

namespace procmap {

/// Any machine as the engine sees it: its blocks are the slots of the guide.
struct SlotMachine {
  MachineGuide guide;
  Topology hierarchy;            // of the slots; the machine itself if that is one
  Topology hierarchy_at_once;    // the same where a level cuts all dimensions of equal length
  PlaceDistances distance;       // of the slots
};

template <HostExecutor Exec>
SlotMachine make_slot_machine(Exec& ex, Topology const& topology, MachineConfig const& config) {
  Phase phase(ex.run(), "machine");
  auto guide = make_guide(topology, config.guide_parts);
  auto const of_slots = [&](std::vector<Block> const& sizes) {
    return topology.is_hierarchy() ? topology : hierarchy_of_slots(sizes);
  };
  auto hierarchy = of_slots(guide.sizes), hierarchy_at_once = of_slots(guide.sizes_at_once);
  PlaceDistances distance(topology, guide.pe_of_slot, config.exchange_places, host_team(ex));
  return {std::move(guide), std::move(hierarchy), std::move(hierarchy_at_once), std::move(distance)};
}

template <HostExecutor Exec>
Buffer<Exec, Block> upload_blocks(Exec& ex, std::vector<Block> const& values) {
  auto buffer = ex.template buffer<Block>(values.size());
  ex.upload(values.data(), static_cast<Edge>(values.size()), buffer.data());
  return buffer;
}

/// renamed[i] = new_name[block[i]], where there is a block.
template <HostExecutor Exec>
void rename_blocks(Exec& ex, Block const* new_name, Edge n, Block const* block, Block* renamed) {
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge i) { renamed[i] = block[i] == no_block ? no_block : new_name[block[i]]; });
}

/// Every block b becomes new_name[b].
template <HostExecutor Exec>
void rename_blocks(Exec& ex, std::vector<Block> const& new_name, Edge n, Block* block) {
  auto const names = upload_blocks(ex, new_name);
  rename_blocks(ex, names.data(), n, block, block);
}

/// The other way round; slots of no PE are left out.
inline std::vector<Block> slots_of_pes(std::vector<Block> const& pe_of_slot, Block num_pes) {
  std::vector<Block> slot_of_pe(static_cast<std::size_t>(num_pes));
  for (std::size_t slot = 0; slot < pe_of_slot.size(); ++slot)
    if (pe_of_slot[slot] != no_block) slot_of_pe[static_cast<std::size_t>(pe_of_slot[slot])] = static_cast<Block>(slot);
  return slot_of_pe;
}

/// A mapping task in which slots take the place of PEs; those of no PE are forbidden.
template <HostExecutor Exec>
class SlotTask {
 public:
  SlotTask(SlotTask const&) = delete;  // `task` refers to members
  SlotTask& operator=(SlotTask const&) = delete;
  SlotTask(Exec& ex, Vertex n, MappingTask const& pes, Topology const& hierarchy, std::vector<Block> const& pe_of_slot)
      : capacities_(pes.capacities.reordered(pe_of_slot)),
        several_(pes.several.reordered(pe_of_slot)),
        task{hierarchy, capacities_, pes.total_weight, pes.config, pes.seed, nullptr, {}, several_} {
    auto const slot_of = upload_blocks(ex, slots_of_pes(pe_of_slot, pes.topology.num_pes()));
    auto const size = static_cast<std::size_t>(n);
    if (pes.fixed) {
      fixed_ = ex.template buffer<Block>(size);
      rename_blocks(ex, slot_of.data(), n, pes.fixed, fixed_.data());
      task.fixed = fixed_.data();
    }
    task.skew = pes.skew;
    if (!pes.given.pe) return;
    given_ = ex.template buffer<Block>(size);
    rename_blocks(ex, slot_of.data(), n, pes.given.pe, given_.data());
    // The refuge of a slot is the slot of the refuge of its PE.
    refuge_ = ex.template buffer<Block>(pe_of_slot.size());
    auto const pe_of = upload_blocks(ex, pe_of_slot);
    auto const k = static_cast<Edge>(pe_of_slot.size());
    rename_blocks(ex, pes.given.refuge, k, pe_of.data(), refuge_.data());
    rename_blocks(ex, slot_of.data(), k, refuge_.data(), refuge_.data());
    task.given = {given_.data(), refuge_.data(), pes.given.pull};
  }

 private:
  PeCapacities capacities_;
  SeveralWeights several_;
  Buffer<Exec, Block> fixed_, given_, refuge_;

 public:
  MappingTask task;
};

}  // namespace procmap
