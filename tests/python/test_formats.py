# SPDX-License-Identifier: MIT
"""Every kind of file is in the type that editors complete and in the text that help() shows."""

from typing import get_args

import pytest

from procmap import (
    Config,
    ConfigError,
    Graph,
    Topology,
    graph,
    launchers,
    read_traffic,
    topology,
    traffic,
)
from procmap.config._fields import Preset
from procmap.mapping import _files


@pytest.mark.parametrize(
    ("io", "literal"),
    [
        (graph.io, graph.io.FileFormat),
        (topology.io, topology.io.TopologyFormat),
        (traffic.io, traffic.io.TrafficFormat),
    ],
)
def test_types_and_tables_name_all_formats(io, literal):
    names = [known.name for known in io.FORMATS]

    assert sorted(names) == sorted(get_args(literal))
    assert all(f'"{name}"' in io.__doc__ for name in names)
    if io is graph.io:
        ends = [end for known in io.FORMATS[1:] for end in known.suffixes]
        assert all(end in io.__doc__ for end in ends)


def test_tables_name_all_launchers_and_files_of_mappings():
    tables = launchers.__doc__ + _files.__doc__

    assert all(f'"{name}"' in tables for name in _files.FORMATS)


def names_in(literal):
    """Names of a Literal, or of a union of several."""
    return {name for part in get_args(literal) for name in get_args(part) or [part]}


@pytest.mark.parametrize(
    ("literal", "names"),
    [
        (_files.MappingFormat, _files.FORMATS),
        (launchers.StartFormat, launchers.STARTERS),
        (launchers.LauncherFormat, launchers.LAUNCHERS),
        (Preset, Config.preset_names()),
    ],
)
def test_type_checkers_know_every_name(literal, names):
    assert names_in(literal) == set(names)


@pytest.mark.parametrize(
    "read",
    [Graph.read, Topology.read, read_traffic],
)
def test_unknown_formats_are_refused_before_the_file_is_looked_for(read):
    with pytest.raises(ConfigError, match=r"format must be one of .*, got 'x'"):
        read("no such file", format="x")
