# SPDX-License-Identifier: MIT
"""Node ranks and the order of GPUs: clusters with switches, traffic of training, the best order."""

import itertools
import re
import time

import numpy as np
import pytest

import procmap
from procmap import ConfigError, GraphError, Topology, TopologyError
from procmap.placement import gpu_cluster, order_ranks, training_traffic

NODE = Topology.flat(4).with_hosts("this", kind="gpu")
# Two pairs of GPUs with NVLink, PCIe between the pairs; the pairs are 0, 2 and 1, 3.
SMI = """\
\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity
GPU0\t X \tSYS\tNV4\tSYS\t0-7
GPU1\tSYS\t X \tSYS\tNV4\t0-7
GPU2\tNV4\tSYS\t X \tSYS\t0-7
GPU3\tSYS\tNV4\tSYS\t X \t0-7
"""


def test_hosts_below_a_switch_follow_each_other():
    cluster = gpu_cluster(NODE, {"a": "x.p", "b": "y.q", "c": "x.r", "d": "x.p"}, [5, 7, 9])

    assert cluster.names[::4] == ("a:gpu0", "d:gpu0", "c:gpu0", "b:gpu0")
    assert cluster.distance_matrix()[0, ::4].tolist() == [0, 5, 7, 9]
    assert cluster.places.kind == "gpu"


def test_an_even_cluster_is_a_hierarchy():
    switches = {f"gpu{i:02}": f"spine{i // 4}.leaf{i // 2}" for i in range(8)}

    cluster = gpu_cluster(NODE, switches)

    assert (cluster.sizes, cluster.distances) == ((4, 2, 2, 2), (1, 10, 100, 1000))
    assert gpu_cluster(NODE, dict.fromkeys("ab", "s")).distances == (1, 10)
    assert gpu_cluster(NODE, {"a": "s"}).num_pes == 4


def test_nodes_come_from_nvidia_smi():
    cluster = gpu_cluster(Topology.from_nvidia_smi(text=SMI), {"a": "s", "b": "s", "c": "t"})

    assert cluster.num_pes == 12
    assert cluster.distance(0, 2) < cluster.distance(0, 1) < cluster.distance(0, 4)
    assert cluster.distance(0, 4) < cluster.distance(0, 8)


@pytest.mark.parametrize(
    ("switches", "distances", "culprit"),
    [
        ({}, None, "switches names no host"),
        ({"a": ""}, None, "host 'a' has no switch"),
        ({"a": "x..y"}, None, "host 'a' has no switch"),
        ({"a": "x", "b": "x.y"}, None, "hosts have 1 to 2 switches"),
        ({"a": "x", "b": "y"}, [5], "distances has 1 entries.*expected 2"),
        ({"a": "x", "b": "y"}, [5, 4], "distances must ascend"),
        ({"a b": "x"}, None, "host"),
    ],
)
def test_bad_clusters_are_named(switches, distances, culprit):
    with pytest.raises(TopologyError, match=culprit):
        gpu_cluster(NODE, switches, distances)


def test_a_node_must_be_a_topology():
    with pytest.raises(TypeError, match="node must be a Topology, got int"):
        gpu_cluster(8, {"a": "x"})


def matrix_of(traffic):
    matrix = np.zeros((traffic.num_ranks, traffic.num_ranks))
    np.add.at(matrix, (traffic.senders, traffic.receivers), traffic.volumes)
    return matrix


def test_rings_chains_and_all_to_all():
    ring = matrix_of(training_traffic({"dp": 3}, {"dp": 6}))
    chain = matrix_of(training_traffic({"pp": 3}, {"pp": 6}))
    everyone = matrix_of(training_traffic({"ep": 3}, {"ep": 6}))

    assert ring.tolist() == [[0, 6, 0], [0, 0, 6], [6, 0, 0]]
    assert chain.tolist() == [[0, 6, 0], [0, 0, 6], [0, 0, 0]]
    assert everyone.tolist() == [[0, 3, 3], [3, 0, 3], [3, 3, 0]]


