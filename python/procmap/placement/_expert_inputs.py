# SPDX-License-Identifier: MIT
"""What `place_experts` is given, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_array, as_integer, as_real
from procmap._util.errors import ConfigError
from procmap._util.messages import shown
from procmap.placement._expert_placement import ExpertPlacement
from procmap.placement._numbers import as_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap.topology._topology import Topology


@dataclass(frozen=True)
class Size:
    """Numbers of layers, experts, slots and GPUs."""

    layers: int
    experts: int
    slots: int
    gpus: int

    @classmethod
    def of(cls, loads: NDArray[np.float64], machine: Topology, num_slots: int | None) -> Size:
        """Return them; the fewest slots that hold all experts if there is no number."""
        layers, experts = loads.shape
        gpus = machine.num_pes
        if num_slots is None:
            return cls(layers, experts, -(-experts // gpus) * gpus, gpus)
        slots = as_integer(num_slots, "num_slots", experts, 2**20, ConfigError)
        if slots % gpus:
            raise ConfigError(f"num_slots = {slots} is no multiple of the number of GPUs, {gpus}")
        return cls(layers, experts, slots, gpus)


def as_loads(load: ArrayLike) -> NDArray[np.float64]:
    """Return the loads of all layers, shape (layers, E)."""
    loads = np.atleast_2d(as_numbers(load, "load"))
    if loads.ndim != 2 or not loads.size:
        raise ConfigError(f"load must have shape (layers, E) or (E,), got {loads.shape}")
    with np.errstate(over="ignore"):
        beyond = np.isinf(loads.sum(axis=1))
    if beyond.any():
        name = f"load[{int(np.argmax(beyond))}]" if np.ndim(load) == 2 else "load"
        raise OverflowError(f"the sum of {name} is beyond the range of floats, 1.8e308")
    return loads


def as_amount(value: object, name: str) -> float:
    """Return a finite number >= 0."""
    number = as_real(value, name, ConfigError)
    if not 0 <= number < float("inf"):
        raise ConfigError(f"{name} must be a finite number >= 0, got {shown(value)}")
    return number


def as_coactivation(values: ArrayLike | None, size: Size) -> NDArray[np.float64] | None:
    """Return a matrix for every layer, or one for all."""
    if values is None:
        return None
    pairs = as_numbers(values, "coactivation")
    pairs = pairs[None] if pairs.ndim == 2 else pairs
    square = (size.experts, size.experts)
    if pairs.ndim != 3 or pairs.shape[1:] != square or len(pairs) not in (1, size.layers):
        raise ConfigError(
            f"coactivation must have shape {square} or {(size.layers, *square)}, got "
            f"{np.shape(values)}"
        )
    uneven = pairs != pairs.transpose(0, 2, 1)
    if uneven.any():
        layer, a, b = np.argwhere(uneven)[0].tolist()
        raise ConfigError(
            f"coactivation must be symmetric, but [{a}, {b}] is {pairs[layer, a, b]} and [{b}, "
            f"{a}] is {pairs[layer, b, a]} in layer {layer}"
        )
    own = np.eye(size.experts, dtype=bool)
    return np.where(own, 0.0, pairs)


def check_range(pairs: NDArray[np.float64], distances: NDArray[np.float64]) -> None:
    """Refuse coactivation whose J may be no finite float, or may be 0 though it is not."""
    far = float(distances.max(initial=0))
    with np.errstate(over="ignore"):
        totals = pairs.sum(axis=(1, 2))
        most = totals * far
    lost = (most == 0) & (totals > 0) & (far > 0)
    if (lost | np.isinf(totals) | np.isinf(most)).any():
        raise OverflowError(
            "coactivation times distance may be beyond the range of floats, 5e-324 to 1.8e308; "
            "give one of them in another unit"
        )


def as_old(old: ArrayLike | ExpertPlacement | None, size: Size) -> NDArray[np.int64] | None:
    """Return the old slots, shape (layers, R)."""
    if old is None:
        return None
    values: Any = old.physical_to_logical if isinstance(old, ExpertPlacement) else old
    slots = np.atleast_2d(as_array(values, "old", ConfigError))
    if slots.shape != (size.layers, size.slots) or slots.dtype.kind not in "iu":
        raise ConfigError(
            f"old must hold integers, shape {(size.layers, size.slots)}, got {slots.dtype} of "
            f"shape {slots.shape}"
        )
    bad = (slots < -1) | (slots >= size.experts)
    if bad.any():
        layer, slot = np.argwhere(bad)[0]
        raise ConfigError(
            f"old[{layer}, {slot}] = {slots[layer, slot]} is not in [-1, {size.experts})"
        )
    return slots.astype(np.int64)


def held(slots: NDArray[np.int64], size: Size) -> NDArray[np.bool_]:
    """Return which GPU has the weights of which expert, shape (E, G)."""
    held = np.zeros((size.experts, size.gpus), bool)
    known = slots >= 0
    held[slots[known], (np.arange(size.slots) // (size.slots // size.gpus))[known]] = True
    return held


def as_groups(
    groups: int | None, nodes: int | None, size: Size, machine: Topology
) -> tuple[int, int] | None:
    """Return the numbers of groups and nodes, if there are groups."""
    if groups is None:
        return None
    count = as_integer(groups, "groups", 1, size.experts, ConfigError)
    hosts = len(machine.places.hosts) if machine.places else (*machine.sizes, 1)[-2:][0]
    node_count = as_integer(hosts if nodes is None else nodes, "nodes", 1, size.gpus, ConfigError)
    if size.experts % count or count % node_count or size.gpus % node_count:
        raise ConfigError(
            f"{size.experts} experts in groups = {count} cannot be dealt out to nodes = "
            f"{node_count} of {size.gpus} GPUs: the numbers must divide each other"
        )
    return count, node_count
