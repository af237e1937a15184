# SPDX-License-Identifier: MIT
"""Slurm's topology.yaml, which needs PyYAML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from procmap._util.formats import Format
from procmap._util.messages import is_in, shortened, shown
from procmap._util.text import error_at, read_text
from procmap.topology.io.slurm import Block, NameLists, Switch, of_blocks, of_switches

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from procmap.topology._description import Description
    from procmap.topology.io.slurm import Cluster

_LINE = "__line__"  # key under which every mapping keeps where it begins
_KINDS = ("tree", "block", "flat")
_KEYS = ("topology", "cluster_default", *_KINDS)  # of a topology
_TRUE = ("true", "True", "TRUE", "yes", "on")
_MAX_DEPTH = 20


def read(path: str | os.PathLike[str], name: str | None = None) -> Cluster:
    """Read one topology of a file: the named one, else the cluster's default, else the first."""
    documents = _load(path)
    if not isinstance(documents, list) or not all(isinstance(d, dict) for d in documents):
        raise error_at(path, 1, "expected a list of topologies")
    if not documents:
        raise error_at(path, 1, "there is no topology")
    chosen = _choose(path, documents, name)
    _only(path, chosen, *_KEYS)
    kinds = [kind for kind in _KINDS if kind in chosen]
    if len(kinds) > 1:
        raise error_at(path, chosen[_LINE], f"a topology has either '{kinds[0]}' or '{kinds[1]}'")
    for kind, build in (("tree", _tree), ("block", _blocks)):
        if kind in chosen:
            return build(path, _mapping(path, chosen[_LINE], chosen[kind], kind))
    raise error_at(
        path, chosen[_LINE], f"topology {shown(chosen.get('topology'))} has neither tree nor block"
    )


def _load(path: str | os.PathLike[str]) -> Any:
    try:
        import yaml  # noqa: PLC0415 - optional
    except ImportError as exc:
        raise ImportError(
            "reading topology.yaml needs PyYAML: pip install 'procmap[yaml]'"
        ) from exc
    text = read_text(path)
    try:
        loader = yaml.SafeLoader(text)
    except yaml.YAMLError as exc:  # a character that YAML has not
        line = text.count("\n", 0, getattr(exc, "position", 0)) + 1
        raise error_at(path, line, f"not valid YAML: {_problem(exc)}") from None
    try:
        root = loader.get_single_node()
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise error_at(path, line, f"not valid YAML: {_problem(exc)}") from None
    except RecursionError:
        raise error_at(path, 1, "not valid YAML: nested too deeply") from None
    except (ValueError, OverflowError):  # PyYAML looks at no number before it uses it
        line = loader.get_mark().line + 1
        raise error_at(path, line, "not valid YAML: a number is too large") from None
    finally:
        loader.dispose()
    return [] if root is None else _Values(path).of(root)


def _problem(exc: Exception) -> str:
    """Return what is wrong in one line."""
    problem = getattr(exc, "problem", None) or str(exc)
    return shortened(str(problem).partition("\n")[0], 200)


