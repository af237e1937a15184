# SPDX-License-Identifier: MIT
"""Files import only downwards, and no two of them each other, in Python and in C++."""

import ast
import graphlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# What every folder or file stands on: it may import from lower floors and from itself.
PYTHON_FLOORS = {
    "_core": 0,
    "_plugin": 0,
    "_library": 1,
    "_util": 1,
    "config": 2,
    "graph": 2,
    "topology": 2,
    "traffic": 3,
    "launchers": 3,
    "mapping": 4,
    "compat": 5,
    "mpi": 5,
    "placement": 5,
    "distributed": 5,
    "_networkx": 5,
    "__init__": 6,
    "cli": 7,
    "__main__": 8,
}

# The same of the folders of cpp/src. One file may stand elsewhere than its folder.
CPP_FLOORS = {
    "core": 0,
    "topology": 1,
    "exec": 1,
    "small": 2,
    "placement": 1,
    "graph": 2,
    "io": 3,
    "objective": 3,
    "coarsening": 3,
    "cartesian": 3,
    "initial": 4,
    "report": 4,
    "refinement/state": 4,
    "refinement/places": 5,
    "refinement/flow": 5,
    "refinement/weights": 5,
    "refinement/rebalance": 5,
    "refinement/chains": 6,
    "refinement/jet": 6,
    "instances": 7,
    "multilevel": 7,
    "multilevel/split": 8,
    "multilevel/methods": 9,
    "multilevel/map": 10,
    "backends": 11,
    "distributed": 11,
    "api": 12,
}


def part_of(name, floors):
    """The longest beginning of a path that has a floor: "graph" of "graph/io/npz"."""
    steps = name.split("/")
    parts = ["/".join(steps[:i]) for i in range(len(steps), 0, -1)]
    return next((part for part in parts if part in floors), None)


def climbs(imports, floors):
    """Imports that lead to the same floor or up, unless within a part; files without a floor."""
    wrong = [f"{file} has no floor" for file in imports if part_of(file, floors) is None]
    for file, imported in imports.items():
        here = part_of(file, floors)
        for other in sorted(imported):
            there = part_of(other, floors)
            if None not in (here, there) and here != there and floors[there] >= floors[here]:
                wrong.append(f"{file} -> {other}")
    return wrong


def circle(imports):
    """Some files that import each other in a circle; empty if there are none."""
    try:
        graphlib.TopologicalSorter(imports).prepare()
    except graphlib.CycleError as exc:
        return exc.args[1]
    return []


def python_imports(package):
    """What every file of a package imports of it, at import time, in functions and for types."""
    names = {file_name(path, package): path for path in package.rglob("*.py")}
    names["_core"] = None
    imports = {name: set() for name in names}
    for name, path in names.items():
        for node in ast.walk(ast.parse(path.read_text())) if path else ():
            imports[name] |= {target(module, names) for module in modules_in(node, package.name)}
        imports[name].discard(name)
    return imports


def file_name(path, package):
    """ "graph/_graph"; a package is its __init__, but "graph/io" if it is not the whole one."""
    name = path.relative_to(package).with_suffix("").as_posix()
    return name.removesuffix("/__init__")


def modules_in(node, package):
    """Names that an import statement may mean, as lists: ["graph", "io", "read"]."""
    if isinstance(node, ast.Import):
        found = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "relative imports are not followed here"
        found = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return []
    return [name.split(".")[1:] for name in found if name.split(".")[0] == package]


def target(steps, names):
    """The file that defines what these steps lead to."""
    for i in range(len(steps), 0, -1):
        if "/".join(steps[:i]) in names:
            return "/".join(steps[:i])
    return "__init__"


def cpp_includes(sources):
    """What every file below `sources` includes of it with quotes."""
    paths = [path for path in sources.rglob("*") if path.suffix in (".hpp", ".cpp", ".cuh", ".cu")]
    includes = {path.relative_to(sources).as_posix(): set() for path in paths}
    for path in paths:
        name = path.relative_to(sources).as_posix()
        for word in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE):
            near = (path.parent / word).resolve()
            beside = near.is_file() and near.is_relative_to(sources.resolve())
            found = near.relative_to(sources.resolve()).as_posix() if beside else word
            includes[name] |= {found} & includes.keys()
    return includes


