# SPDX-License-Identifier: MIT
"""The picture of a machine: rows of a tree, slices of a grid, or a matrix of distances."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap.mapping.page.groups import all_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.topology._topology import Topology

_TREE_CELLS, _GRID_SIDE, _SLICES, _MATRIX_SIDE = 256, 48, 16, 96


def machine_picture(
    topology: Topology, load: NDArray[np.float64], sent: NDArray[np.float64]
) -> dict[str, Any]:
    """Return what page.js draws of a machine.

    Parameters
    ----------
    topology : Topology
    load : numpy.ndarray of float64, shape (k,)
        Of every PE, 1 being the average: a cell shows that of its heaviest PE.
    sent : numpy.ndarray of float64, shape (k,)
        What every PE sends to others: a cell shows the sum.
    """
    grid = topology.grid_sizes
    if topology.sizes:
        return _tree(topology, load, sent)
    if grid:
        return _grid(grid, topology.wraps_around, load, sent)
    return _matrix(topology)


def _tree(
    topology: Topology, load: NDArray[np.float64], sent: NDArray[np.float64]
) -> dict[str, Any]:
    rows = []
    for groups in all_groups(topology):
        cells = groups.at_most(_TREE_CELLS)
        heaviest = np.zeros(len(cells.names))
        np.maximum.at(heaviest, cells.group_of_pe, load)
        rows.append(
            {
                "title": cells.title,
                "count": len(groups.names),
                "names": cells.names,
                "load": rounded(heaviest),
                "sent": rounded(cells.sums(sent)),
            }
        )
    return {"kind": "tree", "rows": rows}


def _grid(
    sizes: tuple[int, ...], wraps: bool, load: NDArray[np.float64], sent: NDArray[np.float64]
) -> dict[str, Any]:
    """Slices of the last two dimensions; successive PEs together where a dimension is long."""
    *outer, rows, columns = (1, 1, *sizes)
    slices = math.prod(outer)
    shown = (min(slices, _SLICES), min(rows, _GRID_SIDE), min(columns, _GRID_SIDE))
    index = np.unravel_index(np.arange(len(load)), (slices, rows, columns))
    whole = (slices, rows, columns)
    cell = [i * few // many for i, few, many in zip(index, shown, whole, strict=True)]
    flat = np.ravel_multi_index(tuple(cell), shown)
    heaviest = np.zeros(math.prod(shown))
    np.maximum.at(heaviest, flat, load)
    return {
        "kind": "grid",
        "sizes": list(sizes),
        "wraps": wraps,
        "shape": list(shown),
        "whole": list(whole),
        "load": rounded(heaviest),
        "sent": rounded(np.bincount(flat, sent, math.prod(shown))),
    }


def _matrix(topology: Topology) -> dict[str, Any]:
    """Distances of PEs, of evenly chosen ones where there are many."""
    k = topology.num_pes
    chosen = np.unique(np.arange(min(k, _MATRIX_SIDE)) * k // min(k, _MATRIX_SIDE)).tolist()
    values = [[topology.distance(a, b) for b in chosen] for a in chosen]
    names = topology.names
    return {
        "kind": "matrix",
        "names": [names[pe] if names else f"PE {pe}" for pe in chosen],
        "values": rounded(np.array(values, np.float64).ravel()),
        "count": k,
    }


def rounded(values: NDArray[Any]) -> list[float]:
    """Return numbers of four digits, which a picture does not outdo."""
    return [float(f"{value:.4g}") for value in np.asarray(values, np.float64).tolist()]
