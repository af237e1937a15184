# SPDX-License-Identifier: MIT
"""The Python configuration mirrors the C++ one field by field."""

import copy
import dataclasses
import inspect
import pickle
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import procmap
from procmap import Config, ConfigError, FileError, RefinementConfig, _core
from procmap.config import _fields

FIELDS = _core.config_fields()
PATHS = [field.path for field in FIELDS]


def python_fields(kind=Config, prefix=""):
    """Paths, types and classes of all parameters, in the order of declaration."""
    for f in dataclasses.fields(kind):
        default = f.default_factory() if f.default is dataclasses.MISSING else f.default
        if dataclasses.is_dataclass(default):
            yield from python_fields(type(default), f"{prefix}{f.name}.")
        else:
            yield prefix + f.name, default, kind


def value_of(config, path):
    for name in path.split("."):
        config = getattr(config, name)
    return config


def test_names_and_order_are_those_of_the_core():
    assert [path for path, _, _ in python_fields()] == PATHS


@pytest.mark.parametrize("field", FIELDS, ids=PATHS)
def test_default_and_type_are_those_of_the_core(field):
    default = next(value for path, value, _ in python_fields() if path == field.path)

    types = {"boolean": bool, "integer": int, "real": float, "choice": str}
    assert type(default) is type(field.default) is types[field.type]
    assert default == field.default == _core.Config().get(field.path)


def test_generated_classes_are_those_of_the_core():
    tool = Path(__file__).parents[3] / "python" / "write_config_fields.py"

    assert runpy.run_path(str(tool))["text"]() == inspect.getsource(_fields), f"run {tool}"


@pytest.mark.parametrize(("path", "default", "kind"), list(python_fields()))
def test_every_parameter_is_documented(path, default, kind):
    name = path.rpartition(".")[2]

    assert re.search(rf"^    {name}\n        [A-Z]", kind.__doc__, re.MULTILINE), default


def test_every_part_is_documented():
    (parts,) = re.findall(r"^    (coarsening, .*)$", Config.__doc__, re.MULTILINE)

    assert parts.split(", ") == [section.path for section in _core.config_sections()]


def test_choices_are_those_of_the_core():
    for field in FIELDS:
        for choice in field.choices:
            assert value_of(Config().replace({field.path: choice}), field.path) == choice


@pytest.mark.parametrize("name", Config.preset_names())
def test_preset_has_the_values_of_the_core(name):
    config, core = Config.preset(name), _core.Config.preset(name)

    again = config._native

    assert [again.get(path) for path in PATHS] == [core.get(path) for path in PATHS]


def test_presets_are_known_by_name():
    assert {"fast", "default", "strong"} < set(Config.preset_names())
    known = re.escape(", ".join(Config.preset_names()))
    with pytest.raises(ConfigError, match=known):
        Config.preset("ultra")
    with pytest.raises(ConfigError, match=known):
        Config.preset(3)


def presets_named_in(page):
    text = (Path(__file__).parents[3] / page).read_text()
    paragraph = re.search(r"^Presets: .*?\n\n", text, re.MULTILINE | re.DOTALL).group()
    return set(re.findall(r"`([a-z-]+)`", paragraph.partition("`procmap presets")[0]))


def test_pages_name_presets_that_exist_and_one_of_them_names_all():
    assert presets_named_in("README.md") <= set(Config.preset_names())
    assert presets_named_in("docs/site/algorithms.md") == set(Config.preset_names())


def test_replace_takes_paths_keywords_and_parts():
    config = Config()

    assert config.replace({"refinement.rounds": 20}).refinement.rounds == 20
    assert config.replace(refinement__rounds=20, method="integrated").method == "integrated"
    assert config.replace(refinement=RefinementConfig(rounds=7)).refinement.rounds == 7
    assert config.replace() == config
    assert config == Config()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.method = "integrated"


def test_values_are_stored_in_their_own_type():
    config = Config().replace(
        {
            "coarsening.shrink_factor": np.int64(3),
            "refinement.rounds": np.uint8(9),
            "refinement.subtree_swaps": np.False_,
            "refinement.progress": np.float32(0.5),
        }
    )

    assert type(config.coarsening.shrink_factor) is float
    assert type(config.refinement.rounds) is int
    assert config.refinement.subtree_swaps is False
    assert type(config.refinement.progress) is float


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("refinement.rounds", 0),
        ("refinement.rounds", 2.5),
        ("refinement.rounds", 12.0),
        ("refinement.rounds", "12"),
        ("refinement.rounds", True),
        ("refinement.rounds", None),
        ("refinement.rounds", 2**80),
        pytest.param("refinement.rounds", 10**5000, id="more digits than Python prints"),
        ("refinement.progress", float("nan")),
        ("refinement.progress", 1.5),
        ("refinement.progress", "0.5"),
        ("refinement.progress", True),
        ("refinement.subtree_swaps", "yes"),
        ("refinement.subtree_swaps", 2),
        ("refinement.rebalancing", "none"),
        ("refinement.rebalancing", 1),
        ("method", "\udcff"),
        ("refinement.rebalancing", True),
    ],
)
def test_unusable_value_is_refused_with_its_name(path, value):
    with pytest.raises(ConfigError, match=re.escape(path)):
        Config().replace({path: value})


