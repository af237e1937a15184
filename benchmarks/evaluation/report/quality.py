# SPDX-License-Identifier: MIT
"""Profiles, speedups, Pareto front, and who is better than whom (Fig. 1 and Fig. 2)."""

from __future__ import annotations

from collections.abc import Sequence

from harness.report import geometric_mean

from evaluation import profiles
from evaluation.means import Means, labels, mean_ratio, only, ratios
from evaluation.profiles import Loss
from evaluation.report.pages import Page, percent
from evaluation.report.svg import Axis, Series, chart

CLASSES = ((1.0, "as fast"), (10.0, "within 10 times its time"), (float("inf"), "any"))
TAU_SHOWN = 2.0
LISTED = 40  # losses on the page; the CSV file has all


def profile_chart(title: str, found: Means, shown: Sequence[str]) -> str:
    """Return a performance profile of some programs, the best taken over these alone.

    A preset that is shown as on a CPU has the same J on a GPU, and no second line.
    """
    twice = {f"{name} on GPU" for name in shown}
    names = [name for name in shown if name not in twice]
    own = only(found, names)
    series = [Series(name, profiles.profile(own, name), steps=True) for name in names]
    x = Axis("J over the best (tau)", log=True, low=1, high=TAU_SHOWN)
    return chart(title, x, Axis("fraction of instances", low=0, high=1), series)


def speedup_chart(title: str, found: Means, shown: Sequence[str], base: str) -> str:
    """Return the speedups over `base` on all instances, each program's sorted."""
    series = []
    for name in shown:
        values = profiles.speedups(found, name, base)
        points = [((i + 0.5) / len(values), value) for i, value in enumerate(values)]
        series.append(Series(name, points))
    x = Axis("fraction of instances, largest speedup first", low=0, high=1)
    return chart(title, x, Axis(f"time of {base} over time", log=True), series)


def quality_table(page: Page, found: Means, shown: Sequence[str], base: str) -> None:
    """Who is best how often, how far off the others are, and how fast."""
    own = only(found, shown)
    table = []
    for name in sorted(shown, key=lambda n: profiles.quality(own, n).excess):
        how = profiles.quality(own, name)
        times = profiles.speedups(own, name, base)
        excess = percent(how.excess - 1)
        fastest = times[0] if times else None
        table.append([name, how.solved, percent(how.best), excess, how.worst,
                      geometric_mean(times), fastest])  # fmt: skip
    header = ["program", "instances", "best on", "J above best", "worst factor",
              f"speedup over {base}", "largest"]  # fmt: skip
    page.table(header, table)


def own(page: Page, found: Means, presets: Sequence[str]) -> None:
    """Fig. 1: the paper's three, and then all presets."""
    page.heading("procmap's presets (Fig. 1)")
    parts = ((("im", "hm", "hm-ultra"), "those that follow the paper", "fig1"),
             (tuple(presets), "all", "fig1_all"))  # fmt: skip
    for names, what, file in parts:
        shown = [name for name in labels(found) if name.removesuffix(" on GPU") in names]
        base = "hm-ultra" if "hm-ultra" in shown else "hm-ultra on GPU"
        if len(shown) < 2 or base not in shown:
            continue
        page.heading(f"Presets: {what}", 3)
        title = f"Performance profile, presets: {what}"
        page.chart(f"{file}_profile", profile_chart(title, found, shown))
        title = f"Speedup over {base}, presets: {what}"
        others = [name for name in shown if name != base]
        page.chart(f"{file}_speedup", speedup_chart(title, found, others, base))
        quality_table(page, found, shown, base)


def everyone(page: Page, found: Means, base: str, chosen: Sequence[str]) -> None:
    """Fig. 2: all programs."""
    page.heading("All programs (Fig. 2)")
    most = [name for name in labels(found) if profiles.quality(found, name).solved > len(found) / 2]
    shown = [name for name in chosen if name in most]
    if base in labels(found):
        page.say(
            f"Shown are {', '.join(shown)}. The table has all, those too that ran on half of the "
            f"{len(found)} instances or fewer."
        )
        page.chart("fig2_profile", profile_chart("Performance profile", found, shown))
        title = f"Speedup over {base}"
        page.chart("fig2_speedup", speedup_chart(title, found, shown, base))
    quality_table(page, found, labels(found), base)


