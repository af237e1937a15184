# SPDX-License-Identifier: MIT
"""Map the tasks of a parallel program onto the processing elements of a machine.

Every processing element (PE) gets about the same load, and the traffic between PEs costs as
little as possible. `map` does it for a machine described by a `Topology`, `map_many` for many
graphs at once, `partition` for k equally distant blocks, `evaluate` says what a given mapping
costs.

All of them take a `Graph` or whatever `as_graph` makes one of: a SciPy sparse matrix, arrays,
graphs of NetworkX, igraph, DGL and PyTorch Geometric, files.
"""

from importlib.metadata import version as _version

from procmap import _plugin  # noqa: F401 - first of all: it decides which module is _core

# isort: split
from procmap import compat
from procmap._library import get_cmake_dir, get_include, get_library_dir
from procmap._util.errors import ConfigError, DeviceError, FileError, GraphError, TopologyError
from procmap._util.info import info
from procmap._util.scaling import Scale
from procmap.config._config import Config
from procmap.config._fields import (
    CoarseningConfig,
    FlowConfig,
    ImproveConfig,
    InitialConfig,
    IntegratedConfig,
    MachineConfig,
    MultisectionConfig,
    RefinementConfig,
)
from procmap.distributed import _alone
from procmap.graph._device import DeviceArray
from procmap.graph._graph import Graph
from procmap.graph._inputs import as_graph
from procmap.graph._opened import OpenedGraph
from procmap.mapping import _larger
from procmap.mapping._api import evaluate, map, map_many, partition
from procmap.mapping._evaluation import Evaluation
from procmap.mapping._infeasible import InfeasibleError, InfeasibleWarning
from procmap.mapping._jobs import WorkerError
from procmap.mapping._memory import estimate_memory
from procmap.mapping._reorder import reorder_ranks
from procmap.mapping._report import Report, Units, WeightReport
from procmap.mapping._result import Mapping, read_mapping
from procmap.mapping._stats import AttemptStats, LevelStats, PhaseTime, Stats
from procmap.topology._topology import Topology
from procmap.traffic._inputs import read_traffic
from procmap.traffic._traffic import Traffic

_larger.use(map=_alone.map_opened, evaluate=_alone.evaluate_opened)
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
    "OpenedGraph",
    "PhaseTime",
    "RefinementConfig",
    "Report",
    "Scale",
    "Stats",
    "Topology",
    "TopologyError",
    "Traffic",
    "Units",
    "WeightReport",
    "WorkerError",
    "__version__",
    "as_graph",
    "compat",
    "estimate_memory",
    "evaluate",
    "get_cmake_dir",
    "get_include",
    "get_library_dir",
    "info",
    "map",
    "map_many",
    "partition",
    "read_graph",
    "read_mapping",
    "read_traffic",
    "reorder_ranks",
]