@pytest.mark.parametrize("name", ["refinement.round", "rounds", "refinement__x__y", "", "_prefix"])
def test_unknown_parameter_is_named(name):
    with pytest.raises(ConfigError, match="unknown"):
        Config().replace({name: 1})


def test_parts_check_their_values_and_places():
    with pytest.raises(ConfigError, match=re.escape("refinement.rounds = 0 is outside [1,")):
        RefinementConfig(rounds=0)
    with pytest.raises(ConfigError, match="initial must be a InitialConfig"):
        Config(initial=RefinementConfig())


@pytest.mark.parametrize("name", Config.preset_names())
def test_round_trips_keep_every_value(name, tmp_path):
    config = Config.preset(name).replace(refinement__progress=0.1234567890123456)

    config.dump(tmp_path / "config.toml")

    assert Config.load(tmp_path / "config.toml", base=Config.preset("fast")) == config
    assert Config.from_dict(config.to_dict()) == config
    procmap.estimate_memory(10, 10, 2, config=config)  # the core has seen it
    assert pickle.loads(pickle.dumps(config)) == config
    assert copy.deepcopy(config) == config


def test_missing_parameters_come_from_the_base(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[refinement]\nrounds = 5\n")

    assert Config.load(path) == Config.preset("default").replace(refinement__rounds=5)
    base = Config.preset("im")
    assert Config.load(str(path), base=base) == base.replace(refinement__rounds=5)


def test_bad_files_are_named(tmp_path):
    path = tmp_path / "config.toml"

    with pytest.raises(FileError, match=r"config\.toml"):
        Config.load(path)
    path.write_bytes(b"rounds = \xff")
    with pytest.raises(FileError, match=r"config\.toml"):
        Config.load(path)
    path.write_text("[refinement\n")
    with pytest.raises(FileError, match=r"config\.toml"):
        Config.load(path)
    path.write_text("[refinement]\nround = 5\n")
    with pytest.raises(ConfigError, match=r"config\.toml: unknown parameter .refinement.round."):
        Config.load(path)
    path.write_text("refinement = 5\n")
    with pytest.raises(ConfigError, match=r"config\.toml: refinement must be"):
        Config.load(path)


def test_without_a_toml_reader_the_error_says_what_to_install(tmp_path, monkeypatch):
    Config().dump(tmp_path / "config.toml")
    monkeypatch.setitem(sys.modules, "tomllib", None)
    monkeypatch.setitem(sys.modules, "tomli", None)

    with pytest.raises(ImportError, match="pip install tomli"):
        Config.load(tmp_path / "config.toml")


def test_config_changes_the_mapping_and_overrides_the_preset():
    graph = procmap.Graph.from_edges([(i, i + 1) for i in range(300)])

    fast = procmap.partition(graph, 7, preset="fast")
    given = procmap.partition(graph, 7, preset="hm", config=Config.preset("fast"))

    assert (fast.blocks == given.blocks).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Config.from_dict(["method"]), r"data must be a dict by parameter, got \['method'"),
        (lambda: Config.from_dict(None), "data must be a dict by parameter, got None"),
        (lambda: Config.from_dict({"flow": 3}), "flow must be a dict by parameter, got 3"),
        (lambda: Config.from_dict({"flow": {1: 3}}), "flow must name parameters, got 1"),
        (lambda: Config().replace({"flow.rounds": 3.0}), r'flow.rounds = "3.0" is not an integer'),
        (lambda: Config().replace(5), "changes must be a dict by parameter, got 5"),
        (lambda: Config().replace({5: 1}), "changes must name parameters, got 5"),
        (lambda: Config().set_text("refinement.rounds", 5), "text must be a str, got 5"),
        (lambda: Config().set_text(None, "5"), "path must be a str, got None"),
    ],
)
def test_what_names_no_parameters_is_refused(call, message):
    with pytest.raises(ConfigError, match=message):
        call()
