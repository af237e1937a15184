# SPDX-License-Identifier: MIT
"""The C++ library of the package: programs in C, C++ and Fortran, symbols, METIS's functions."""

import ctypes
import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import procmap
from library import metis_conformance

EXAMPLES = Path(__file__).parents[3] / "examples" / "library"
SOURCES = Path(metis_conformance.__file__).parent
METIS = Path("/usr/lib/x86_64-linux-gnu/libmetis.so.5")
RING = (
    "J = 52, edge cut 8\n"  # 8 tasks, 2 nodes of 4 PEs: 6 edges of distance 1, 2 of 10, both ways
)

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
needs_fortran = pytest.mark.skipif(shutil.which("gfortran") is None, reason="there is no gfortran")


@pytest.fixture(scope="module")
def libraries():
    try:
        return Path(procmap.get_library_dir())
    except FileNotFoundError as exc:
        pytest.skip(str(exc))


def run(command, **settings):
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=os.environ | settings, timeout=120
    )
    return done.stdout


def link(library, folder):
    """Return what makes a compiler link this file: wheels know no links named libNAME.so."""
    return [library, f"-Wl,-rpath,{library.parent}", "-o", folder / "program"]


def soname_file(libraries, name):
    (found,) = libraries.glob(f"{name}.so.*")
    return found


@needs_compiler
def test_c99(libraries, tmp_path):
    options = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", f"-I{procmap.get_include()}"]
    run(["cc", *options, EXAMPLES / "map.c", *link(soname_file(libraries, "libprocmap"), tmp_path)])

    assert run([tmp_path / "program"]) == RING


@needs_fortran
def test_fortran(libraries, tmp_path):
    module = Path(procmap.get_include(), "procmap", "procmap.f90")
    sources = [f"-J{tmp_path}", "-std=f2008", "-Wall", module, EXAMPLES / "map.f90"]
    run(["gfortran", *sources, *link(soname_file(libraries, "libprocmap"), tmp_path)])

    assert run([tmp_path / "program"]) == RING


@needs_fortran
def test_several_weights_in_fortran(libraries, tmp_path):
    module = Path(procmap.get_include(), "procmap", "procmap.f90")
    sources = [f"-J{tmp_path}", "-std=f2008", "-Wall", module, SOURCES / "several_weights.f90"]
    run(["gfortran", *sources, *link(soname_file(libraries, "libprocmap"), tmp_path)])

    assert run([tmp_path / "program"]).splitlines() == [
        "num_weights = 9 is not in [1, 8]",
        "2 weights of 8 and 16",
        *("edge cut 2", "4 of 4, 0.00", "8 of 10, 0.00", "0 of 0, 0.00", "in block 0: 4 and 8"),
        *("edge cut 2", "4 of 4, 0.00", "12 of 12, 0.50", "0 of 0, 0.00", "in block 0: 4 and 4"),
    ]


@needs_compiler
def test_cmake_finds_everything(libraries, tmp_path):  # noqa: ARG001
    """C, C++, METIS's interface, and Fortran if there is a compiler."""
    run(["cmake", "-S", EXAMPLES, "-B", tmp_path, f"-Dprocmap_DIR={procmap.get_cmake_dir()}"])
    run(["cmake", "--build", tmp_path])

    assert run([tmp_path / "map_c"]) == RING
    assert run([tmp_path / "map_cpp"]).startswith("J = ")
    assert run([tmp_path / "partition_metis"]) == "edge cut 2\n"


def dynamic_symbols(library, *flags):
    return [line.split() for line in run(["nm", "-D", *flags, library]).splitlines()]


@needs_compiler
def test_only_the_interfaces_are_visible(libraries):
    """Nothing of the engine, and nothing of the standard library that could meet another's."""
    names = {
        words[-1]
        for words in dynamic_symbols(soname_file(libraries, "libprocmap"), "--defined-only")
    }

    assert {
        name
        for name in names
        if not re.match(r"procmap_|_ZT?[NISV]?N?K?7procmap|_ZNK?7procmap", name)
    } == set()
    for library in libraries.glob("libprocmap_metis*.so.*"):
        names = {words[-1] for words in dynamic_symbols(library, "--defined-only")}
        assert {
            name for name in names if not re.match(r"METIS_|metis_|procmap_metis_", name)
        } == set()
    (module,) = Path(procmap.__file__).parent.glob("_core*.so")
    assert [words[-1] for words in dynamic_symbols(module, "--defined-only")] == ["PyInit__core"]


