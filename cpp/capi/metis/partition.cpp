// SPDX-License-Identifier: MIT
#include "metis/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "metis/contiguous.hpp"
#include "metis/settings.hpp"
#include "metis/weights.hpp"

namespace procmap_metis {
namespace {

std::vector<std::int32_t> mapped(TaskGraph const& graph, Wanted const& wanted, real_t const* tpwgts) {
  auto const machine = machine_of_environment(wanted);
  auto const options = options_of_environment(wanted);
  auto const limits = capacities(graph, wanted, tpwgts);
  require_ok(procmap_options_set_capacities(options.get(), limits.data(), static_cast<std::int64_t>(limits.size())));
  std::vector<std::int32_t> part(static_cast<std::size_t>(graph.vertices()));
  require_ok(procmap_map(graph.handle.get(), machine.get(), options.get(), part.data(), nullptr));
  return part;
}

struct GraphCall {
  idx_t const *nvtxs, *ncon, *xadj, *adjncy, *vwgt, *adjwgt, *nparts;
  real_t const *tpwgts, *ubvec;
  idx_t const* options;
  idx_t *edgecut, *part;
};

int part_graph(char const* name, Scheme scheme, GraphCall const& call) {
  return guarded(name, [&](Record& record) {
    auto const ncon = required(call.ncon, "ncon");
    auto const wanted =
        read_options(scheme, ncon, required(call.nparts, "nparts"), call.tpwgts, call.ubvec, call.options);
    auto const graph = task_graph({required(call.nvtxs, "nvtxs"), wanted.first, call.xadj, call.adjncy, call.vwgt,
                                   call.adjwgt, static_cast<int>(ncon)});
    auto& edgecut = required(call.edgecut, "edgecut");
    if (graph.vertices() > 0) required(call.part, "part");
    auto const found = partition(graph, wanted, call.tpwgts, record);
    std::ranges::transform(found, call.part, [&](std::int32_t p) { return static_cast<idx_t>(p) + wanted.first; });
    edgecut = as_idx(record.cut, "edgecut");
  });
}

}  // namespace

std::vector<std::int32_t> partition(TaskGraph const& graph, Wanted const& wanted, real_t const* tpwgts,
                                    Record& record) {
  record.vertices = graph.vertices();
  record.arcs = graph.arcs();
  record.parts = wanted.parts;
  if (wanted.contiguous && !is_connected(graph))
    throw Failure(METIS_ERROR, "contiguous parts are asked for, but the graph is not connected");
  std::vector<std::int32_t> part(static_cast<std::size_t>(graph.vertices()), 0);
  if (wanted.parts > 1 && graph.vertices() > 0) part = mapped(graph, wanted, tpwgts);
  if (wanted.contiguous) make_contiguous(graph, wanted.parts, part);
  record.cut = edge_cut(graph, part);
  record.heaviest = heaviest(graph, part, wanted, tpwgts);
  return part;
}

idx_t as_idx(std::int64_t value, char const* name) {
  if (std::in_range<idx_t>(value)) return static_cast<idx_t>(value);
  set_message((std::string(name) + " = " + std::to_string(value) + " does not fit into idx_t").c_str());
  return IDX_MAX;
}

}  // namespace procmap_metis

int METIS_PartGraphKway(idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* /*vsize*/,
                        idx_t* adjwgt, idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options, idx_t* edgecut,
                        idx_t* part) {
  return procmap_metis::part_graph(
      "METIS_PartGraphKway", procmap_metis::Scheme::kway,
      {nvtxs, ncon, xadj, adjncy, vwgt, adjwgt, nparts, tpwgts, ubvec, options, edgecut, part});
}

int METIS_PartGraphRecursive(idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* /*vsize*/,
                             idx_t* adjwgt, idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options,
                             idx_t* edgecut, idx_t* part) {
  return procmap_metis::part_graph(
      "METIS_PartGraphRecursive", procmap_metis::Scheme::recursive,
      {nvtxs, ncon, xadj, adjncy, vwgt, adjwgt, nparts, tpwgts, ubvec, options, edgecut, part});
}
