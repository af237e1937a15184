# SPDX-License-Identifier: MIT
"""Calls of METIS's functions in the library, with arrays of NumPy."""

import ctypes

import numpy as np

from library_tools import soname_file

PLACES = {"SEED": 8, "CONTIG": 11, "UFACTOR": 16}  # of METIS's options
WIDTHS = {
    "": (np.int32, np.float32),
    "_i32r64": (np.int32, np.float64),
    "_i64r32": (np.int64, np.float32),
    "_i64r64": (np.int64, np.float64),
}


def options_with(index, **settings):
    """Return options as METIS takes them, -1 but for those named."""
    options = np.full(40, -1, index)
    for name, value in settings.items():
        options[PLACES[name]] = value
    return options


def part_graph(metis, graph, nparts, function="METIS_PartGraphKway", **settings):
    """Return the code and the parts of a call, options given by their names."""
    library = ctypes.CDLL(str(metis))
    offsets, heads = (np.asarray(array, np.int32) for array in (graph.offsets, graph.heads))
    options = options_with(np.int32, **settings)
    part = np.full(len(offsets) - 1, -1, np.int32)
    size, constraints, blocks, cut = (
        ctypes.byref(ctypes.c_int32(value)) for value in (len(part), 1, nparts, 0)
    )
    xadj, adjncy, opts, out = (
        array.ctypes.data_as(ctypes.c_void_p) for array in (offsets, heads, options, part)
    )
    code = library[function](
        size, constraints, xadj, adjncy, None, None, None, blocks, None, None, opts, cut, out
    )
    return code, part


def weighted_parts(libraries, graph, weights, nparts, function, widths="", **arrays):
    """Return code, message and parts of a call with rows of weights; other arrays by name."""
    index, real = WIDTHS[widths]
    library = ctypes.CDLL(str(soname_file(libraries, f"libprocmap_metis{widths}")))
    library.procmap_metis_message.restype = ctypes.c_char_p
    kept = [np.asarray(array, index) for array in (graph.offsets, graph.heads, weights)]
    part = np.full(len(kept[0]) - 1, -1, index)
    numbers = [np.array(number, index) for number in (len(part), kept[2].shape[1], nparts, 0)]
    reals = [
        np.asarray(arrays[name], real) if name in arrays else None for name in ("tpwgts", "ubvec")
    ]
    options = np.asarray(arrays.get("options", options_with(index)), index)
    xadj, adjncy, vwgt, n, ncon, k, cut, out, opts, shares, factors = (
        None if array is None else array.ctypes.data_as(ctypes.c_void_p)
        for array in (*kept, *numbers, part, options, *reals)
    )
    code = library[function](
        n, ncon, xadj, adjncy, vwgt, None, None, k, shares, factors, opts, cut, out
    )
    return code, library.procmap_metis_message().decode(), part


def pieces(graph, part):
    """Return the number of connected pieces of all parts."""
    seen = np.zeros(len(part), bool)
    count = 0
    for root in range(len(part)):
        count += not seen[root]
        stack = [root] * (not seen[root])
        seen[root] = True
        while stack:
            v = stack.pop()
            for u in graph.heads[graph.offsets[v] : graph.offsets[v + 1]]:
                if not seen[u] and part[u] == part[v]:
                    seen[u] = True
                    stack.append(u)
    return count
