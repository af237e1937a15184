# SPDX-License-Identifier: MIT
"""The page to look at: what it says is true, it needs no network, and browsers draw it."""

import html
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import procmap
from procmap import Topology
from procmap.mapping._aggregate import level_costs, traffic_between
from support import grid, tails

TREE = Topology.hierarchy("2:2:3", "1:10:100").with_hosts("node[1-3]")
MACHINES = {"tree": TREE, "grid": Topology.torus(3, 4), "matrix": Topology.dragonfly(3, 2, 2)}
BROWSERS = ("chromium", "google-chrome", "/usr/lib/chromium/chromium-headless-shell")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)


def data_of(page):
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text)


def dense(part, name):
    matrix = np.zeros((len(part["names"]),) * 2)
    for row, column, value in part[name]:
        matrix[row, column] = value
    return matrix


@pytest.mark.parametrize("kind", MACHINES)
def test_a_mapping_writes_a_page_of_its_own(tmp_path, kind):
    mapping = procmap.map(grid(12, 12), MACHINES[kind])

    mapping.write(tmp_path / "report.html")

    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r"https?:|//[a-z]+\.|@import|url\(|<link|src=", page)
    assert "default-src 'none'" in page
    assert data_of(page)["machine"]["kind"] == kind
    assert f"<dd>{mapping.cost:,}</dd>" in page
    assert page == mapping.report().to_html()


