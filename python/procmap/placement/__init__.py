# SPDX-License-Identifier: MIT
"""Placement of the parts of large models on GPUs.

`place_experts` gives the experts of a mixture-of-experts model their slots, and `ExpertPolicy`
does so as the load balancer of vLLM and SGLang. `place_stages` cuts models into the stages of a
pipeline.
"""

from procmap.placement._coactivation import count_coactivation
from procmap.placement._expert_placement import ExpertPlacement
from procmap.placement._expert_policy import ExpertPolicy
from procmap.placement._experts import place_experts
from procmap.placement._stages import StagePlacement, place_stages

__all__ = [
    "ExpertPlacement",
    "ExpertPolicy",
    "StagePlacement",
    "count_coactivation",
    "place_experts",
    "place_stages",
]