class _Values:
    """The values in YAML's syntax tree: lists, texts, None, and mappings that know their line."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._known: dict[Any, Any] = {}  # aliases can name a node very often

    def of(self, node: Any, depth: int = 0) -> Any:
        """Return the value of a node."""
        if depth > _MAX_DEPTH:  # an alias may hold itself
            raise error_at(self._path, node.start_mark.line + 1, "nested too deeply")
        if node not in self._known:
            self._known[node] = self._of(node, depth)
        return self._known[node]

    def _of(self, node: Any, depth: int) -> Any:
        if node.id == "sequence":
            return [self.of(item, depth + 1) for item in node.value]
        if node.id == "scalar":
            return None if node.tag.endswith(":null") else node.value
        values: dict[Any, Any] = {_LINE: node.start_mark.line + 1}
        for key, value in node.value:
            if key.id != "scalar" or key.value in values:
                line = key.start_mark.line + 1
                raise error_at(self._path, line, "a key is given twice or is no word")
            values[key.value] = self.of(value, depth + 1)
        return values


def _choose(
    path: str | os.PathLike[str], documents: list[dict[Any, Any]], name: str | None
) -> dict[Any, Any]:
    if name is None:
        defaults = [d for d in documents if d.get("cluster_default") in _TRUE]
        return (defaults or documents)[0]
    for document in documents:
        known: list[Any] = [document.get("topology")]
        if is_in(name, known):
            return document
    raise error_at(path, 1, f"there is no topology {shown(name)}")


def _only(path: str | os.PathLike[str], entry: dict[Any, Any], *keys: str) -> None:
    """Refuse keys that nobody reads, which may be ones that somebody has mistyped."""
    unknown = [key for key in entry if key not in (*keys, _LINE)]
    if unknown:
        raise error_at(path, entry[_LINE], f"unknown key {shown(unknown[0])}")


def _tree(path: str | os.PathLike[str], tree: dict[Any, Any]) -> Cluster:
    switches, names = [], NameLists(path)
    _only(path, tree, "switches")
    for entry in _list(path, tree, "switches"):
        _only(path, entry, "switch", "nodes", "children", "switches")
        line = entry[_LINE]
        if "children" in entry and "switches" in entry:
            raise error_at(path, line, "a switch has either 'children' or 'switches'")
        below = {
            key: names.expand(line, _expression(path, line, entry.get(key) or entry.get(other)))
            for key, other in (("nodes", "nodes"), ("switches", "children"))
        }
        switches.append(Switch(_name(path, entry, "switch"), line, **below))
    return of_switches(path, switches)


def _blocks(path: str | os.PathLike[str], block: dict[Any, Any]) -> Cluster:
    blocks, names = [], NameLists(path)
    _only(path, block, "blocks", "block_sizes")
    for entry in _list(path, block, "blocks"):
        _only(path, entry, "block", "nodes")
        line = entry[_LINE]
        nodes = names.expand(line, _expression(path, line, entry.get("nodes")))
        blocks.append(Block(_name(path, entry, "block"), line, nodes))
    sizes = block.get("block_sizes") or []
    line = block[_LINE]
    if not isinstance(sizes, list) or not all(map(_is_number, sizes)):
        raise error_at(path, line, "block_sizes must be a list of numbers")
    return of_blocks(path, blocks, [int(size) for size in sizes], line)


def _is_number(text: Any) -> bool:
    return isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 10


def _list(path: str | os.PathLike[str], parent: dict[Any, Any], key: str) -> list[dict[Any, Any]]:
    entries = parent.get(key)
    if not isinstance(entries, list) or not entries:
        raise error_at(path, parent[_LINE], f"expected a list under '{key}'")
    return [_mapping(path, parent[_LINE], entry, key) for entry in entries]


def _mapping(path: str | os.PathLike[str], line: int, value: Any, key: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise error_at(path, line, f"expected keys and values under '{key}', found {shown(value)}")
    return value


def _name(path: str | os.PathLike[str], entry: dict[Any, Any], key: str) -> str:
    if not isinstance(entry.get(key), str):
        raise error_at(path, entry[_LINE], f"expected '{key}: NAME'")
    name: str = entry[key]
    return name


def _expression(path: str | os.PathLike[str], line: int, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise error_at(
            path, line, f"expected a list of names such as node[01-18], found {shown(value)}"
        )
    return value


def _machine(
    path: str | os.PathLike[str],
    nodes: str | Iterable[str] | None = None,
    inside: Description | None = None,
    distances: Sequence[int] | None = None,
    name: str | None = None,
) -> Description:
    return read(path, name).machine(nodes, inside, distances)


FORMAT = Format(
    "slurm-yaml",
    _machine,
    begins=lambda start: b"topology:" in start,
    options=("nodes", "inside", "distances", "name"),
)
