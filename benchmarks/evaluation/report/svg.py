# SPDX-License-Identifier: MIT
"""Line charts and scatter plots as SVG that can be read on light and dark pages.

Text and axes have the colour of the text around them (`currentColor`); a file that is looked at on
its own follows the scheme of the browser. Lines differ in dashes as well as in colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

COLOURS = ("#0a84d6", "#e06c00", "#1a9c5b", "#c2519d", "#8a6fd6", "#b8860b", "#d64545", "#4aa3a3",
           "#7a8a99", "#a0522d")  # fmt: skip
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4")
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 34, 50
DARK = "@media (prefers-color-scheme: dark) { svg:root { color: #ddd; background: #1e2129 } }"
MARGIN = 0.04  # of the range, on both sides where no end was asked for
LINE_STEP = 18  # between the lines of a legend


@dataclass(frozen=True)
class Series:
    """A line, or points if `marks`; x and y as they stand on the axes."""

    label: str
    points: Sequence[tuple[float, float]]
    marks: bool = False
    steps: bool = False


@dataclass(frozen=True)
class Axis:
    """What an axis shows."""

    title: str
    log: bool = False
    low: float | None = None
    high: float | None = None


def chart(title: str, x: Axis, y: Axis, series: Sequence[Series]) -> str:
    """Return a chart; points beyond the ends of an axis are left out."""
    shown = [(line, _drawable(line, x, y)) for line in series]
    shown = [(line, points) for line, points in shown if points]
    points = [point for _, own in shown for point in own]
    horizontal = _Scale(x, [p[0] for p in points], LEFT, WIDTH - RIGHT)
    vertical = _Scale(y, [p[1] for p in points], HEIGHT - BOTTOM, TOP)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">'
        ),
        f"<title>{escape(title)}</title>",
        f"<style>{DARK}</style>",
        f'<text x="{LEFT}" y="18" font-size="14" fill="currentColor">{escape(title)}</text>',
        *_axes(x, y, horizontal, vertical),
    ]
    marked = [point for line, own in shown if line.marks for point in own]
    names = _Names([(horizontal(a), vertical(b)) for a, b in marked])
    for number, (line, own) in enumerate(shown):
        look = _Look(COLOURS[number % len(COLOURS)], DASHES[number // 2 % len(DASHES)], number)
        parts += _line(line, own, horizontal, vertical, look, names)
    return "\n".join([*parts, "</svg>", ""])


class _Names:
    """Names beside points, each where it covers no name and no point if there is such a place."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        self._taken = [(x - 5, x + 5, y + 4) for x, y in points]  # left, right, height

    def beside(self, label: str, at: tuple[float, float]) -> str:
        """Return a name at the right of a point, at its left, above or below."""
        x, y = at
        width = 6.2 * len(label)  # about, at a size of 11
        places = [(x + 8 + left, y + 4 + down) for down in (0, -11, 11, -22, 22, -33, 33)
                  for left in (0, -16 - width)]  # fmt: skip
        left, base = next((place for place in places if self._is_free(*place, width)), places[0])
        self._taken.append((left, left + width, base))
        place = f'x="{left:.1f}" y="{base:.1f}"'
        return f'<text {place} font-size="11" fill="currentColor">{escape(label)}</text>'

    def _is_free(self, left: float, base: float, width: float) -> bool:
        return left > LEFT and all(
            left > end or left + width < begin or abs(base - other) >= 11
            for begin, end, other in self._taken
        )


@dataclass(frozen=True)
class _Look:
    colour: str
    dash: str
    number: int

    @property
    def stroke(self) -> str:
        dash = f' stroke-dasharray="{self.dash}"' if self.dash else ""
        return f'fill="none" stroke="{self.colour}" stroke-width="2"{dash}'


class _Scale:
    """From a value to a coordinate."""

    def __init__(self, axis: Axis, values: Sequence[float], begin: float, end: float) -> None:
        self.log = axis.log
        least, most = min(values, default=1.0), max(values, default=1.0)
        if not most > least:
            least, most = least * 0.9, least * 1.1 + 1e-9
        around = MARGIN * (math.log(most / least) if self.log else most - least)
        low = least * math.exp(-around) if self.log else least - around
        high = most * math.exp(around) if self.log else most + around
        self.low = low if axis.low is None else axis.low
        self.high = high if axis.high is None else axis.high
        self._begin, self._end = begin, end

    def __call__(self, value: float) -> float:
        low, high, at = (self._linear(v) for v in (self.low, self.high, value))
        share = min(1.0, max(0.0, (at - low) / (high - low)))
        return round(self._begin + share * (self._end - self._begin), 1)

    def _linear(self, value: float) -> float:
        return math.log(value) if self.log else value

    def ticks(self) -> list[float]:
        """Return round numbers within the range."""
        return log_ticks(self.low, self.high) if self.log else linear_ticks(self.low, self.high)