def test_libraries_name_their_version(libraries):
    assert (
        soname_file(libraries, "libprocmap").name
        == f"libprocmap.so.{procmap.__version__.rsplit('.', 1)[0]}"
    )
    assert sorted(path.name for path in libraries.glob("libprocmap_metis*.so.*")) == [
        f"libprocmap_metis{widths}.so.5" for widths in ("", "_i32r64", "_i64r32", "_i64r64")
    ]


# Functions that glibc 2.28 has too, under an older version or in libdl and libpthread, or that a
# compiler for it would not call: a wheel is built where the oldest glibc is, and this finds what
# could not be built there.
MOVED_SINCE = {
    "__libc_single_threaded", "dladdr", "dlclose", "dlerror", "dlopen", "dlsym", "fstat", "lstat",
    "pthread_cond_clockwait", "pthread_create", "pthread_detach", "pthread_join",
    "pthread_key_create", "pthread_mutex_trylock", "pthread_once", "stat",
}  # fmt: skip


@needs_compiler
def test_runs_with_glibc_of_2018(libraries):
    """Nothing is called that glibc 2.28 (manylinux_2_28) has not got."""
    files = [*libraries.glob("*.so.*"), *Path(procmap.__file__).parent.glob("_core*.so")]
    for file in files:
        for words in dynamic_symbols(file, "--undefined-only"):
            found = re.fullmatch(r"(\w+)@+GLIBC_2\.(\d+)", words[-1].split(".so")[0])
            if found and int(found[2]) > 28:
                assert found[1] in MOVED_SINCE, f"{file.name} needs {words[-1]}"


def test_needs_no_avx(libraries):
    """No instruction that the first x86-64 processors had not got."""
    if shutil.which("objdump") is None or os.uname().machine != "x86_64":
        pytest.skip("needs objdump and x86-64")
    text = run(["objdump", "-d", "--no-show-raw-insn", soname_file(libraries, "libprocmap")])

    assert re.search(r"%[yz]mm\d|\tv(mov|add|p|broadcast)", text) is None


# ---- METIS's functions ----


@pytest.fixture
def metis(libraries):
    return soname_file(libraries, "libprocmap_metis")


@needs_compiler
def test_answers_as_metis_does(metis, tmp_path, monkeypatch):
    """A sample; tests/library/metis_conformance.py makes as many calls as one likes."""
    monkeypatch.setenv("PROCMAP_PRESET", "fast")
    monkeypatch.setenv("PROCMAP_THREADS", "1")
    original = METIS if METIS.exists() else None
    if original is None:
        program = metis_conformance.build(tmp_path)
        outcomes = {
            case.outcome.split()[0] for case in metis_conformance.run(program, metis, 0, 160)
        }
        assert outcomes == {"code"}
        return
    table, mistakes = metis_conformance.compare(metis, original, 0, 400)

    assert mistakes == []
    assert "| PartGraphKway | legal | code 1 | code 1 |" in table


@pytest.fixture
def program(metis, tmp_path):
    include = Path(procmap.get_include(), "procmap", "metis")
    run(["cc", f"-I{include}", EXAMPLES / "partition_metis.c", *link(metis, tmp_path)])
    return tmp_path / "program"


