// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "metis/mesh_graphs.hpp"
#include "metis/partition.hpp"

namespace procmap_metis {
namespace {

struct FreeMemory {
  void operator()(idx_t* values) const { std::free(values); }
};
using Allocated = std::unique_ptr<idx_t, FreeMemory>;

/// A copy for METIS_Free, with `first` added.
Allocated allocated(std::vector<idx_t> const& values, idx_t first) {
  auto* const memory = static_cast<idx_t*>(std::malloc(std::max<std::size_t>(values.size(), 1) * sizeof(idx_t)));
  if (memory == nullptr) throw std::bad_alloc();
  std::ranges::transform(values, memory, [first](idx_t value) { return value + first; });
  return Allocated(memory);
}

void give(Lists const& graph, idx_t first, idx_t** xadj, idx_t** adjncy) {
  auto offsets = allocated(graph.offsets, first);
  auto heads = allocated(graph.values, first);
  *xadj = offsets.release();
  *adjncy = heads.release();
}

/// METIS counts from 1 if the flag is 1 and from 0 if it is anything else.
idx_t first_number(idx_t const* numflag) { return required(numflag, "numflag") == 1 ? 1 : 0; }

enum class Rows { elements, nodes };

struct MeshCall {
  idx_t const *ne, *nn, *eptr, *eind, *vwgt, *ncommon, *nparts;
  real_t const* tpwgts;
  idx_t const* options;
  idx_t *objval, *epart, *npart;
};

/// Here METIS counts from 1 if the option is anything but 0. If that is neither meant nor so, it finds a negative size
/// and has no memory for it.
idx_t first_number_of_mesh(MeshCall const& call) {
  auto const numbering = option(call.options, METIS_OPTION_NUMBERING, 0);
  if (numbering != 0 && numbering != 1 && required(call.eptr, "eptr") != 1)
    throw Failure(METIS_ERROR_MEMORY,
                  "options[METIS_OPTION_NUMBERING] = " + std::to_string(numbering) + " is not in [0, 1]");
  return numbering != 0 ? 1 : 0;
}

/// METIS says no more than METIS_ERROR of what is wrong with the options here.
Wanted read_mesh_options(MeshCall const& call) {
  std::array<idx_t, METIS_NOPTIONS> options;
  options.fill(-1);
  if (call.options) std::copy_n(call.options, METIS_NOPTIONS, options.begin());
  options[METIS_OPTION_NUMBERING] = 0;  // whoever calls counts from it
  bool const kway = option(options.data(), METIS_OPTION_PTYPE, METIS_PTYPE_KWAY) == METIS_PTYPE_KWAY;
  auto const nparts = required(call.nparts, "nparts");
  try {
    return read_options(kway ? Scheme::kway : Scheme::recursive, 1, nparts, call.tpwgts, nullptr, options.data());
  } catch (Failure const& failure) {
    throw Failure(METIS_ERROR, failure.what());
  }
}

/// Rows are columns' owners in turn: a row goes to the part that most of its members are in, unless that has as many
/// rows as it should have and another part of its members has fewer for its size. Rows without members go where the
/// fewest are.
std::vector<std::int32_t> follow(Lists const& members, std::vector<std::int32_t> const& part_of_member,
                                 std::int64_t parts, real_t const* tpwgts) {
  std::vector<std::int64_t> room(static_cast<std::size_t>(parts));
  for (std::size_t p = 0; p < room.size(); ++p) {
    auto const rows = members.rows();
    room[p] = 1 + (tpwgts ? static_cast<std::int64_t>(static_cast<double>(rows) * tpwgts[p]) : rows / parts);
  }
  std::vector<std::int32_t> part(static_cast<std::size_t>(members.rows()), -1);
  std::vector<std::int64_t> votes(room.size(), 0);
  std::vector<std::int32_t> candidates;
  auto const assign = [&](std::int64_t row, std::int32_t to) {
    part[static_cast<std::size_t>(row)] = to;
    --room[static_cast<std::size_t>(to)];
  };
  auto const count_votes = [&](std::int64_t row) {
    for (auto const p : candidates) votes[static_cast<std::size_t>(p)] = 0;
    candidates.clear();
    for (auto const* member = members.begin(row); member != members.end(row); ++member) {
      auto const p = part_of_member[static_cast<std::size_t>(*member)];
      if (votes[static_cast<std::size_t>(p)]++ == 0) candidates.push_back(p);
    }
  };
  auto const room_of = [&](std::int32_t p) { return room[static_cast<std::size_t>(p)]; };
  // Those without a choice first.
  for (std::int64_t row = 0; row < members.rows(); ++row) {
    count_votes(row);
    if (candidates.size() == 1) assign(row, candidates[0]);
  }
  for (std::int64_t row = 0; row < members.rows(); ++row) {
    if (part[static_cast<std::size_t>(row)] >= 0 || members.size(row) == 0) continue;
    count_votes(row);
    auto best =
        *std::ranges::max_element(candidates, {}, [&](std::int32_t p) { return votes[static_cast<std::size_t>(p)]; });
    if (room_of(best) <= 0) best = *std::ranges::max_element(candidates, {}, room_of);
    assign(row, best);
  }
  for (std::int64_t row = 0; row < members.rows(); ++row)
    if (part[static_cast<std::size_t>(row)] < 0)
      assign(row, static_cast<std::int32_t>(std::ranges::max_element(room) - room.begin()));
  return part;
}

void store(std::vector<std::int32_t> const& part, idx_t first, idx_t* result) {
  std::ranges::transform(part, result, [first](std::int32_t p) { return static_cast<idx_t>(p) + first; });
}

int part_mesh(char const* name, Rows rows, MeshCall const& call) {
  return guarded(name, [&](Record& record) {
    auto const first = first_number_of_mesh(call);
    auto const mesh = read_mesh(call.ne, call.nn, call.eptr, call.eind, first);
    bool const dual = rows == Rows::elements;
    auto const neighbours = dual ? dual_graph(mesh, required(call.ncommon, "ncommon")) : nodal_graph(mesh);
    auto const wanted = read_mesh_options(call);
    auto const graph =
        task_graph({neighbours.rows(), 0, neighbours.offsets.data(), neighbours.values.data(), call.vwgt, nullptr});
    auto& objval = required(call.objval, "objval");
    required(call.epart, "epart");
    required(call.npart, "npart");
    auto const part = partition(graph, wanted, call.tpwgts, record);
    auto const followers = follow(dual ? mesh.elements : mesh.nodes, part, wanted.parts, call.tpwgts);
    store(dual ? part : followers, first, call.epart);
    store(dual ? followers : part, first, call.npart);
    objval = as_idx(record.cut, "objval");
  });
}

}  // namespace
}  // namespace procmap_metis

