# SPDX-License-Identifier: MIT
"""The command `procmap`, with arguments of all kinds: exit codes and output are as documented."""

import contextlib
import io
import itertools
import json
import os
import tempfile
from pathlib import Path

import numpy as np

import procmap
from fuzz import metis
from procmap.cli import main

_VALUES = [
    "", "0", "1", "2", "-1", "3.5", "x", "nan", "1e400", "9" * 30, "\u0663", "-", "--", "=", "out",
    "/dev/null", "fast", "gpu", "cpu", "json", "a\nb", "\x1b[1m",
]  # fmt: skip
_MACHINES = (
    ["-H", "2:2", "-D", "1:10"], ["-H", "2:2", "-D", "10:1"], ["-H", "3", "-D", "1"], ["-H", "2:x"],
    ["--torus", "2x2"], ["--matrix", "matrix"], ["--hosts", "n[1-4]"], [],
)  # fmt: skip
_OPTIONS = (
    ["--json"], ["--json"], ["-o", "out"], ["-e", "0.5"], ["--seed", "7"], ["--preset", "fast"],
    ["--threads", "1"], ["--set", "refinement.rounds=3"], ["--allow-empty"], ["--repeats", "2"],
    ["--format", "metis"], ["--symmetrize", "sum"], ["--initial", "blocks"],
)  # fmt: skip


def command_does_what_its_exit_code_says(rng):
    """Errors are one line on stderr; results are true."""
    text = metis.text(rng)
    if rng.random() < 0.3:
        text = metis.damaged(rng, text)
    with tempfile.TemporaryDirectory() as folder, _inside(folder):
        Path("g").write_text(text, newline="")
        Path("blocks").write_text("0\n" * rng.randint(0, 9))
        Path("matrix").write_text("0 1 4\n1 0 4\n4 4 0\n")
        arguments = _arguments(rng)
        code, out, err = _run(arguments)
        assert code in range(4), f"{arguments}: exit code {code}"
        if code in (1, 2):
            assert out == "", f"{arguments}: {out}"
            lines = [line for line in err.split("\n") if line]
            assert lines, arguments
            assert lines[-1].startswith("procmap: error: "), f"{arguments}: {err}"
            assert len(lines) == 1, f"{arguments}: {err}"
            assert len(lines[-1]) < 3000, f"{arguments}: {len(err)} characters"
            return "refused"
        _check_result(arguments, out)
    return "accepted"


def _arguments(rng):
    command = rng.choice(["map", "map", "partition", "evaluate", "check", "presets", "info", "x"])
    arguments = [command]
    if command in ("map", "partition", "evaluate", "check"):
        arguments.append("g")
    if command == "evaluate":
        arguments.append("blocks")
    if command in ("map", "evaluate"):
        arguments += rng.choice(_MACHINES[:1] * 5 + _MACHINES)
    if command == "partition":
        arguments += ["-k", rng.choice(["1", "2", "3", "3", "9", "0", "x"])]
    if command in ("map", "partition") and rng.random() < 0.9:
        arguments += ["--preset", "fast", "--threads", "1"]
    for _ in range(rng.randint(0, 4) if len(arguments) > 1 else 0):
        arguments += rng.choice(_OPTIONS)
    if rng.random() < 0.3:  # something else at some place
        i = rng.randrange(len(arguments))
        arguments[i : i + rng.randint(0, 1)] = [rng.choice([*_VALUES, *itertools.chain(*_OPTIONS)])]
    return arguments


@contextlib.contextmanager
def _inside(folder):
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _run(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as exc:
            code = exc.code
    return code, out.getvalue(), err.getvalue()


def _check_result(arguments, out):
    """What JSON and the written file say is true of the graph."""
    if arguments[0] not in ("map", "partition") or "--json" not in arguments or "-h" in arguments:
        return
    values = json.loads(out)
    if not Path("out").exists() or not {"-H", "-k"} & set(arguments):
        return
    graph = procmap.read_graph(
        "g", format="metis", symmetrize="sum" if "sum" in arguments else "error"
    )
    if arguments[0] == "map":
        machine = procmap.Topology.hierarchy(
            *(arguments[arguments.index(o) + 1] for o in ("-H", "-D"))
        )
    else:
        machine = procmap.Topology.flat(int(arguments[arguments.index("-k") + 1]))
    blocks = procmap.read_mapping("out")
    tails = np.repeat(np.arange(graph.num_vertices), np.diff(graph.offsets))
    distances = machine.distance_matrix()[blocks[tails], blocks[graph.heads]]
    cost = sum(int(w) * int(d) for w, d in zip(graph.arc_weights, distances, strict=True))
    assert values["cost"] == cost, f"{arguments}: {out}"