def refused(program, **settings):
    done = subprocess.run(
        [program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | settings,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


SEED, CONTIG, UFACTOR = 8, 11, 16  # places in options[]


def part_graph(metis, graph, nparts, function="METIS_PartGraphKway", **settings):
    """Return the code and the parts of a call, options given by their places."""
    library = ctypes.CDLL(str(metis))
    offsets, heads = (np.asarray(array, np.int32) for array in (graph.offsets, graph.heads))
    options = np.full(40, -1, np.int32)
    for name, value in settings.items():
        options[globals()[name]] = value
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


def random_tree(n, seed):
    parents = [np.random.default_rng((seed, v)).integers(v) for v in range(1, n)]
    return procmap.Graph.from_edges(np.stack([np.arange(1, n), parents], axis=1))


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


@pytest.mark.parametrize("seed", range(3))
def test_contiguous_parts_are_in_one_piece(metis, seed):
    tree = random_tree(400, seed)
    scattered, together = (part_graph(metis, tree, 9, CONTIG=value) for value in (0, 1))

    assert (scattered[0], together[0]) == (1, 1)
    assert pieces(tree, scattered[1]) > 9  # else this tests nothing
    assert pieces(tree, together[1]) == len(np.unique(together[1])) == 9


@pytest.mark.parametrize(
    ("parts", "slack", "machine"),
    [
        (12, 1, "2:2:3/1:1:1"),
        (12, 30, "flat:12"),
        (4, 1, "flat:4"),
        (11, 1, "flat:11"),
        (1024, 1, "4:4:2:2:2:2:2:2/1:1:1:1:1:1:1:1"),
    ],
)
def test_many_parts_of_little_slack_are_split_step_by_step(
    metis, monkeypatch, parts, slack, machine
):
    tree = random_tree(1500, 0)

    def found():
        return part_graph(metis, tree, parts, "METIS_PartGraphRecursive", UFACTOR=slack)

    by_itself = found()
    monkeypatch.setenv("PROCMAP_TOPOLOGY", machine)

    assert by_itself[0] == found()[0] == 1
    np.testing.assert_array_equal(by_itself[1], found()[1])


def test_parts_of_a_graph_in_pieces_cannot_be_contiguous(metis):
    two_edges = procmap.Graph.from_edges([[0, 1], [2, 3]])

    assert part_graph(metis, two_edges, 2, CONTIG=1)[0] == -4
    assert part_graph(metis, two_edges, 2, CONTIG=0)[0] == 1


def test_metis_functions_may_be_called_by_many_threads(metis):
    tree = random_tree(2000, 0)

    def parts(seed):
        code, part = part_graph(metis, tree, 7, SEED=seed)
        assert code == 1
        return part.tobytes()

    seeds = [1, 2, 3, 4] * 3
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(parts, seeds))

    assert together == [parts(seed) for seed in seeds]
    assert len(set(together)) == 4


WIDTHS = {
    "": (np.int32, np.float32),
    "_i32r64": (np.int32, np.float64),
    "_i64r32": (np.int64, np.float32),
    "_i64r64": (np.int64, np.float64),
}


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
    options = np.asarray(arrays.get("options", np.full(40, -1)), index)
    xadj, adjncy, vwgt, n, ncon, k, cut, out, opts, shares, factors = (
        None if array is None else array.ctypes.data_as(ctypes.c_void_p)
        for array in (*kept, *numbers, part, options, *reals)
    )
    code = library[function](
        n, ncon, xadj, adjncy, vwgt, None, None, k, shares, factors, opts, cut, out
    )
    return code, library.procmap_metis_message().decode(), part


def two_phases(side=24):
    """A grid whose left half alone has anything of the second weight."""
    vertex = np.arange(side * side).reshape(side, side)
    edges = np.concatenate(
        [
            np.stack([a.ravel(), b.ravel()], axis=1)
            for a, b in ((vertex[1:], vertex[:-1]), (vertex[:, 1:], vertex[:, :-1]))
        ]
    )
    loads = np.stack([np.ones(side * side), 5 * (vertex % side < side // 2).ravel()], axis=1)
    return procmap.Graph.from_edges(edges), loads.astype(int)


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("function", ["METIS_PartGraphKway", "METIS_PartGraphRecursive"])
def test_several_constraints_are_all_kept(libraries, function, widths):
    grid, loads = two_phases()
    totals = loads.sum(axis=0)
    shares = np.array([[0.4, 0.1], [0.2, 0.3], [0.4, 0.6]])
    factors = np.array([1.02, 1.1])

    code, message, part = weighted_parts(
        libraries, grid, loads, 3, function, widths, tpwgts=shares, ubvec=factors
    )

    assert (code, message) == (1, "")
    at_each = (
        2 if function.endswith("Recursive") else 1
    )  # 3 parts: two bisections, one in the other
    limits = np.ceil(factors**at_each * shares * totals)
    held = np.stack([np.bincount(part, weights=column, minlength=3) for column in loads.T], axis=1)
    assert (held <= limits).all(), (held, limits)


def test_several_constraints_are_what_the_library_itself_balances(libraries):
    grid, loads = two_phases()
    _, _, part = weighted_parts(libraries, grid, loads, 4, "METIS_PartGraphKway")
    expected = procmap.partition(grid, 4, vertex_weights=loads, imbalance=0.03, device="cpu")

    np.testing.assert_array_equal(part, expected.blocks)


def test_constraints_of_nothing_count_for_nothing(libraries):
    grid, loads = two_phases()
    nothing = np.zeros(len(loads), int)
    shares = np.array([[0.5, 0.9, 0.1], [0.5, 0.1, 0.9]])

    def parts(*columns, **arrays):
        rows = np.stack(columns, axis=1)
        code, _, part = weighted_parts(libraries, grid, rows, 2, "METIS_PartGraphKway", **arrays)
        assert code == 1
        return part

    np.testing.assert_array_equal(parts(nothing, loads[:, 1]), parts(loads[:, 1]))
    np.testing.assert_array_equal(
        parts(nothing, nothing, loads[:, 0], tpwgts=shares),
        parts(loads[:, 0], tpwgts=shares[:, 2:]),
    )
    assert np.bincount(parts(nothing, nothing)).tolist() == [288, 288]


@pytest.mark.parametrize(
    ("count", "arrays", "message"),
    [
        (9, {}, "ncon = 9: procmap balances at most 8 weights per vertex"),
        (2, {"ubvec": [1.1, 0.5]}, "ubvec[1] = 0.500000 is not at least 1"),
        (
            2,
            {"tpwgts": [0.5, 0.5, 0.5, 0.2]},
            "the sum of tpwgts of constraint 1, 0.700000, is not 1",
        ),
        (2, {"tpwgts": [0.5, 1.0, 0.5, 0.0]}, "tpwgts[3] = 0.000000 is not above 0"),
    ],
)
def test_what_is_wrong_with_several_constraints_is_named(libraries, count, arrays, message):
    grid, _ = two_phases(4)
    loads = np.ones((16, count), int)

    code, said, part = weighted_parts(libraries, grid, loads, 2, "METIS_PartGraphKway", **arrays)

    assert (code, said) == (-2, message)
    assert (part == -1).all()
    loads[3, 1] = -7
    assert weighted_parts(libraries, grid, loads[:, :2], 2, "METIS_PartGraphKway")[:2] == (
        -2,
        "vwgt[7] = -7 is negative",
    )


def test_several_constraints_are_mapped_onto_a_machine(libraries, monkeypatch):
    grid, loads = two_phases(8)
    monkeypatch.setenv("PROCMAP_TOPOLOGY", "2:2/1:10")
    code, _, part = weighted_parts(libraries, grid, loads, 4, "METIS_PartGraphKway")

    machine = procmap.Topology.hierarchy("2:2", "1:10")
    expected = procmap.map(grid, machine, vertex_weights=loads, imbalance=0.03, device="cpu")
    assert code == 1
    np.testing.assert_array_equal(part, expected.blocks)


def test_parts_of_several_constraints_are_in_one_piece(libraries):
    grid, loads = two_phases(16)
    contiguous = np.full(40, -1)
    contiguous[CONTIG] = 1
    scattered, together = (
        weighted_parts(libraries, grid, loads, 9, "METIS_PartGraphKway", options=options)
        for options in (np.full(40, -1), contiguous)
    )

    assert (scattered[0], together[0]) == (1, 1)
    assert pieces(grid, scattered[2]) > 9  # else this tests nothing
    assert pieces(grid, together[2]) == 9


@needs_compiler
def test_the_environment_chooses_preset_and_machine(program, tmp_path):
    log = tmp_path / "log"

    assert run([program], PROCMAP_METIS_LOG=str(log), PROCMAP_TOPOLOGY="2/1") == "edge cut 2\n"
    assert "fastest" in refused(program, PROCMAP_PRESET="fastest")
    assert "PROCMAP_TOPOLOGY=4:8/1:10 has 32 PEs, but nparts = 2" in refused(
        program, PROCMAP_TOPOLOGY="4:8/1:10", PROCMAP_METIS_LOG=str(log)
    )
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["code"] for line in lines] == [1, -2]
    assert lines[0] | {"seconds": 0} == {
        "function": "METIS_PartGraphKway", "code": 1, "vertices": 8, "arcs": 16, "parts": 2,
        "cut": 2, "heaviest": 1.0, "seconds": 0, "message": "",
    }  # fmt: skip


@needs_compiler
def test_takes_the_place_of_libmetis(metis, tmp_path, program):
    """As a library of METIS's name in a folder that the loader searches first."""
    if not METIS.exists():
        pytest.skip("there is no libmetis5")
    include = Path(procmap.get_include(), "procmap", "metis")
    source = tmp_path / "order.c"
    source.write_text(
        "#include <metis.h>\n#include <stdio.h>\n"
        "int main(void) { idx_t n = 3, x[] = {0, 1, 3, 4}, a[] = {1, 0, 2, 1}, p[3], q[3];\n"
        'printf("%d", METIS_NodeND(&n, x, a, NULL, NULL, p, q)); return 0; }\n'
    )
    run(["cc", f"-I{include}", source, *link(metis, tmp_path)])
    (tmp_path / "libmetis.so.5").symlink_to(metis)

    assert run([program], PROCMAP_METIS_ORIGINAL="/nowhere.so") == "-4"
    # Found although this library has taken its name.
    assert run([program], LD_LIBRARY_PATH=str(tmp_path)) == "1"
