# SPDX-License-Identifier: MIT
"""All parameters of the algorithms. The C++ core checks the values, so messages are its own."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from procmap import _core
from procmap._util.cached import cached_property
from procmap._util.errors import ConfigError
from procmap._util.messages import shortened, shown, utf8
from procmap._util.text import write_text
from procmap._util.toml import format_toml, read_toml
from procmap.config._fields import SECTIONS, Parameters, Preset
from procmap.config._section import FIELDS


@dataclass(frozen=True)
class Config(Parameters):
    """All parameters.

    Each says where its default comes from: "paper" is "GPU-Accelerated Algorithms for Process
    Mapping", "measured" means the benchmarks, "bound" that it only bounds time or memory.

    Every part is immutable; `replace` makes a changed copy. Values are checked when the object
    is made.

    Attributes
    ----------
    method
        Multisect the machine level by level, or refine the mapping cost itself (integrated).
    coarsening, initial, refinement, flow, multisection, integrated, improve, machine
        The parameters of each part.

    Raises
    ------
    ConfigError
        If a value is out of range; the message names the parameter and the range.

    Examples
    --------
    >>> Config.preset("fast").replace(refinement__rounds=20).refinement.rounds
    20
    """

    def __post_init__(self) -> None:
        for name, kind in SECTIONS.items():
            if not isinstance(getattr(self, name), kind):
                raise ConfigError(f"{name} must be a {kind.__name__}")
        super().__post_init__()

    @staticmethod
    def preset_names() -> tuple[Preset, ...]:
        """Names that `preset` knows."""
        return tuple(cast("list[Preset]", _core.Config.preset_names()))

    @classmethod
    def preset(cls, name: Preset) -> Config:
        """Return the preset `name`."""
        if not isinstance(name, str):
            raise ConfigError(
                f"preset must be one of {', '.join(cls.preset_names())}, got {shown(name)}"
            )
        return _preset(name)

    def replace(self, changes: Mapping[str, object] | None = None, /, **groups: object) -> Config:
        """Return a copy with some parameters changed.

        Parameters
        ----------
        changes : mapping, optional
            Dotted names and values: ``{"refinement.rounds": 20}``.
        **groups
            The same with two underscores for the dot: ``refinement__rounds=20``; or whole
            parts: ``refinement=RefinementConfig(rounds=20)``.
        """
        values: dict[str, object] = dict(_as_dict({} if changes is None else changes, "changes"))
        values.update((name.replace("__", "."), value) for name, value in groups.items())
        config = self
        for path, value in values.items():
            section, _, name = path.rpartition(".")
            if path in FIELDS and section:
                part = dataclasses.replace(getattr(config, section), **{name: value})
                config = dataclasses.replace(config, **{section: part})
            elif path in FIELDS or path in SECTIONS:
                change: dict[str, Any] = {path: value}
                config = dataclasses.replace(config, **change)
            else:
                _core.Config().get(utf8(shortened(path)))  # says which parameters there are
                raise ConfigError(f"unknown parameter '{shortened(path)}'")
        return config

    def set_text(self, path: str, text: str) -> Config:
        """Return a copy with the parameter `path` read from `text`, as ``--set`` gives it."""
        for name, given in (("path", path), ("text", text)):
            if not isinstance(given, str):
                raise ConfigError(f"{name} must be a str, got {shown(given)}")
        core = self._to_core()
        core.set_text(utf8(shortened(path)), utf8(text))
        return self._from_core(core)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, base: Config | None = None) -> Config:
        """Make a configuration from a nested dictionary.

        Parameters
        ----------
        data : mapping
            As `to_dict` returns; parameters may be missing.
        base : Config, optional
            Where missing parameters come from; the preset "default" if None.
        """
        if base is not None and not isinstance(base, Config):
            raise TypeError(f"base must be a Config, got {shown(base)}")
        config = Config.preset("default") if base is None else base
        changes: dict[str, object] = {}
        for name, value in _as_dict(data, "data").items():
            if name in SECTIONS and not isinstance(value, SECTIONS[name]):
                part = _as_dict(value, name)
                changes.update((f"{name}.{key}", item) for key, item in part.items())
            else:
                changes[name] = value
        return config.replace(changes)

    def to_dict(self) -> dict[str, Any]:
        """Return all parameters as a nested dictionary."""
        return dataclasses.asdict(self)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, base: Config | None = None) -> Config:
        """Read a TOML file; see `from_dict`.

        Raises
        ------
        FileError
            If the file cannot be read or is not TOML.
        ConfigError
            If a parameter is unknown or out of range.
        """
        try:
            return cls.from_dict(read_toml(path), base=base)
        except ConfigError as exc:
            raise ConfigError(f"{os.fspath(path)}: {shortened(str(exc), 500)}") from None

    def dumps(self) -> str:
        """Return all parameters as TOML."""
        return format_toml(self.to_dict())

    def dump(self, path: str | os.PathLike[str]) -> None:
        """Write all parameters to a TOML file."""
        write_text(path, self.dumps())

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_native"}

    @cached_property
    def _native(self) -> _core.Config:
        """The configuration of the core; nobody changes it."""
        return self._to_core()

    def _to_core(self) -> _core.Config:
        core = _core.Config()
        for path in FIELDS:
            section, _, name = path.rpartition(".")
            core.set(path, getattr(getattr(self, section) if section else self, name))
        return core

    @classmethod
    def _from_core(cls, core: _core.Config) -> Config:
        values: dict[str, dict[str, Any]] = {"": {}}
        for path in FIELDS:
            section, _, name = path.rpartition(".")
            values.setdefault(section, {})[name] = core.get(path)
        top = values.pop("")
        return Config(**top, **{name: SECTIONS[name](**part) for name, part in values.items()})


def _as_dict(given: Any, name: str) -> Mapping[str, Any]:
    """Return values by the names of their parameters."""
    if not isinstance(given, Mapping):
        raise ConfigError(f"{name} must be a dict by parameter, got {shown(given)}")
    for parameter in given:
        if not isinstance(parameter, str):
            raise ConfigError(f"{name} must name parameters, got {shown(parameter)}")
    return given


@functools.cache
def _preset(name: str) -> Config:
    """Return the one object that a preset is: nobody can change it."""
    return Config._from_core(_core.Config.preset(utf8(name)))
