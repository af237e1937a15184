# SPDX-License-Identifier: MIT
"""`ExpertPolicy`: the load balancers of vLLM and SGLang call this instead of their own.

Sources: the signatures in vLLM's documentation of ``vllm.distributed.eplb.policy.abstract``, in
SGLang's ``sglang.srt.eplb.eplb_algorithms`` and in the README of deepseek-ai/EPLB.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_array, as_flag, as_integer, check_numbers
from procmap._util.errors import ConfigError
from procmap._util.messages import form_of
from procmap.placement._expert_inputs import as_amount
from procmap.placement._experts import MOVE_COST, place_experts
from procmap.topology._check import require_topology
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap.placement._expert_placement import ExpertPlacement

_WITHIN, _BETWEEN = 1, 10  # distances of the GPUs of a node and of others, if nothing is known


class ExpertPolicy:
    """A load balancer of experts, with the interfaces of vLLM, SGLang and DeepSeek's EPLB.

    Tensors go in and come out, on the device where they were; NumPy arrays as well.

    Parameters
    ----------
    topology : Topology, optional
        The GPUs, in the order of ranks of the expert-parallel group; otherwise nodes of equally
        many GPUs, ten times as far from each other as GPUs of a node.
    coactivation : array_like, optional
        See `place_experts`.
    imbalance, move_cost
        See `place_experts`.
    keep_groups : bool
        Whether groups of experts stay on a node where the numbers allow it, as the balancers of
        vLLM and SGLang (``deepseek_hierarchical``) do. It saves traffic between nodes if routing is
        limited to groups, and costs balance.
    remember : bool
        Whether the last placement that this object made counts as the old one where the caller
        does not say what slots hold, as SGLang does not. Then it serves one model; otherwise it
        keeps nothing between calls and serves all.

    Raises
    ------
    ConfigError
        If `imbalance` or `move_cost` is malformed; of the methods: if another argument is.

    Examples
    --------
    vLLM, before the engine is made::

        from vllm.distributed.eplb import policy as eplb
        eplb.EPLB_POLICIES["default"] = procmap.placement.ExpertPolicy()

    SGLang::

        from sglang.srt.eplb import eplb_algorithms
        policy = procmap.placement.ExpertPolicy(remember=True)
        eplb_algorithms.rebalance_experts = policy.sglang
    """

    def __init__(
        self,
        topology: Topology | None = None,
        *,
        coactivation: ArrayLike | None = None,
        imbalance: float = 0.005,
        move_cost: float = MOVE_COST,
        keep_groups: bool = True,
        remember: bool = False,
    ) -> None:
        if topology is not None:
            require_topology(topology)
        self._topology = topology
        self._keep_groups = as_flag(keep_groups, "keep_groups")
        self._remember = as_flag(remember, "remember")
        self._last: dict[tuple[int, ...], NDArray[np.int64]] = {}  # by the shape of the loads
        self._options: dict[str, Any] = {
            "coactivation": coactivation,
            "imbalance": as_amount(imbalance, "imbalance"),
            "move_cost": as_amount(move_cost, "move_cost"),
        }

    def rebalance_experts(
        self,
        weight: Any,
        num_replicas: int,
        num_groups: int,
        num_nodes: int,
        num_ranks: int,
        old_global_expert_indices: Any = None,
    ) -> Any:
        """Do as ``rebalance_experts`` of vLLM's policies.

        Parameters
        ----------
        weight : tensor, shape (layers, E)
            Load of every expert.
        num_replicas : int
            R, slots of all ranks; a multiple of `num_ranks`.
        num_groups, num_nodes, num_ranks : int
            Groups of experts (0 or 1 for none), nodes and GPUs.
        old_global_expert_indices : tensor of int, shape (layers, R), optional
            The experts in the slots today. One of another shape, as after a change of the number
            of slots, does not count.

        Returns
        -------
        tensor of int64, shape (layers, R)
            The expert in every slot. Older versions of vLLM want three tensors: give them an
            object whose ``rebalance_experts`` is `deepseek`.
        """
        counts = num_replicas, num_groups, num_nodes, num_ranks
        placement = self._placed(weight, counts, old_global_expert_indices)
        return _like(placement.physical_to_logical, weight)

    def deepseek(
        self,
        weight: Any,
        num_replicas: int,
        num_groups: int,
        num_nodes: int,
        num_gpus: int,
        old_global_expert_indices: Any = None,
    ) -> tuple[Any, Any, Any]:
        """Do as ``rebalance_experts`` of DeepSeek's EPLB, and of older versions of vLLM.

        Returns
        -------
        physical_to_logical : tensor of int64, shape (layers, R)
            The expert in every slot.
        logical_to_physical : tensor of int64, shape (layers, E, most replicas)
            Slots of every expert, then -1.
        count : tensor of int64, shape (layers, E)
            Replicas of every expert.
        """
        counts = num_replicas, num_groups, num_nodes, num_gpus
        return _maps(self._placed(weight, counts, old_global_expert_indices), weight)

    def sglang(
        self,
        tokens_per_expert: Any,
        num_physical_experts: int,
        num_local_physical_experts: int,
        num_groups: int | None,
        num_nodes: int,
        algorithm: object = None,
    ) -> tuple[Any, Any, Any]:
        """Do as ``eplb_algorithms.rebalance_experts`` of SGLang.

        Parameters
        ----------
        tokens_per_expert : tensor, shape (steps, layers, E)
            Load of every expert in every step.
        num_physical_experts, num_local_physical_experts : int
            Slots of all GPUs and of one.
        num_groups : int, optional
            Groups of experts.
        num_nodes : int
            Nodes.
        algorithm : optional
            Ignored.

        Returns
        -------
        tuple of tensors
            As `deepseek`.
        """
        del algorithm
        local = as_integer(
            num_local_physical_experts, "num_local_physical_experts", 0, None, ConfigError
        )
        every = as_integer(num_physical_experts, "num_physical_experts", 0, None, ConfigError)
        if local < 1 or every % local:
            raise ConfigError(
                f"num_physical_experts = {every} is no multiple of "
                f"num_local_physical_experts = {local}"
            )
        ranks = every // local
        steps = _as_loads(tokens_per_expert, "tokens_per_expert", "(steps, layers, E)")
        load = steps.sum(axis=0, dtype=np.float64)
        placement = self._placed(load, (every, num_groups or 0, num_nodes, ranks))
        return _maps(placement, tokens_per_expert)

    def _placed(
        self, weight: Any, counts: tuple[int, int, int, int], old: Any = None
    ) -> ExpertPlacement:
        names = ("num_replicas", "num_groups", "num_nodes", "num_ranks")
        slots, groups, nodes, ranks = (
            as_integer(count, name, least, None, ConfigError)
            for count, name, least in zip(counts, names, (0, 0, 1, 1), strict=True)
        )
        load = _as_loads(weight, "weight", "(layers, E)")
        given = "old_global_expert_indices"
        before = self._last.get(load.shape) if old is None else _as_numpy(old, given)
        if before is not None and before.shape != (len(load), slots):
            before = None
        together = self._keep_groups and groups > 1 and groups % nodes == 0
        placement = place_experts(
            load,
            self._machine(nodes, ranks),
            num_slots=slots,
            old=before,
            groups=groups if together else None,
            nodes=nodes if together else None,
            **self._options,
        )
        if self._remember:
            self._last = {load.shape: placement.physical_to_logical}
        return placement

    def _machine(self, nodes: int, ranks: int) -> Topology:
        if self._topology is not None:
            if self._topology.num_pes != ranks:
                raise ConfigError(
                    f"the topology has {self._topology.num_pes} GPUs, but there are {ranks} ranks"
                )
            return self._topology
        if ranks % nodes:
            raise ConfigError(f"{ranks} ranks cannot be dealt out to {nodes} nodes")
        return Topology.hierarchy([ranks // nodes, nodes], [_WITHIN, _BETWEEN])


def _as_numpy(values: Any, name: str) -> NDArray[Any]:
    """Return an array of what may be a tensor, on any device and of any type."""
    if hasattr(values, "detach"):
        whole = values.detach().cpu()
        return np.asarray(whole.double() if whole.is_floating_point() else whole)
    return as_array(values, name, ConfigError)


def _as_loads(values: Any, name: str, shape: str) -> NDArray[Any]:
    """Return loads of a shape of so many dimensions: with fewer, layers would count as steps."""
    loads = _as_numpy(values, name)
    if loads.ndim != shape.count(",") + 1:
        raise ConfigError(f"{name} must have shape {shape}, got {form_of(values, loads.shape)}")
    if loads.size:
        check_numbers(loads, name, ConfigError)
    return loads


def _like(array: NDArray[np.int64], given: Any) -> Any:
    """Return an array as a tensor on the device of `given`, if that is a tensor."""
    if not hasattr(given, "detach"):
        return array
    torch = importlib.import_module("torch")
    return torch.from_numpy(array).to(given.device)


def _maps(placement: ExpertPlacement, given: Any) -> tuple[Any, Any, Any]:
    return (
        _like(placement.physical_to_logical, given),
        _like(placement.logical_to_physical, given),
        _like(placement.replicas, given),
    )
