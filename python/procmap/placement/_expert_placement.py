# SPDX-License-Identifier: MIT
"""Where the experts of every layer are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class ExpertPlacement:
    """Experts in the slots of GPUs, for every layer.

    Attributes
    ----------
    physical_to_logical : numpy.ndarray of int64, shape (layers, R)
        The expert in every slot. Slots ``g * R / G`` to ``(g + 1) * R / G - 1`` are on GPU g.
    replicas : numpy.ndarray of int64, shape (layers, E)
        Slots of every expert, at least 1.
    gpu_loads : numpy.ndarray of float64, shape (layers, G)
        What every GPU has to do, in the unit of the loads given.
    traffic : numpy.ndarray of float64, shape (layers,)
        J of the tokens that experts have in common; 0 if none were given.
    moves : numpy.ndarray of int64, shape (layers,)
        Slots whose expert was not on their GPU before; 0 if nothing is known of that.
    """

    physical_to_logical: NDArray[np.int64]
    replicas: NDArray[np.int64]
    gpu_loads: NDArray[np.float64]
    traffic: NDArray[np.float64]
    moves: NDArray[np.int64]

    @classmethod
    def _of(
        cls,
        slots: NDArray[np.int64],
        loads: NDArray[np.float64],
        num_gpus: int,
        traffic: list[float],
        moves: list[int],
    ) -> ExpertPlacement:
        experts = loads.shape[1]
        counts = np.array([np.bincount(row, minlength=experts) for row in slots])
        share = np.take_along_axis(loads / counts, slots, axis=1)
        gpu_loads = share.reshape(len(slots), num_gpus, -1).sum(axis=2)
        return cls(slots, counts, gpu_loads, np.array(traffic), np.array(moves, np.int64))

    @property
    def num_gpus(self) -> int:
        """Number of GPUs, G."""
        return len(self.gpu_loads[0])

    @property
    def logical_to_physical(self) -> NDArray[np.int64]:
        """Slots of every expert in ascending order, then -1, shape (layers, E, most replicas)."""
        layers, experts = self.replicas.shape
        slots = np.full((layers, experts, int(self.replicas.max())), -1, np.int64)
        for layer, row in enumerate(self.physical_to_logical):
            order = np.argsort(row, kind="stable")
            first = np.cumsum(self.replicas[layer]) - self.replicas[layer]
            slots[layer, row[order], np.arange(len(row)) - first[row[order]]] = order
        return slots

    @property
    def imbalance(self) -> NDArray[np.float64]:
        """How far the fullest GPU of every layer is above the mean, shape (layers,)."""
        mean = self.gpu_loads.mean(axis=1)
        over: NDArray[np.float64] = self.gpu_loads.max(axis=1) / np.where(mean > 0, mean, 1) - 1
        return np.where(mean > 0, over, 0.0)

    def __repr__(self) -> str:
        layers, experts = self.replicas.shape
        return (
            f"ExpertPlacement({experts} experts in {self.physical_to_logical.shape[1]} slots of "
            f"{self.num_gpus} GPUs, {layers} layers, imbalance {self.imbalance.max():.2%}, "
            f"{int(self.moves.sum())} moves)"
        )
