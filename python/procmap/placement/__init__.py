# SPDX-License-Identifier: MIT
"""Placement of the parts of large models on GPUs.

`place_experts` gives the experts of a mixture-of-experts model their slots, and `ExpertPolicy`
does so as the load balancer of vLLM and SGLang. `place_stages` cuts models into the stages of a
pipeline. `order_ranks` chooses node ranks and the order of GPUs for torchrun, on a cluster that
`gpu_cluster` makes of ``nvidia-smi topo -m`` and the names of switches.
"""

from procmap.placement._coactivation import count_coactivation
from procmap.placement._expert_placement import ExpertPlacement
from procmap.placement._expert_policy import ExpertPolicy
from procmap.placement._experts import place_experts
from procmap.placement._gpu_cluster import gpu_cluster
from procmap.placement._rank_order import order_ranks
from procmap.placement._stages import StagePlacement, place_stages
from procmap.placement._training import training_traffic

__all__ = [
    "ExpertPlacement",
    "ExpertPolicy",
    "StagePlacement",
    "count_coactivation",
    "gpu_cluster",
    "order_ranks",
    "place_experts",
    "place_stages",
    "training_traffic",
]
