# SPDX-License-Identifier: MIT
"""Numbers that several files must agree about: limits of the core, and sizes of work at a time."""

from __future__ import annotations

# Of the core, which has the last word; here they are asked for before anything large is made.
MAX_VERTICES = 2**31 - 1
MAX_PES = 2**22  # and blocks
MAX_TABLE = 10_000  # rows of a table of distances
MAX_DISTANCE = 2**31 - 1  # an entry of it, and what grids cost
WEIGHT_LIMIT = 2**62  # sums of weights, and J, are below

MAX_ARCS = 2**48  # as an argument: beyond any machine, and far from an overflow
GATHER_ARCS = 2**26  # that one rank can hold, if nobody says otherwise
PIECE = 2**22  # numbers, rows or arcs taken together: what is made of them is small