using namespace procmap_metis;

int METIS_MeshToDual(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* ncommon, idx_t* numflag, idx_t** r_xadj,
                     idx_t** r_adjncy) {
  return guarded("METIS_MeshToDual", [&](Record&) {
    required(r_xadj, "r_xadj") = nullptr;
    required(r_adjncy, "r_adjncy") = nullptr;
    auto const first = first_number(numflag);
    give(dual_graph(read_mesh(ne, nn, eptr, eind, first), required(ncommon, "ncommon")), first, r_xadj, r_adjncy);
  });
}

int METIS_MeshToNodal(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* numflag, idx_t** r_xadj,
                      idx_t** r_adjncy) {
  return guarded("METIS_MeshToNodal", [&](Record&) {
    required(r_xadj, "r_xadj") = nullptr;
    required(r_adjncy, "r_adjncy") = nullptr;
    auto const first = first_number(numflag);
    give(nodal_graph(read_mesh(ne, nn, eptr, eind, first)), first, r_xadj, r_adjncy);
  });
}

int METIS_PartMeshDual(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* /*vsize*/, idx_t* ncommon,
                       idx_t* nparts, real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart) {
  return part_mesh("METIS_PartMeshDual", Rows::elements,
                   {ne, nn, eptr, eind, vwgt, ncommon, nparts, tpwgts, options, objval, epart, npart});
}

int METIS_PartMeshNodal(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* /*vsize*/, idx_t* nparts,
                        real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart) {
  return part_mesh("METIS_PartMeshNodal", Rows::nodes,
                   {ne, nn, eptr, eind, vwgt, nullptr, nparts, tpwgts, options, objval, epart, npart});
}

int METIS_Free(void* ptr) {
  std::free(ptr);
  return METIS_OK;
}