def test_the_first_dimension_has_successive_ranks():
    matrix = matrix_of(
        training_traffic({"tp": 2, "dp": 3, "pp": 2}, {"tp": 100, "dp": 10, "pp": 1})
    )

    assert matrix[0].nonzero()[0].tolist() == [1, 2, 6]
    assert matrix[0, [1, 2, 6]].tolist() == [100, 10, 1]
    assert matrix[6, 0] == 0
    assert matrix.sum() == 12 * 110 + 6


@pytest.mark.parametrize(
    ("sizes", "volumes", "culprit"),
    [
        ({"tp": 0}, {}, r"sizes\['tp'\] must be an integer"),
        ({"tp": 2}, {"dp": 1}, "volumes names 'dp', which has no size"),
        ({"tp": 2}, {"tp": -1}, r"volumes\['tp'\] must be finite"),
        ({"tp": 2**20, "dp": 8}, {}, "sizes make 8388608 ranks"),
    ],
)
def test_bad_dimensions_are_named(sizes, volumes, culprit):
    with pytest.raises(ConfigError, match=culprit):
        training_traffic(sizes, volumes)


@pytest.mark.parametrize("option", ["chains", "complete"])
@pytest.mark.parametrize(
    ("names", "culprit"),
    [
        ("pp", "must be a list of names such as ['pp'], got 'pp'"),
        (b"pp", "must be a list of names"),
        (5, "must be a list of names such as ['pp'], got 5"),
        (["pp", "zz"], "names 'zz', which has no size"),
        ([["pp"]], "names ['pp'], which has no size"),
    ],
)
def test_names_of_dimensions_that_are_none_are_refused(option, names, culprit):
    with pytest.raises(ConfigError, match=re.escape(f"{option} {culprit}")):
        training_traffic({"pp": 3}, {"pp": 1}, **{option: names})


def test_chains_and_complete_may_be_any_names_with_a_size():
    sizes, volumes = {"a": 3}, {"a": 6}

    chain = matrix_of(training_traffic(sizes, volumes, chains=iter(["a"]), complete=()))
    everyone = matrix_of(training_traffic(sizes, volumes, chains=("pp",), complete={"a", "ep"}))

    assert chain.tolist() == [[0, 6, 0], [0, 0, 6], [0, 0, 0]]
    assert everyone.tolist() == [[0, 3, 3], [3, 0, 3], [3, 3, 0]]


def test_a_dimension_is_not_a_chain_and_complete():
    with pytest.raises(ConfigError, match="'a' is in both chains and complete"):
        training_traffic({"a": 3}, {"a": 6}, chains=["a"], complete=["a"])


def test_dimensions_without_traffic_make_no_messages():
    traffic = training_traffic({"tp": 2, "ep": 2048, "dp": 8}, {"tp": 3, "dp": 0})

    assert len(traffic.volumes) == traffic.num_ranks == 2**15
    assert (traffic.volumes == 3).all()


@pytest.mark.parametrize(
    ("sizes", "messages"), [({"ep": 2**14}, 2**28 - 2**14), ({"tp": 2**10, "ep": 2**10}, 2**30)]
)
def test_more_messages_than_fit_are_refused(sizes, messages):
    with pytest.raises(ConfigError, match=f"sizes make {messages} messages, more than 67108864"):
        training_traffic(sizes, dict.fromkeys(sizes, 1))


def test_no_dimension_is_one_rank():
    assert training_traffic({}, {}).num_ranks == 1
    assert training_traffic({"tp": 1}, {"tp": 5}).volumes.size == 0


def cost_of(blocks, matrix, machine):
    return (matrix * machine.distance_matrix()[np.ix_(blocks, blocks)]).sum()


def orders(hosts, size):
    """All that torchrun can do: an order of hosts, and of the GPUs of every host."""
    pes = np.arange(hosts * size).reshape(hosts, size)
    for order in itertools.permutations(range(hosts)):
        for inside in itertools.product(itertools.permutations(range(size)), repeat=hosts):
            yield np.concatenate([pes[h][list(own)] for h, own in zip(order, inside, strict=True)])


