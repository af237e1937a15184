# SPDX-License-Identifier: MIT
"""`_core.pyi` says what the module is."""

import ast
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import procmap
from procmap import _core

STUB = Path(procmap.__file__).with_name("_core.pyi")


def declared(nodes, prefix=""):
    """Map dotted names to the arguments of functions, or to None for everything else."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            found[prefix + node.name] = None
            found.update(declared(node.body, f"{prefix}{node.name}."))
        elif isinstance(node, ast.FunctionDef):
            is_property = any(getattr(d, "id", "") == "property" for d in node.decorator_list)
            found[prefix + node.name] = None if is_property else arguments_of(node)
        elif isinstance(node, ast.AnnAssign):
            found[prefix + node.target.id] = None
    return found


def arguments_of(node):
    """Names of the arguments; "=" marks those that have a default, "by name" the keyword-only."""
    names = [argument.arg for argument in node.args.args]
    first_default = len(names) - len(node.args.defaults)
    positional = [f"{name}=" if i >= first_default else name for i, name in enumerate(names)]
    by_name = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return positional + [f"{a.arg}{'=' if default else ''} by name" for a, default in by_name]


def existing(owner, prefix=""):
    found = {}
    for name, value in vars(owner).items():
        if name.startswith("_") and (name != "__init__" or "self:" not in value.__doc__):
            continue
        if inspect.isclass(value):
            found[prefix + name] = None
            if value.__module__ == _core.__name__:
                found.update(existing(value, f"{prefix}{name}."))
        elif isinstance(value, property):
            found[prefix + name] = None
        elif callable(value) and "(" in (text := getattr(owner, name).__doc__ or ""):
            found[prefix + name] = arguments_in(text)
    return found


def arguments_in(docstring):
    """Arguments in the signature that pybind11 writes into the first line of a docstring."""
    node = ast.parse(f"def {docstring.splitlines()[0]}: ...").body[0]
    return arguments_of(node)


def test_stub_declares_every_function_class_and_argument():
    stub = declared(ast.parse(STUB.read_text()).body)

    module = existing(_core)

    assert stub == module


def test_signatures_name_no_cpp_type():
    text = "\n".join(value.__doc__ or "" for value in vars(_core).values() if callable(value))

    assert not re.search(r"std::|procmap::", text)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_stubtest_agrees(tmp_path):
    # pybind11's metaclass and catch-all constructors have no place in a stub.
    classes = [name for name, value in vars(_core).items() if inspect.isclass(value)]
    ignored = [rf"procmap\._core\.{name}(\.__init__)?" for name in classes]
    allowlist = tmp_path / "allowlist"
    allowlist.write_text("\n".join(ignored))

    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "procmap._core", "--allowlist", str(allowlist),
         "--ignore-unused-allowlist"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip

    assert result.returncode == 0, result.stdout + result.stderr


def test_package_is_marked_as_typed():
    assert STUB.with_name("py.typed").exists()