def without_suffixes(includes):
    """The same of pairs x.hpp, x.cpp, which stand on one floor."""
    merged = {}
    for name, included in includes.items():
        stems = {Path(other).with_suffix("").as_posix() for other in included}
        merged.setdefault(Path(name).with_suffix("").as_posix(), set()).update(stems)
    return merged


@pytest.fixture
def package(tmp_path):
    """A package with an import of every kind that leads upwards, and two circles."""
    files = {
        "__init__": "from pack.top import up",
        "base/__init__": "",
        "base/low": "if TYPE_CHECKING:\n    from pack.top import up",
        "base/twin": "def f():\n    import pack.base.other",
        "base/other": "from pack.base import twin",
        "top": "from pack.base.low import x\nimport numpy",
    }
    for name, text in files.items():
        path = tmp_path / "pack" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "pack"


def test_imports_of_every_kind_are_seen(package):
    imports = python_imports(package)

    assert climbs(imports, {"base": 0, "top": 1, "__init__": 2, "_core": 0}) == ["base/low -> top"]
    assert "__init__ has no floor" in climbs(imports, {"base": 0, "top": 1, "_core": 0})
    assert imports["base/twin"] == {"base/other"}
    assert set(circle(imports)) in ({"base/low", "top"}, {"base/twin", "base/other"})


def test_includes_beside_and_from_the_root_are_seen(tmp_path):
    for name, text in {"a/x.hpp": '#include "y.hpp"', "a/y.hpp": '#  include "b/z.hpp"'}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "z.hpp").write_text('#include <vector>\n#include "a/x.hpp"')
    includes = cpp_includes(tmp_path)

    assert includes == {"a/x.hpp": {"a/y.hpp"}, "a/y.hpp": {"b/z.hpp"}, "b/z.hpp": {"a/x.hpp"}}
    assert climbs(without_suffixes(includes), {"a": 0, "b": 1}) == ["a/y -> b/z"]
    assert len(circle(includes)) == 4


def test_python_imports_lead_downwards():
    assert climbs(python_imports(ROOT / "python" / "procmap"), PYTHON_FLOORS) == []


def test_no_two_python_files_import_each_other():
    assert circle(python_imports(ROOT / "python" / "procmap")) == []


def test_every_python_floor_is_used():
    imports = python_imports(ROOT / "python" / "procmap")

    assert {part_of(name, PYTHON_FLOORS) for name in imports} == set(PYTHON_FLOORS)


def test_cpp_includes_lead_downwards():
    assert climbs(without_suffixes(cpp_includes(ROOT / "cpp" / "src")), CPP_FLOORS) == []


def test_no_two_cpp_files_include_each_other():
    assert circle(cpp_includes(ROOT / "cpp" / "src")) == []


def test_every_cpp_floor_is_used():
    includes = without_suffixes(cpp_includes(ROOT / "cpp" / "src"))

    assert {part_of(name, CPP_FLOORS) for name in includes} == set(CPP_FLOORS)


# Lines of a file of the product. Public classes and calls, whose docstrings are the reference, have
# more than others; what is larger than the limit stands here. `_fields.py` is generated.
LONGEST = 400
LONGER = {
    "cuda/exec/cuda_executor.cuh": 450,
    "python/procmap/config/_fields.py": 600,
}


def test_files_are_small():
    folders = [ROOT / name for name in ("cpp", "cuda", "python")]
    files = [path for folder in folders for path in folder.rglob("*")]
    sources = [
        path for path in files if path.suffix in {".cpp", ".hpp", ".h", ".cu", ".cuh", ".py"}
    ]
    lines = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in sources}

    assert len(lines) > 500
    assert {name: n for name, n in lines.items() if n > LONGER.get(name, LONGEST)} == {}
    assert all(lines[name] > LONGEST for name in LONGER), (
        "one that became smaller needs no place here"
    )