@pytest.mark.parametrize("seed", range(6))
def test_few_hosts_get_the_best_order_there_is_or_nearly(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 20, (6, 6)) * (rng.random((6, 6)) < 0.5)
    np.fill_diagonal(matrix, 0)
    apart = rng.integers(20, 60, (3, 3))
    node = Topology.flat(2).with_hosts("x", kind="gpu")
    machine = Topology.cluster(node, "a,b,c", np.triu(apart, 1) + np.triu(apart, 1).T)

    mapping = order_ranks(matrix, machine)

    assert mapping.cost == cost_of(mapping.blocks, matrix, machine)
    assert mapping.cost <= 1.02 * min(cost_of(o, matrix, machine) for o in orders(3, 2))
    host = mapping.blocks // 2
    assert (host[::2] == host[1::2]).all()


def ring_of_gpus(size, hosts):
    """Hosts whose GPUs are a ring, and far from those of others."""
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    ring = Topology.from_distance_matrix(np.minimum(steps, size - steps))
    return gpu_cluster(ring.with_hosts("x", kind="gpu"), {f"n{i}": "s" for i in range(hosts)})


@pytest.mark.parametrize(("hosts", "seed"), [(1, 15), (1, 25), (3, 0)])
def test_a_ring_of_ranks_in_any_order_finds_the_ring_of_gpus(hosts, seed):
    order = np.random.default_rng(seed).permutation(8)
    matrix = np.zeros((8 * hosts, 8 * hosts))
    for host in range(hosts):
        matrix[8 * host + order, 8 * host + np.roll(order, 1)] = 100
    matrix[np.arange(8 * hosts), (np.arange(8 * hosts) + 8) % (8 * hosts)] += 1

    mapping = order_ranks(matrix, ring_of_gpus(8, hosts))

    blocks = mapping.blocks.reshape(hosts, 8)[:, order] % 8
    assert set(((blocks - np.roll(blocks, 1, axis=1)) % 8).flat) <= {1, 7}


