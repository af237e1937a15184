! SPDX-License-Identifier: MIT
! A ring of eight tasks in two blocks. All take as long, the first four need memory too; both weights are balanced.
program several_weights
  use, intrinsic :: iso_c_binding
  use procmap
  implicit none
  integer(c_int32_t), target :: offsets(9), heads(16)
  integer(c_int64_t), target :: capacities(4) = [4, 4, 4, 12]  ! weights of block 0, then of block 1
  integer(c_int64_t) :: weights(2, 8), far_too_many(9, 8) = 1
  real(c_double), target :: imbalances(2) = [0.0_c_double, 0.25_c_double]
  integer(c_int32_t) :: blocks(8), i
  type(c_ptr) :: ring = c_null_ptr, graph = c_null_ptr, options = c_null_ptr
  offsets = [(2 * i, i=0, 8)]
  heads = [(mod(i + 7, 8), mod(i + 1, 8), i=0, 7)]
  weights(1, :) = 1
  weights(2, :) = [4, 4, 4, 4, 0, 0, 0, 0]
  if (procmap_graph_create_i32(8_c_int64_t, c_loc(offsets), c_loc(heads), c_null_ptr, c_null_ptr, ring) /= 0) &
    error stop "ring"
  if (procmap_graph_with_weights(ring, 9, far_too_many, graph) == 0) error stop "nine weights"
  print '(a)', procmap_message()
  if (procmap_graph_with_weights(ring, 2, weights, graph) /= 0) error stop "graph"
  print '(i0,a,i0,a,i0)', procmap_graph_num_weights(graph), " weights of ", procmap_graph_total_weight(graph, 0), &
    " and ", procmap_graph_total_weight(graph, 1)
  if (procmap_options_create(options) /= 0) error stop "options"
  if (procmap_options_set_imbalances(options, c_loc(imbalances), 2) /= 0) error stop "imbalances"
  call show()
  if (procmap_options_set_imbalances(options, c_null_ptr, 0) /= 0) error stop "no imbalances"
  if (procmap_options_set_capacities(options, c_loc(capacities), 4_c_int64_t) /= 0) error stop "capacities"
  call show()
  call procmap_options_free(options)
  call procmap_graph_free(graph)
  call procmap_graph_free(ring)

contains

  subroutine show()
    type(c_ptr) :: report = c_null_ptr
    integer(c_int) :: weight
    if (procmap_partition(graph, 2, options, blocks, report) /= 0) error stop "partition"
    print '(a,i0)', "edge cut ", procmap_report_edge_cut(report)
    do weight = 0, procmap_report_num_weights(report)  ! one more than there are
      print '(i0,a,i0,a,f4.2)', procmap_report_max_block_weight_of(report, weight), " of ", &
        procmap_report_capacity_of(report, weight), ", ", procmap_report_imbalance_of(report, weight)
    end do
    print '(a,i0,a,i0)', "in block 0: ", sum(weights(1, :), mask=blocks == 0), " and ", sum(weights(2, :), mask=blocks == 0)
    call procmap_report_free(report)
  end subroutine

end program
