// SPDX-License-Identifier: MIT
#include <utility>

#include "rank_arrays.hpp"

namespace procmap::python {

namespace {

GivenRows given_rows(GlobalVertex first, GlobalVertex num_vertices, Array<Edge> const& offsets, py::array const& heads,
                     py::array const& arc_weights) {
  return {first, num_vertices, view(offsets), integers(heads), integers(arc_weights)};
}

// A function of rows as a user gives them, by the name `name`.
template <class F>
void def_of_given_rows(py::module_& m, char const* name, F f) {
  m.def(
      name,
      [f](GlobalVertex first, GlobalVertex n, Array<Edge> const& offsets, py::array const& heads,
          py::array const& weights) { return f(given_rows(first, n, offsets, heads, weights)); },
      py::arg("first"), py::arg("num_vertices"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"));
}

}  // namespace

void bind_rank_rows(py::module_& m) {
  def_of_given_rows(m, "tidy_rows",
                    [](GivenRows const& given) { return tuple_of(unlocked([&] { return tidy_rows(given); })); });
  def_of_given_rows(m, "arc_balance",
                    [](GivenRows const& given) { return owned(unlocked([&] { return arc_balance(given); })); });
  def_of_given_rows(m, "reverse_arcs",
                    [](GivenRows const& given) { return tuple_of(unlocked([&] { return reverse_arcs(given); })); });
  m.def(
      "check_reverse",
      [](GlobalVertex first, GlobalVertex n, Array<Edge> const& offsets, py::array const& heads,
         py::array const& weights, Ids const& from, Ids const& to, Weights const& expected) {
        auto const given = given_rows(first, n, offsets, heads, weights);
        auto const tails = view(from);
        auto const ends = view(to);
        auto const values = view(expected);
        unlocked([&] { check_reverse(given, tails, ends, values); });
      },
      py::arg("first"), py::arg("num_vertices"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"),
      py::arg("from_"), py::arg("to"), py::arg("expected"));
  m.def(
      "ghosts_of",
      [](GlobalVertex first, GlobalVertex count, py::array const& heads) {
        auto const ends = integers(heads);
        return owned(unlocked([&] { return ghosts_of({first, count}, ends); }));
      },
      py::arg("first"), py::arg("count"), py::arg("heads"));
  m.def(
      "local_heads",
      [](GlobalVertex first, GlobalVertex count, py::array const& heads, Ids const& ghosts) {
        auto const ends = integers(heads);
        auto const known = view(ghosts);
        return owned(unlocked([&] { return local_heads({first, count}, ends, known); }));
      },
      py::arg("first"), py::arg("count"), py::arg("heads"), py::arg("ghosts"));
  py::class_<HeldRows>(m, "RankRows", "The rows of a rank, with local heads.")
      .def(py::init([](GlobalVertex first, Array<Edge> offsets, Array<Vertex> heads, py::array arc_weights,
                       Weights vertex_weights, Ids ghosts) {
             return HeldRows{first,
                             std::move(offsets),
                             std::move(heads),
                             std::move(arc_weights),
                             std::move(vertex_weights),
                             std::move(ghosts)};
           }),
           py::arg("first"), py::arg("offsets"), py::arg("heads"), py::arg("arc_weights"), py::arg("vertex_weights"),
           py::arg("ghosts"));
  m.def(
      "selected_rows",
      [](HeldRows const& held, Flags const& inside, py::array const& number, Vertex begin, std::size_t enough) {
        auto const rows = held.rows();
        auto const which = view(inside);
        auto const numbers = integers(number);
        auto found = unlocked([&] { return selected_rows(rows, which, numbers, begin, enough); });
        return py::make_tuple(tuple_of(std::move(found.rows)), found.next);
      },
      py::arg("rows"), py::arg("inside"), py::arg("number"), py::arg("begin"), py::arg("enough"));
}

}  // namespace procmap::python