def pareto(page: Page, found: Means, base: str) -> None:
    """J against time, both over those of `base`, on the instances both have."""
    page.heading("J against time")
    points = {}
    for name in labels(found):
        if ratios(found, name, base, "cost"):
            points[name] = (mean_ratio(found, name, base, "cost"),
                            mean_ratio(found, name, base, "seconds"))  # fmt: skip
    front = profiles.pareto(points)
    page.say(
        f"Geometric means over {base}'s. On the front, where no program is better in both: "
        f"{', '.join(front)}."
    )
    series = [Series(name, [(time, cost)], marks=True) for name, (cost, time) in points.items()]
    line = Series("front", [(points[name][1], points[name][0]) for name in front])
    x = Axis(f"time over {base}'s", log=True)
    y = Axis(f"J over {base}'s", log=True)
    page.chart("pareto", chart("J against time", x, y, [line, *series]))
    table = [
        [name, cost, time, len(ratios(found, name, base, "cost")), "front" if name in front else ""]
        for name, (cost, time) in sorted(points.items(), key=lambda item: item[1])
    ]
    page.table(["program", f"J over {base}'s", "time over its", "instances", ""], table)


def classes(page: Page, found: Means, presets: Sequence[str], rivals: Sequence[str]) -> None:
    """Fraction of instances on which a preset is best, among rivals of its time."""
    page.heading("How often a preset is best")
    page.say(
        "Share of instances on which no rival has a lower mean J, among the rivals that take at "
        "most as long on that instance as the preset, at most ten times as long, and among all."
    )
    table = [
        [preset, *(percent(profiles.best_in_class(found, preset, rivals, slower))
                   for slower, _ in CLASSES)]
        for preset in presets
    ]  # fmt: skip
    page.table(["preset", *(f"rivals: {name}" for _, name in CLASSES)], table)


def lost(page: Page, found: Means, presets: Sequence[str], rivals: Sequence[str]) -> None:
    """Every instance where a rival is better."""
    page.heading("Where rivals are better")
    every = [loss for preset in presets for loss in profiles.losses(found, preset, rivals)]
    total = len(found)
    table = []
    for preset in presets:
        own_losses = [loss for loss in every if loss.preset == preset]
        instances = {loss.instance for loss in own_losses}
        names = sorted({loss.rival for loss in own_losses})
        worst = max((loss.factor for loss in own_losses), default=None)
        table.append([preset, f"{len(instances)} of {total}", worst, ", ".join(names) or "none"])
    page.table(["preset", "instances", "largest factor", "rivals"], table)
    header = ["preset", "graph", "machine", "rival", "J over the rival's", "rival's time over ours"]
    page.csv(
        "losses", f"All {len(every)}, of all presets", header, [_cells(loss) for loss in every]
    )
    for preset in ("strong", "default"):
        own_losses = [loss for loss in every if loss.preset == preset]
        if own_losses:
            page.heading(f"{preset}: {len(own_losses)} cases", 3)
            page.table(header[1:], [_cells(loss)[1:] for loss in own_losses[:LISTED]], left=3)
            if len(own_losses) > LISTED:
                page.say(f"The other {len(own_losses) - LISTED} are in the file above.")


def _cells(loss: Loss) -> list[object]:
    return [loss.preset, *loss.instance, loss.rival, loss.factor, loss.time]


def pairs(page: Page, found: Means, kinds: dict[str, str], presets: Sequence[str],
          rivals: Sequence[str]) -> None:  # fmt: skip
    """J of presets over that of every rival, on regular and irregular graphs."""
    page.heading("Each against each")
    page.say("Geometric means of J over the rival's; below 1 the preset is better.")
    for preset in presets:
        table = []
        for rival in rivals:
            cells: list[object] = [rival]
            for kind in ("regular", "irregular", None):
                part = {i: by for i, by in found.items() if kind in (kinds[i[0]], None)}
                cells.append(mean_ratio(part, preset, rival, "cost"))
            over = ratios(found, preset, rival, "cost")
            better = sum(ratio < 1 for ratio in over) / max(1, len(over))
            time = mean_ratio(found, preset, rival, "seconds")
            table.append([*cells, percent(better) if over else None, len(over), time])
        page.heading(f"{preset} over", 3)
        page.table(
            ["rival", "regular", "irregular", "all", "better on", "instances", "time"], table
        )
