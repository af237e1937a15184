# SPDX-License-Identifier: MIT
"""Map the tasks of a parallel program onto the processing elements of a machine.

Every processing element (PE) gets about the same load, and the traffic between PEs costs as
little as possible. `map` does it for a machine described by a `Topology`, `partition` for k
equally distant blocks, `evaluate` says what a given mapping costs.

All three take a `Graph` or whatever `as_graph` makes one of: a SciPy sparse matrix, arrays, graphs
of NetworkX, igraph, DGL and PyTorch Geometric, files.
"""

from importlib.metadata import version as _version

from procmap import compat
from procmap._api import evaluate, map, partition
from procmap._config import Config
from procmap._config_parts import (
    CoarseningConfig,
    FlowConfig,
    ImproveConfig,
    InitialConfig,
    IntegratedConfig,
    MachineConfig,
    MultisectionConfig,
    RefinementConfig,
)
from procmap._device import DeviceArray
from procmap._errors import (
    ConfigError,
    DeviceError,
    FileError,
    GraphError,
    InfeasibleError,
    InfeasibleWarning,
    TopologyError,
)
from procmap._evaluation import Evaluation
from procmap._graph import Graph
from procmap._info import info
from procmap._inputs import as_graph
from procmap._mapping import Mapping, Report, Units, read_mapping
from procmap._memory import estimate_memory
from procmap._reorder import reorder_ranks
from procmap._scaling import Scale
from procmap._stats import AttemptStats, LevelStats, PhaseTime, Stats
from procmap._topology import Topology
from procmap._traffic import Traffic
from procmap._traffic_files import read_traffic

read_graph = Graph.read
__version__ = _version("procmap")

__all__ = [
    "AttemptStats",
    "CoarseningConfig",
    "Config",
    "ConfigError",
    "DeviceArray",
    "DeviceError",
    "Evaluation",
    "FileError",
    "FlowConfig",
    "Graph",
    "GraphError",
    "ImproveConfig",
    "InfeasibleError",
    "InfeasibleWarning",
    "InitialConfig",
    "IntegratedConfig",
    "LevelStats",
    "MachineConfig",
    "Mapping",
    "MultisectionConfig",
    "PhaseTime",
    "RefinementConfig",
    "Report",
    "Scale",
    "Stats",
    "Topology",
    "TopologyError",
    "Traffic",
    "Units",
    "__version__",
    "as_graph",
    "compat",
    "estimate_memory",
    "evaluate",
    "info",
    "map",
    "partition",
    "read_graph",
    "read_mapping",
    "read_traffic",
    "reorder_ranks",
]
