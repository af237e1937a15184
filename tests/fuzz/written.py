# SPDX-License-Identifier: MIT
"""Graphs and parameters that procmap writes, read again."""

import math
import tempfile
from pathlib import Path

import numpy as np

import procmap
from fuzz import metis
from fuzz.arrays import graph


def graph_is_read_back(rng):
    """A METIS file says the graph, to another reader too."""
    made = procmap.Graph.from_csr(*graph(rng))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "g.graph")
        if rng.random() < 0.1:
            return _refused(lambda: made.write(path / "beside"), path / "beside")
        made.write(path)
        text = path.read_text()
        read = procmap.read_graph(path)
        read.write(Path(folder, "again.graph"))
        assert Path(folder, "again.graph").read_text() == text
    offsets, heads, weights, loads = metis.parse(text)
    for other in (read, procmap.Graph.from_csr(offsets, heads, weights, loads)):
        assert np.array_equal(other.offsets, made.offsets), text
        assert np.array_equal(other.heads, made.heads), text
        assert np.array_equal(other.arc_weights, made.arc_weights), text
        assert np.array_equal(other.vertex_weights, made.vertex_weights), text
    return "accepted"


def _refused(write, path):
    try:
        write()
    except procmap.FileError as exc:
        assert str(exc).startswith(str(path))
        return "refused"
    raise AssertionError("written where nothing can be")


def config_is_read_back(rng):
    """A TOML file says all parameters; one that was damaged says others, or is refused."""
    config = procmap.Config.preset(rng.choice(procmap.Config.preset_names()))
    for _ in range(rng.randint(0, 5)):
        config = config.replace(**_parameter(rng, config))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.toml")
        config.dump(path)
        assert procmap.Config.load(path) == config
        path.write_text(metis.damaged(rng, path.read_text()), newline="")
        try:
            read = procmap.Config.load(path)
        except (procmap.FileError, procmap.ConfigError) as exc:
            assert str(exc).startswith(str(path)), exc
            assert len(str(exc)) < 1000
            return "refused"
        read.dump(path)
        assert procmap.Config.load(path) == read
    return "accepted"


def _parameter(rng, config):
    """One parameter with another value that it may have."""
    sections = {name: part for name, part in config.to_dict().items() if isinstance(part, dict)}
    section = rng.choice(list(sections))
    name, value = rng.choice(list(sections[section].items()))
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value = max(1, value + rng.choice([-1, 1]))
    elif isinstance(value, float):
        value = math.nextafter(value, rng.choice([0, 2 * value + 1]))
    changed = {f"{section}__{name}": value}
    try:
        config.replace(**changed)
    except procmap.ConfigError:  # at the end of its range
        return {}
    return changed
