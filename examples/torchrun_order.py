# SPDX-License-Identifier: MIT
"""The order of hosts and GPUs for torchrun: a training job on 16 nodes below 4 switches.

The scheduler gave nodes of all four switches in any order, and torchrun sorts them by name. The
GPUs of a node are connected in pairs (`nvidia-smi topo -m` of a node with NVLink bridges). Volumes
are those of a model of 70 billion parameters in tensor, data and pipeline parallel groups; the
script that every host runs is written to start.sh.
"""

import numpy as np

import procmap
from procmap.placement import gpu_cluster, order_ranks, training_traffic

SMI = """\
        GPU0    GPU1    GPU2    GPU3    CPU Affinity
GPU0     X      SYS     NV4     SYS     0-31
GPU1    SYS      X      SYS     NV4     32-63
GPU2    NV4     SYS      X      SYS     0-31
GPU3    SYS     NV4     SYS      X      32-63
"""
leaf = np.random.default_rng(4).permutation(np.arange(16) % 4)
switches = {f"gpu{i:02}": f"leaf{leaf[i]}" for i in range(16)}
cluster = gpu_cluster(procmap.Topology.from_nvidia_smi(text=SMI), switches)

# 2-way tensor, 8-way data, 4-way pipeline parallelism. Bytes that a GPU sends in a step of
# 8 micro-batches of 4,096 tokens of 8,192 numbers of 2 bytes each: tensor parallelism reduces four
# times a layer, forward and backward; gradients of 70e9 / 8 parameters are reduced once; stages
# send activations and their gradients.
tokens, width, layers, parameters = 8 * 4096, 8192, 80 / 4, 70e9 / 8
volumes = {
    "tp": 4 * layers * tokens * width * 2,
    "dp": 2 * parameters * 2,
    "pp": 2 * tokens * width * 2,
}
traffic = training_traffic({"tp": 2, "dp": 8, "pp": 4}, volumes)

mapping = order_ranks(traffic, cluster)
mapping.write("start.sh", "torchrun")

by_name = np.argsort(cluster.names, kind="stable")  # what torchrun does
before = procmap.evaluate(traffic, by_name, cluster)
for name, report in (("by name", before), ("procmap", mapping)):
    _, nvlink, pcie, leaf_switch, spine = report.level_traffic / 1e9
    print(
        f"{name:<8} GB over NVLink {nvlink:7,.0f}, PCIe {pcie:7,.0f}, a leaf switch "
        f"{leaf_switch:7,.0f}, the spine {spine:7,.0f}"
    )
print(f"start it: {mapping.launch_command('start.sh', 'torchrun')} train.py")
fewer = 1 - mapping.level_traffic[-1] / before.level_traffic[-1]
print(f"gain: {fewer:.0%} less traffic over the spine")
