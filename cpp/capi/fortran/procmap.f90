! SPDX-License-Identifier: MIT
!
! procmap for Fortran 2003 and later: the functions of procmap.h. Compile this file with the program; CMake's
! procmap::fortran does.
!
! Handles are of type(c_ptr) and start as c_null_ptr. Optional arrays are passed as c_loc(array), or c_null_ptr for none.
! Vertices and PEs count from 0, as in C.
module procmap
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_char, c_null_char, c_int, c_int32_t, c_int64_t, c_double, &
                                         c_size_t, c_f_pointer, c_associated
  implicit none
  private

  integer(c_int), parameter, public :: procmap_abi = 1

  integer(c_int), parameter, public :: procmap_ok = 0
  integer(c_int), parameter, public :: procmap_error_argument = 1
  integer(c_int), parameter, public :: procmap_error_graph = 2
  integer(c_int), parameter, public :: procmap_error_topology = 3
  integer(c_int), parameter, public :: procmap_error_option = 4
  integer(c_int), parameter, public :: procmap_error_device = 5
  integer(c_int), parameter, public :: procmap_error_memory = 6
  integer(c_int), parameter, public :: procmap_error_file = 7
  integer(c_int), parameter, public :: procmap_error_overflow = 8
  integer(c_int), parameter, public :: procmap_error_interrupted = 9
  integer(c_int), parameter, public :: procmap_error_internal = 10

  public :: procmap_abi_version, procmap_message, procmap_version_text
  public :: procmap_graph_create_i32, procmap_graph_create_i64, procmap_graph_wrap, procmap_graph_read_metis
  public :: procmap_graph_free, procmap_graph_num_vertices, procmap_graph_num_edges, procmap_graph_total_vertex_weight
  public :: procmap_graph_with_weights, procmap_graph_num_weights, procmap_graph_total_weight
  public :: procmap_topology_hierarchy, procmap_topology_flat, procmap_topology_torus, procmap_topology_mesh
  public :: procmap_topology_matrix, procmap_topology_parse, procmap_topology_free
  public :: procmap_topology_num_pes, procmap_topology_distance
  public :: procmap_options_create, procmap_options_set, procmap_options_set_int, procmap_options_set_real
  public :: procmap_options_set_capacities, procmap_options_set_fixed, procmap_options_set_initial
  public :: procmap_options_set_vertex_sizes, procmap_options_set_imbalances, procmap_options_free
  public :: procmap_map, procmap_partition, procmap_evaluate
  public :: procmap_report_free, procmap_report_cost, procmap_report_edge_cut, procmap_report_max_block_weight
  public :: procmap_report_capacity, procmap_report_imbalance, procmap_report_feasible, procmap_report_seconds
  public :: procmap_report_num_weights, procmap_report_max_block_weight_of, procmap_report_capacity_of
  public :: procmap_report_imbalance_of

  interface
    integer(c_int) function procmap_abi_version() bind(c)
      import :: c_int
    end function

    ! offsets, heads and weights are addresses: c_loc(array), or c_null_ptr for weights that are all 1.
    integer(c_int) function procmap_graph_create_i32(num_vertices, offsets, heads, edge_weights, vertex_weights, graph) &
      bind(c)
      import :: c_int, c_int64_t, c_ptr
      integer(c_int64_t), value :: num_vertices
      type(c_ptr), value :: offsets, heads, edge_weights, vertex_weights
      type(c_ptr), intent(inout) :: graph
    end function
    integer(c_int) function procmap_graph_create_i64(num_vertices, offsets, heads, edge_weights, vertex_weights, graph) &
      bind(c)
      import :: c_int, c_int64_t, c_ptr
      integer(c_int64_t), value :: num_vertices
      type(c_ptr), value :: offsets, heads, edge_weights, vertex_weights
      type(c_ptr), intent(inout) :: graph
    end function
    integer(c_int) function procmap_graph_wrap(num_vertices, offsets, heads, edge_weights, vertex_weights, graph) bind(c)
      import :: c_int, c_int64_t, c_ptr
      integer(c_int64_t), value :: num_vertices
      type(c_ptr), value :: offsets, heads, edge_weights, vertex_weights
      type(c_ptr), intent(inout) :: graph
    end function
    ! The same edges with weights(num_weights, num_vertices), of which all are balanced.
    integer(c_int) function procmap_graph_with_weights(graph, num_weights, weights, new_graph) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: graph
      integer(c_int), value :: num_weights
      integer(c_int64_t), intent(in) :: weights(num_weights, *)
      type(c_ptr), intent(inout) :: new_graph
    end function
    subroutine procmap_graph_free(graph) bind(c)
      import :: c_ptr
      type(c_ptr), value :: graph
    end subroutine
    integer(c_int64_t) function procmap_graph_num_vertices(graph) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: graph
    end function
    integer(c_int64_t) function procmap_graph_num_edges(graph) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: graph
    end function
    integer(c_int64_t) function procmap_graph_total_vertex_weight(graph) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: graph
    end function
    integer(c_int) function procmap_graph_num_weights(graph) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: graph
    end function
    ! Weights of a vertex count from 0.
    integer(c_int64_t) function procmap_graph_total_weight(graph, weight) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: graph
      integer(c_int), value :: weight
    end function

    integer(c_int) function procmap_topology_hierarchy(num_levels, sizes, distances, topology) bind(c)
      import :: c_int, c_int32_t, c_int64_t, c_ptr
      integer(c_int), value :: num_levels
      integer(c_int32_t), intent(in) :: sizes(*)
      integer(c_int64_t), intent(in) :: distances(*)
      type(c_ptr), intent(inout) :: topology
    end function
    integer(c_int) function procmap_topology_flat(num_pes, topology) bind(c)
      import :: c_int, c_int32_t, c_ptr
      integer(c_int32_t), value :: num_pes
      type(c_ptr), intent(inout) :: topology
    end function
    integer(c_int) function procmap_topology_torus(num_dimensions, sizes, costs, topology) bind(c)
      import :: c_int, c_int32_t, c_ptr
      integer(c_int), value :: num_dimensions
      integer(c_int32_t), intent(in) :: sizes(*)
      type(c_ptr), value :: costs
      type(c_ptr), intent(inout) :: topology
    end function
    integer(c_int) function procmap_topology_mesh(num_dimensions, sizes, costs, topology) bind(c)
      import :: c_int, c_int32_t, c_ptr
      integer(c_int), value :: num_dimensions
      integer(c_int32_t), intent(in) :: sizes(*)
      type(c_ptr), value :: costs
      type(c_ptr), intent(inout) :: topology
    end function
    integer(c_int) function procmap_topology_matrix(num_pes, distances, topology) bind(c)
      import :: c_int, c_int32_t, c_int64_t, c_ptr
      integer(c_int32_t), value :: num_pes
      integer(c_int64_t), intent(in) :: distances(*)
      type(c_ptr), intent(inout) :: topology
    end function
    subroutine procmap_topology_free(topology) bind(c)
      import :: c_ptr
      type(c_ptr), value :: topology
    end subroutine
    integer(c_int32_t) function procmap_topology_num_pes(topology) bind(c)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: topology
    end function
    integer(c_int) function procmap_topology_distance(topology, a, b, distance) bind(c)
      import :: c_int, c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: topology
      integer(c_int32_t), value :: a, b
      integer(c_int64_t), intent(inout) :: distance
    end function

    integer(c_int) function procmap_options_create(options) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: options
    end function
    subroutine procmap_options_free(options) bind(c)
      import :: c_ptr
      type(c_ptr), value :: options
    end subroutine
    ! Arrays as addresses again; c_null_ptr and 0 for none.
    integer(c_int) function procmap_options_set_capacities(options, capacities, size) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: options, capacities
      integer(c_int64_t), value :: size
    end function
    integer(c_int) function procmap_options_set_imbalances(options, imbalances, num_weights) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: options, imbalances
      integer(c_int), value :: num_weights
    end function
    integer(c_int) function procmap_options_set_fixed(options, pes, num_vertices) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: options, pes
      integer(c_int64_t), value :: num_vertices
    end function
    integer(c_int) function procmap_options_set_initial(options, pes, num_vertices) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: options, pes
      integer(c_int64_t), value :: num_vertices
    end function
    integer(c_int) function procmap_options_set_vertex_sizes(options, sizes, num_vertices) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: options, sizes
      integer(c_int64_t), value :: num_vertices
    end function

    ! options may be c_null_ptr: defaults.
    integer(c_int) function c_map(graph, topology, options, pes, report) bind(c, name="procmap_map")
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: graph, topology, options
      integer(c_int32_t), intent(inout) :: pes(*)
      type(c_ptr), value :: report
    end function
    integer(c_int) function c_partition(graph, num_blocks, options, blocks, report) bind(c, name="procmap_partition")
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: graph, options
      integer(c_int32_t), value :: num_blocks
      integer(c_int32_t), intent(inout) :: blocks(*)
      type(c_ptr), value :: report
    end function
    integer(c_int) function procmap_evaluate(graph, topology, options, pes, report) bind(c)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: graph, topology, options
      integer(c_int32_t), intent(in) :: pes(*)
      type(c_ptr), intent(inout) :: report
    end function

    subroutine procmap_report_free(report) bind(c)
      import :: c_ptr
      type(c_ptr), value :: report
    end subroutine
    integer(c_int64_t) function procmap_report_cost(report) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: report
    end function
    integer(c_int64_t) function procmap_report_edge_cut(report) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: report
    end function
    integer(c_int64_t) function procmap_report_max_block_weight(report) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: report
    end function
    integer(c_int64_t) function procmap_report_capacity(report) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: report
    end function
    real(c_double) function procmap_report_imbalance(report) bind(c)
      import :: c_double, c_ptr
      type(c_ptr), value :: report
    end function
    integer(c_int) function procmap_report_feasible(report) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: report
    end function
    ! The same figures of any weight of a vertex, counting from 0.
    integer(c_int) function procmap_report_num_weights(report) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: report
    end function
    integer(c_int64_t) function procmap_report_max_block_weight_of(report, weight) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: report
      integer(c_int), value :: weight
    end function
    integer(c_int64_t) function procmap_report_capacity_of(report, weight) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: report
      integer(c_int), value :: weight
    end function
    real(c_double) function procmap_report_imbalance_of(report, weight) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: report
      integer(c_int), value :: weight
    end function
    real(c_double) function procmap_report_seconds(report) bind(c)
      import :: c_double, c_ptr
      type(c_ptr), value :: report
    end function

    ! What follows has a friendlier form below.
    type(c_ptr) function c_last_message() bind(c, name="procmap_last_message")
      import :: c_ptr
    end function
    type(c_ptr) function c_version() bind(c, name="procmap_version")
      import :: c_ptr
    end function
    integer(c_int) function c_read_metis(path, graph) bind(c, name="procmap_graph_read_metis")
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: graph
    end function
    integer(c_int) function c_parse(text, topology) bind(c, name="procmap_topology_parse")
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr), intent(inout) :: topology
    end function
    integer(c_int) function c_set(options, name, text) bind(c, name="procmap_options_set")
      import :: c_int, c_char, c_ptr
      type(c_ptr), value :: options
      character(kind=c_char), intent(in) :: name(*), text(*)
    end function
    integer(c_int) function c_set_int(options, name, number) bind(c, name="procmap_options_set_int")
      import :: c_int, c_int64_t, c_char, c_ptr
      type(c_ptr), value :: options
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: number
    end function
    integer(c_int) function c_set_real(options, name, number) bind(c, name="procmap_options_set_real")
      import :: c_int, c_double, c_char, c_ptr
      type(c_ptr), value :: options
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), value :: number
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  ! What the last call complained of; empty if it succeeded.
  function procmap_message() result(text)
    character(len=:), allocatable :: text
    text = fortran_text(c_last_message())
  end function

  function procmap_version_text() result(text)
    character(len=:), allocatable :: text
    text = fortran_text(c_version())
  end function

  integer(c_int) function procmap_graph_read_metis(path, graph) result(status)
    character(len=*), intent(in) :: path
    type(c_ptr), intent(inout) :: graph
    status = c_read_metis(path // c_null_char, graph)
  end function

  ! Such as "4:8:6/1:10:100".
  integer(c_int) function procmap_topology_parse(text, topology) result(status)
    character(len=*), intent(in) :: text
    type(c_ptr), intent(inout) :: topology
    status = c_parse(text // c_null_char, topology)
  end function

  integer(c_int) function procmap_options_set(options, name, text) result(status)
    type(c_ptr), intent(in) :: options
    character(len=*), intent(in) :: name, text
    status = c_set(options, name // c_null_char, text // c_null_char)
  end function

  integer(c_int) function procmap_options_set_int(options, name, number) result(status)
    type(c_ptr), intent(in) :: options
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: number
    status = c_set_int(options, name // c_null_char, number)
  end function

  integer(c_int) function procmap_options_set_real(options, name, number) result(status)
    type(c_ptr), intent(in) :: options
    character(len=*), intent(in) :: name
    real(c_double), intent(in) :: number
    status = c_set_real(options, name // c_null_char, number)
  end function

  ! pes: the PE of every vertex, counting from 0. report: free it with procmap_report_free.
  integer(c_int) function procmap_map(graph, topology, options, pes, report) result(status)
    use, intrinsic :: iso_c_binding, only: c_loc
    type(c_ptr), intent(in) :: graph, topology, options
    integer(c_int32_t), intent(inout) :: pes(*)
    type(c_ptr), intent(inout), target, optional :: report
    type(c_ptr) :: where_to
    where_to = c_null_ptr
    if (present(report)) where_to = c_loc(report)
    status = c_map(graph, topology, options, pes, where_to)
  end function

  integer(c_int) function procmap_partition(graph, num_blocks, options, blocks, report) result(status)
    use, intrinsic :: iso_c_binding, only: c_loc
    type(c_ptr), intent(in) :: graph, options
    integer(c_int32_t), intent(in) :: num_blocks
    integer(c_int32_t), intent(inout) :: blocks(*)
    type(c_ptr), intent(inout), target, optional :: report
    type(c_ptr) :: where_to
    where_to = c_null_ptr
    if (present(report)) where_to = c_loc(report)
    status = c_partition(graph, num_blocks, options, blocks, where_to)
  end function

  function fortran_text(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i
    call c_f_pointer(pointer, characters, [c_strlen(pointer)])
    allocate (character(len=size(characters)) :: text)
    do i = 1, size(characters)
      text(i:i) = characters(i)
    end do
  end function

end module procmap