def test_hosts_that_all_do_something_else_take_no_time_without_bound():
    rng = np.random.default_rng(0)
    senders = rng.integers(0, 2048, 16384)
    messages = (senders, senders // 4 * 4 + rng.integers(0, 4, 16384), rng.integers(1, 99, 16384))
    traffic = procmap.Traffic.from_messages(*messages, 2048)

    start = time.process_time()
    mapping = order_ranks(traffic, ring_of_gpus(4, 512))

    assert time.process_time() - start < 20  # about 2 s
    assert mapping.num_blocks == 2048


def test_tensor_parallel_ranks_share_nvlink():
    traffic = training_traffic({"tp": 2, "dp": 2, "pp": 2}, {"tp": 100, "dp": 10, "pp": 1})
    cluster = gpu_cluster(Topology.from_nvidia_smi(text=SMI), {"a": "s", "b": "t"})

    mapping = order_ranks(traffic, cluster)

    pairs = mapping.blocks.reshape(-1, 2)
    assert {tuple(sorted(pair % 4)) for pair in pairs.tolist() and pairs} == {(0, 2), (1, 3)}


def test_groups_of_nodes_share_a_switch():
    traffic = training_traffic({"tp": 4, "pp": 4, "dp": 2}, {"tp": 100, "pp": 1, "dp": 10})
    switches = {f"n{i}": f"leaf{i % 4}" for i in range(8)}
    cluster = gpu_cluster(NODE, switches)

    mapping = order_ranks(traffic, cluster)

    leaf = mapping.blocks.reshape(2, 4, 4)[:, :, 0] // 8  # by dp and pp
    assert (leaf[0] == leaf[1]).all()
    block = procmap.evaluate(traffic, np.arange(32), cluster)
    assert mapping.cost < 0.7 * block.cost


@pytest.mark.parametrize("unit", [2.0**-1060, 2.0**990])
def test_the_unit_of_traffic_does_not_matter(unit):
    traffic = training_traffic({"tp": 2, "dp": 2, "pp": 2}, {"tp": 100, "dp": 10, "pp": 1})
    matrix = traffic.to_matrix() + np.diag(np.full(8, 1e9))  # which does not count
    cluster = gpu_cluster(Topology.from_nvidia_smi(text=SMI), {"a": "s", "b": "t"})

    scaled = order_ranks(matrix * unit, cluster)

    assert scaled.blocks.tolist() == order_ranks(traffic, cluster).blocks.tolist()


def test_what_cannot_be_improved_stays():
    traffic = np.ones((8, 8))
    cluster = gpu_cluster(NODE, {"a": "s", "b": "s", "c": "s"})

    mapping = order_ranks(traffic, cluster)

    assert mapping.blocks.tolist() == list(range(8))  # the third host is not needed
    assert order_ranks(np.zeros((4, 4)), cluster).blocks.tolist() == [0, 1, 2, 3]


def test_the_order_is_always_the_same():
    traffic = training_traffic({"tp": 4, "pp": 4, "dp": 2}, {"tp": 100, "pp": 1, "dp": 10})
    cluster = gpu_cluster(NODE, {f"n{i}": f"leaf{i % 3}" for i in range(8)})

    first, again = (order_ranks(traffic, cluster).blocks.tolist() for _ in range(2))

    assert first == again


def test_bad_arguments_are_named():
    cluster = gpu_cluster(NODE, {"a": "s", "b": "t"})

    with pytest.raises(TypeError, match="machine must be a Topology, got str"):
        order_ranks(np.ones((4, 4)), "a")
    with pytest.raises(ConfigError, match="does not know its hosts"):
        order_ranks(np.ones((4, 4)), Topology.flat(4))
    with pytest.raises(ConfigError, match="6 ranks do not fill hosts of 4 GPUs"):
        order_ranks(np.ones((6, 6)), cluster)
    with pytest.raises(ConfigError, match="12 ranks do not fill"):
        order_ranks(np.ones((12, 12)), cluster)
    with pytest.raises(ConfigError, match="hosts have 3 to 4 GPUs"):
        order_ranks(np.ones((4, 4)), cluster.sub(range(7)))
    with pytest.raises(GraphError, match=r"traffic\[0, 1\]"):
        order_ranks([[0, -1], [0, 0]], cluster)


@pytest.mark.parametrize(
    ("switches", "distances", "error", "message"),
    [
        (["a", "b"], None, TypeError, r"switches must be a dict from hosts .*, got \['a', 'b'\]"),
        ("a[1-2]", None, TypeError, "switches must be a dict from hosts to switches, got 'a"),
        ({"a": "s", "b": None}, None, TopologyError, "host 'b' has no switch: None"),
        ({"a": ["s", "t"]}, None, TopologyError, r"host 'a' has no switch: \['s', 't'\]"),
        ({"a": "s"}, 5, TopologyError, "distances must be one-dimensional, got 5"),
        ({"a": "s"}, [1, "x"], TopologyError, "distances must hold numbers, got dtype"),
    ],
)
def test_what_makes_no_cluster_is_named(switches, distances, error, message):
    with pytest.raises(error, match=message):
        gpu_cluster(NODE, switches, distances)


@pytest.mark.parametrize(
    ("sizes", "volumes", "message"),
    [
        ([2, 2], {}, r"sizes must be a dict by dimension, got \[2, 2\]"),
        ({"tp": 2}, None, "volumes must be a dict by dimension, got None"),
        ({"tp": 2}, ["tp"], r"volumes must be a dict by dimension, got \['tp'\]"),
    ],
)
def test_what_are_no_dimensions_is_named(sizes, volumes, message):
    with pytest.raises(ConfigError, match=message):
        training_traffic(sizes, volumes)