def linear_ticks(low: float, high: float) -> list[float]:
    """Return about five multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / 5
    power = 10 ** math.floor(math.log10(rough))
    step = next(f * power for f in (1, 2, 5, 10) if f * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten, with 2 and 5 times them where there would be few."""
    exponents = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    for factors in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 3, 5)):
        ticks = [round(f * 10.0**e, 12) for e in exponents for f in factors]
        ticks = [t for t in ticks if low * 0.999 <= t <= high * 1.001]
        if len(ticks) >= 4:
            break
    return ticks[:: 1 + len(ticks) // 10]


def number(value: float) -> str:
    """Return a number as short as it can be read."""
    if value != 0 and (abs(value) >= 1e5 or abs(value) < 1e-3):
        exponent = math.floor(math.log10(abs(value)) + 1e-9)
        factor = f"{value / 10**exponent:.3g}"
        return f"10^{exponent}" if factor == "1" else f"{factor}*10^{exponent}"
    return f"{value:.6g}"


def _drawable(line: Series, x: Axis, y: Axis) -> list[tuple[float, float]]:
    return [(a, b) for a, b in line.points if _fits(a, x) and _fits(b, y)]


def _fits(value: float, axis: Axis) -> bool:
    above = axis.low is None or value >= axis.low
    below = axis.high is None or value <= axis.high
    return math.isfinite(value) and (value > 0 or not axis.log) and above and below


def _axes(x: Axis, y: Axis, horizontal: _Scale, vertical: _Scale) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    thin = 'stroke="currentColor" stroke-opacity="0.18"'
    text = 'fill="currentColor"'
    parts = []
    for tick in horizontal.ticks():
        at = horizontal(tick)
        parts.append(f'<line x1="{at}" x2="{at}" y1="{TOP}" y2="{bottom}" {thin}/>')
        parts.append(
            f'<text x="{at}" y="{bottom + 16}" text-anchor="middle" {text}>{number(tick)}</text>'
        )
    for tick in vertical.ticks():
        at = vertical(tick)
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{at}" y2="{at}" {thin}/>')
        parts.append(
            f'<text x="{LEFT - 6}" y="{at + 4}" text-anchor="end" {text}>{number(tick)}</text>'
        )
    middle_x, middle_y = (LEFT + right) / 2, (TOP + bottom) / 2
    parts.append(
        f'<text x="{middle_x}" y="{HEIGHT - 12}" text-anchor="middle" {text}>'
        f"{escape(x.title)}</text>"
    )
    parts.append(
        f'<text x="14" y="{middle_y}" text-anchor="middle" transform="rotate(-90 14 {middle_y})" '
        f"{text}>{escape(y.title)}</text>"
    )
    frame = f'x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}"'
    parts.append(f'<rect {frame} fill="none" stroke="currentColor" stroke-opacity="0.5"/>')
    return parts


def _line(
    line: Series, points: Sequence[tuple[float, float]], horizontal: _Scale, vertical: _Scale,
    look: _Look, names: _Names,
) -> list[str]:  # fmt: skip
    places = [(horizontal(a), vertical(b)) for a, b in points]
    legend_x, legend_y = WIDTH - RIGHT + 12, TOP + 8 + LINE_STEP * look.number
    parts = []
    if line.marks:
        parts += [f'<circle cx="{a}" cy="{b}" r="5" fill="{look.colour}"/>' for a, b in places]
        parts.append(names.beside(line.label, places[0]))
        return parts
    if line.steps:
        places.append((horizontal(horizontal.high), places[-1][1]))
    parts.append(f'<path d="{_path(places, line.steps)}" {look.stroke}/>')
    parts.append(f'<path d="M{legend_x} {legend_y}h26" {look.stroke}/>')
    parts.append(
        f'<text x="{legend_x + 32}" y="{legend_y + 4}" fill="currentColor">'
        f"{escape(line.label)}</text>"
    )
    return parts


def _path(places: Sequence[tuple[float, float]], steps: bool) -> str:
    text = f"M{places[0][0]} {places[0][1]}"
    before = places[0]
    for a, b in places[1:]:
        if (a, b) == before:
            continue
        text += f"H{a}V{b}" if steps else f"L{a} {b}"
        before = (a, b)
    return text
