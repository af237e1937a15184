# SPDX-License-Identifier: MIT
"""The protocol: which machines, seeds and programs every part of the evaluation has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evaluation.instance_sets import read_set, set_path

IMBALANCE = "0.03"
PAPER_HIERARCHIES = tuple(f"4:8:{nodes}" for nodes in range(1, 7))
PAPER_DISTANCE = "1:10:100"
SIZES = ("rgg_12", "rgg_14", "rgg_16", "rgg_18", "rgg_20")
RECORDED = ("rgg_17", "wave", "cont-300", "cnr-2000", "flyvis_15", "ibm14", "rgg_20")
SHAPES = tuple(entry.name for entry in read_set(set_path("shapes")))
BLOCKS = tuple((str(k), "1") for k in (8, 64, 256))
MANY_BLOCKS = tuple(2**i for i in (1, 3, 5, 7, 9, 11, 13))


@dataclass(frozen=True)
class Suite:
    """Programs x graphs x machines x seeds x threads.

    `graphs` is empty for those of the set. `machines` are (hierarchy, distance). `presets` and
    `rivals` are labels, None for all that there are; `seeds` is None for those of the command.
    """

    name: str
    question: str
    machines: tuple[tuple[str, str], ...]
    presets: tuple[str, ...] | None = None
    rivals: tuple[str, ...] | None = None
    graphs: tuple[str, ...] = ()
    seeds: tuple[int, ...] | None = None
    threads: tuple[int, ...] | None = None
    devices: tuple[str, ...] = field(default=("cpu", "cuda"))


def levels(count: int) -> tuple[str, str]:
    """Return a machine of 256 PEs with 1 to 8 levels, and distances 1, 4, 16, ..."""
    bits = [8 // count + (level < 8 % count) for level in range(count)]
    sizes = ":".join(str(2**b) for b in bits)
    return sizes, ":".join(str(4**level) for level in range(count))


PARTITIONERS = (
    "METIS",
    "KaMinPar",
    "KaMinPar-S",
    "KaMinPar-Jet",
    "KaHIP-E",
    "KaHIP-S",
    "Mt-KaHyPar",
    "Mt-KaHyPar-HQ",
)
SUITES = {
    suite.name: suite
    for suite in (
        Suite("mapping", "the paper's protocol", tuple(
            (hierarchy, PAPER_DISTANCE) for hierarchy in PAPER_HIERARCHIES)),
        Suite("partition", "edge cut of k blocks", BLOCKS,
              ("fast", "default", "strong"), PARTITIONERS, seeds=(1,)),
        Suite("shapes", "edge cut of shapes in no other set", BLOCKS,
              ("fast", "default"), ("METIS", "KaMinPar-S", "KaHIP-E", "Mt-KaHyPar"), SHAPES,
              devices=("cpu",)),
        Suite("arcs", "time as graphs grow", (("4:8:6", PAPER_DISTANCE),),
              ("im", "fast", "default"), ("SharedMap-F",), SIZES, (1,)),
        Suite("blocks", "time as k grows", tuple((str(k), "1") for k in MANY_BLOCKS),
              ("fast", "default"), ("METIS", "KaMinPar"), ("rgg_16",), (1,)),
        Suite("levels", "time as levels are added", tuple(map(levels, range(1, 9))),
              ("fast", "default"), (), ("rgg_15",), (1,)),
        Suite("threads", "time with more threads", (("4:8:6", PAPER_DISTANCE),),
              ("im", "fast", "default"), (), ("rgg_20",), (1,), (1, 2, 4, 8, 16), ("cpu",)),
        Suite("recorded", "the graphs of GPU-HeiPa's recorded figures", (
            ("4:8:6", PAPER_DISTANCE),), ("im", "hm", "hm-ultra", "fast", "default"), (), RECORDED),
    )
}  # fmt: skip


def with_machines(suite: Suite, hierarchies: Sequence[str] | None, distance: str) -> Suite:
    """Return a suite for other machines, each with as many of the distances as it has levels."""
    if hierarchies is None:
        return suite
    distances = distance.split(":")
    machines = []
    for hierarchy in hierarchies:
        count = hierarchy.count(":") + 1
        if count > len(distances):
            raise ValueError(f"{hierarchy} has {count} levels, --distance {distance} fewer")
        machines.append((hierarchy, ":".join(distances[:count])))
    return replace(suite, machines=tuple(machines))


def threads_of(suite: Suite, asked: int, cores: int) -> Sequence[int]:
    """Return the numbers of threads a suite is run with on a machine."""
    if suite.threads is None:
        return [asked]
    return [threads for threads in suite.threads if threads <= cores]