def test_matrices_and_loads_are_those_of_the_mapping():
    graph = grid(12, 12)
    mapping = procmap.map(graph, TREE)

    data = data_of(mapping.report().to_html())

    assert [part["title"] for part in data["matrices"]] == ["nodes", "groups of 2 PEs", "PEs"]
    for part, per_group in zip(data["matrices"], (4, 2, 1), strict=True):
        group = mapping.blocks // per_group
        expected = np.zeros((12 // per_group,) * 2)
        np.add.at(expected, (group[tails(graph)], group[graph.heads]), graph.arc_weights)
        np.testing.assert_allclose(dense(part, "after"), expected)
    assert data["matrices"][0]["names"] == ["node1", "node2", "node3"]
    assert data["table"]["load"] == mapping.block_weights.tolist()
    (loads,) = data["loads"]
    assert loads["values"] == sorted(mapping.block_weights.tolist(), reverse=True)
    away = mapping.blocks[tails(graph)] != mapping.blocks[graph.heads]
    sent = np.bincount(mapping.blocks[tails(graph)][away], minlength=12)
    assert data["table"]["after"] == sent.tolist()


def test_shares_of_the_levels_sum_up_to_the_cost():
    for tasks in (grid(12, 12), np.triu(np.ones((12, 12), int))):
        mapping = procmap.map(tasks, TREE)

        assert level_costs(mapping).sum() == mapping.cost


def test_what_traffic_sends_is_divided_between_its_ends():
    graph = procmap.Traffic.from_matrix([[0, 6], [2, 0]]).to_graph()

    assert traffic_between(graph, np.array([0, 1]), 2).tolist() == [[0, 4], [4, 0]]


@pytest.mark.parametrize(
    "machine",
    [Topology.hierarchy("4:25:1000", "1:10:100"), Topology.torus(10, 100, 100)],
    ids=["tree", "torus"],
)
def test_a_hundred_thousand_pes_are_shown_in_groups(machine):
    graph = grid(320, 320)
    blocks = (np.arange(graph.num_vertices) % machine.num_pes).astype(np.int32)
    found = procmap.evaluate(graph, blocks, machine)
    found.__dict__["arrangements"] = {"partition": blocks, "block": blocks}  # that takes minutes
    page = found.to_html()

    data = data_of(page)
    assert len(page) < 1_000_000
    assert all(len(part["names"]) <= 96 for part in data["matrices"])
    assert sum(value for *_, value in data["matrices"][-1]["after"]) == pytest.approx(
        len(graph.heads), rel=0.01
    )
    assert len(data["table"]["names"]) <= 1000


def test_names_end_no_element():
    found = procmap.evaluate(grid(2, 2), [0, 1, 2, 3], Topology.hierarchy("2:2", "1:10"))

    page = found.to_html("</script><b>&")

    assert "</script><b>" not in page
    assert "&lt;/script&gt;&lt;b&gt;&amp;" in page


def test_other_presets_are_mapped_with_the_same_demands(tmp_path):
    capacities = [20] * 11 + [0]
    mapping = procmap.map(grid(12, 12), TREE, capacities=capacities)

    mapping.write(tmp_path / "x.html", presets=["fast", "default"])

    page = (tmp_path / "x.html").read_text()
    fast = procmap.map(grid(12, 12), TREE, capacities=capacities, preset="fast")
    assert f"<tr><th>fast</th><td>{fast.cost:,}</td>" in page
    assert "<td>the same</td>" in page
    with pytest.raises(procmap.ConfigError, match="best"):
        mapping.write(tmp_path / "y.html", presets=["best"])
    with pytest.raises(procmap.ConfigError, match="presets are for pages"):
        mapping.write(tmp_path / "y", presets=["fast"])
    assert not (tmp_path / "y.html").exists()


def two_weights():
    """A mapping by work and memory: the upper half of the tasks is more work."""
    work = np.repeat([3, 1], 72)
    return procmap.map(
        grid(12, 12), TREE, vertex_weights={"work": work, "<memory>": np.ones(144, int)}
    )


def test_every_weight_is_shown_by_its_name():
    mapping = two_weights()

    page = mapping.report().to_html()

    data = data_of(page)
    assert [part["name"] for part in data["loads"]] == ["work", "<memory>"]
    for part, key, weight in zip(data["loads"], ("load", "load1"), mapping.weights, strict=True):
        assert part["capacity"] == weight.capacity
        assert data["table"][key] == weight.block_weights.tolist()
        assert part["values"] == sorted(weight.block_weights.tolist(), reverse=True)
    assert data["limit"] == 1
    assert f"<dt>heaviest PE of work</dt><dd>{mapping.max_block_weight}</dd>" in page
    assert "imbalance of &lt;memory&gt;" in page


def test_the_weight_that_exceeds_is_named():
    weights = {"work": np.zeros(9, int), "memory": np.ones(9, int)}
    capacities = np.full((12, 2), 9)
    capacities[:, 1] = 2

    found = procmap.evaluate(
        grid(3, 3), [0] * 9, TREE, vertex_weights=weights, capacities=capacities
    )

    assert (
        "Infeasible: the heaviest PE carries 9 of memory, more than it may (2)" in found.to_html()
    )


def test_infeasible_mappings_say_so_first():
    found = procmap.evaluate(grid(3, 3), np.zeros(9, int), TREE)

    assert found.to_html().index("Infeasible: the heaviest PE carries 9") < found.to_html().index(
        "J is "
    )


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_map_is_shown_too(n):
    empty = procmap.Graph.from_csr([0] * (n + 1), [])

    for machine in (*MACHINES.values(), Topology.flat(1)):
        assert data_of(procmap.evaluate(empty, [0] * n, machine).to_html())


def test_notebooks_show_the_first_panel():
    mapping = procmap.map((grid(6, 6).offsets, grid(6, 6).heads), TREE)

    panel = mapping._repr_html_()

    assert panel == mapping.report()._repr_html_()
    assert f"<dd>{mapping.cost:,}</dd>" in panel
    assert "<script" not in panel


def test_command_line_writes_the_page(run_cli, grid_file, tmp_path):
    machine = ("-H", "2:2:3", "-D", "1:10:100")
    np.save(tmp_path / "t.npy", np.triu(np.ones((12, 12), int)))

    for arguments in (
        ("map", grid_file, *machine, "-o", "out"),
        ("evaluate", grid_file, "out", *machine),
        ("partition", grid_file, "-k", 4, "--report-presets", "fast,default"),
        ("reorder", "t.npy", *machine),
    ):
        result = run_cli(*arguments, "--report", "r.html")

        assert (result.returncode, result.stderr) == (0, "")
        assert data_of((tmp_path / "r.html").read_text())
        (tmp_path / "r.html").unlink()
    refused = run_cli("partition", grid_file, "-k", 4, "--report-presets", "fast")
    assert "--report-presets is for --report" in refused.stderr


# Uses every control, and leaves in the document what came of it.
VISIT = """<script>
const seen = {};
const act = (id, value, event) => {
  const control = byId(id);
  if (control.type === "checkbox") control.checked = value; else control.value = value;
  control.dispatchEvent(new Event(event));
};
const rows = () => byId("rows").children.length;
seen.rows = rows();
seen.groups = byId("groups").options.length;
act("groups", data.matrices.length - 1, "input");
act("inside", true, "input");
act("least", "0", "input");
seen.least = byId("least-shown").textContent;
act("filter", "node2", "input"); seen.filtered = rows(); act("filter", "", "input");
document.querySelector('[data-by="load"]').click();
seen.first = byId("rows").children[0].children[2].textContent;
act("over", true, "input"); seen.over = rows();
if (byId("machine-by")) act("machine-by", "load", "change");
const map = byId("machine"), box = map.getBoundingClientRect();
const point = { clientX: box.left + 3, clientY: box.top + 34 };
map.dispatchEvent(new PointerEvent("pointermove", point));
seen.tip = byId("tip").textContent;
seen.weights = [...document.querySelectorAll('[data-by^="load"]')].map((b) => b.textContent).join();
byId("weight").dispatchEvent(new Event("input"));
seen.wide = document.documentElement.scrollWidth <= innerWidth;
seen.width = innerWidth;
const after = byId("after"), pen = after.getContext("2d");
const pixels = pen.getImageData(0, 0, after.width, after.height).data;
seen.colours = new Set(new Uint32Array(pixels.buffer)).size;
document.body.dataset.seen = JSON.stringify(seen);
</script>"""


# Chromium's windows are never narrower than 500 pixels; frames are.
FRAME = """<body><iframe src="x.html" style="width:{}px;height:900px;border:0"></iframe><script>
const frame = document.querySelector("iframe");
frame.onload = () => document.body.dataset.seen = frame.contentDocument.body.dataset.seen;
</script></body>"""


needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason=f"there is none of {BROWSERS}")


def visited(page, width, folder):
    """What `VISIT` found in a browser of this width."""
    (folder / "x.html").write_text(page.replace("</body>", VISIT + "</body>"))
    (folder / "frame.html").write_text(FRAME.format(width))

    done = subprocess.run(
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}",
         "--allow-file-access-from-files", "--window-size=1700,1000", "--dump-dom",
         f"file://{folder}/frame.html"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    (text,) = re.findall(r'data-seen="(.*?)"', done.stdout) or [""]
    seen = json.loads(html.unescape(text) or "{}")
    assert seen, done.stderr[-2000:]
    assert seen["wide"]
    assert seen["width"] == width
    return seen


@needs_chromium
@pytest.mark.parametrize(("kind", "width"), [("tree", 400), ("grid", 1000), ("matrix", 1600)])
def test_a_browser_draws_it_and_its_controls_work(tmp_path, kind, width):
    mapping = procmap.map(grid(12, 12), MACHINES[kind])

    seen = visited(mapping.report().to_html(), width, tmp_path)

    assert seen["rows"] == 12
    assert seen["groups"] == (3 if kind == "tree" else 1)
    assert seen["filtered"] == (4 if kind == "tree" else 0)
    assert seen["first"] == str(mapping.max_block_weight)
    assert seen["over"] == 0
    assert seen["least"] not in ("", "all")
    assert ("distance" if kind == "matrix" else "sends away") in seen["tip"]
    assert seen["colours"] >= 2
    assert seen["weights"] == "load"


@needs_chromium
def test_a_browser_shows_a_column_for_every_weight(tmp_path):
    mapping = two_weights()

    seen = visited(mapping.report().to_html(), 400, tmp_path)

    assert seen["weights"] == "work,<memory>"
    assert seen["first"] == str(mapping.max_block_weight)
    assert "of what it may carry" in seen["tip"]
