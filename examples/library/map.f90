! SPDX-License-Identifier: MIT
! A ring of eight tasks onto two nodes of four PEs.
program map_ring
  use, intrinsic :: iso_c_binding
  use procmap
  implicit none
  integer(c_int32_t), target :: offsets(9), heads(16)
  integer(c_int32_t) :: pes(8), i
  type(c_ptr) :: graph = c_null_ptr, machine = c_null_ptr, report = c_null_ptr
  offsets = [(2 * i, i=0, 8)]
  heads = [(mod(i + 7, 8), mod(i + 1, 8), i=0, 7)]
  if (procmap_graph_create_i32(8_c_int64_t, c_loc(offsets), c_loc(heads), c_null_ptr, c_null_ptr, graph) /= 0) &
    error stop "graph"
  if (procmap_topology_parse("4:2/1:10", machine) /= 0) error stop "machine"
  if (procmap_map(graph, machine, c_null_ptr, pes, report) /= 0) error stop "map"
  print '(a,i0,a,i0)', "J = ", procmap_report_cost(report), ", edge cut ", procmap_report_edge_cut(report)
  call procmap_report_free(report)
  call procmap_topology_free(machine)
  call procmap_graph_free(graph)
end program
