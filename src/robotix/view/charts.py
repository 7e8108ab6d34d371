"""Charts over time as compact SVG, for embedding in HTML.

Colours are CSS variables of the page (`var(--…)`), so that one SVG suits light, dark and print.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array

__all__ = ["Band", "Chart", "Curve", "Limit", "Mark", "bars", "nice_ticks"]

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720.0, 62.0, 128.0, 14.0, 30.0
MAX_RIGHT = 300.0  # the margin on the right grows with its labels, up to this
CHARACTER = 6.6  # estimated mean width of a character; browsers choose the font
MAX_POINTS = 700  # of a drawn curve; more would not be visible


@dataclass(frozen=True, eq=False)
class Curve:
    """A line over time, with gaps at NaN."""

    label: str
    values: ArrayLike  # (N,)
    colour: str = "var(--ink)"
    dashes: str = ""
    is_stepped: bool = False


@dataclass(frozen=True, eq=False)
class Band:
    """An area between two curves."""

    label: str
    low: ArrayLike
    high: ArrayLike
    colour: str = "var(--band)"


@dataclass(frozen=True)
class Limit:
    """A level that should not be exceeded."""

    label: str
    value: float
    colour: str = "var(--act)"


@dataclass(frozen=True)
class Mark:
    """A marked instant."""

    label: str
    time: float


@dataclass(frozen=True, eq=False)
class Chart:
    """Curves over the same time."""

    title: str
    unit: str
    times: Array  # (N,), s
    curves: Sequence[Curve]
    bands: Sequence[Band] = ()
    limits: Sequence[Limit] = ()
    marks: Sequence[Mark] = ()
    height: float = 210.0
    span: tuple[float, float] | None = None  # of the values; automatic when None
    ticks: Sequence[float] = field(default_factory=tuple)  # of the values; automatic when empty
    time_unit: str = "s"  # at the end of the horizontal axis

    def svg(self) -> str:
        """Return the chart as SVG."""
        parts = [
            *self._grid(),
            *(self._area(band) for band in self.bands),
            *self._limit_lines(),
            *(self._line(curve) for curve in self.curves),
            *self._mark_lines(),
            *self._legend(),
        ]
        label = escape(f"{self.title}, {self.unit} over time")
        return (
            f'<svg class="chart" viewBox="0 0 {WIDTH:g} {self.height:g}" role="img" '
            f'aria-label="{label}">{"".join(parts)}</svg>'
        )

    # -- scales -----------------------------------------------------------------------------

    @property
    def _values(self) -> tuple[float, float]:
        if self.span is not None:
            return self.span
        series = [curve.values for curve in self.curves] + [band.high for band in self.bands]
        finite = [np.asarray(s, dtype=float)[np.isfinite(np.asarray(s, float))] for s in series]
        low = min((float(s.min()) for s in finite if s.size), default=0.0)
        high = max((float(s.max()) for s in finite if s.size), default=1.0)
        near = [limit.value for limit in self.limits if limit.value <= 1.35 * high]
        return min(low, 0.0), max([high, *near, low + 1e-6]) * 1.06

    def _x(self, time: ArrayLike) -> Array:
        first, last = float(self.times[0]), float(self.times[-1])
        fraction = (np.asarray(time, dtype=float) - first) / max(last - first, 1e-9)
        return LEFT + fraction * (self._right - LEFT)

    @property
    def _right(self) -> float:
        """Where the curves end; the labels on their right have the rest of the width."""
        keyed = [*(curve.label for curve in self.curves), *(band.label for band in self.bands)]
        widths = [27 + _text_width(label) for label in keyed]
        widths += [6 + _text_width(limit.label) for limit in self.limits]
        return WIDTH - min(max([RIGHT, *widths]), MAX_RIGHT)

    def _y(self, value: ArrayLike) -> Array:
        low, high = self._values
        fraction = (np.asarray(value, dtype=float) - low) / (high - low)
        return np.asarray(self.height - BOTTOM - fraction * (self.height - TOP - BOTTOM))

    # -- parts ------------------------------------------------------------------------------

    def _grid(self) -> list[str]:
        right, bottom = self._right, self.height - BOTTOM
        parts, end = [], right
        for value in self.ticks or nice_ticks(*self._values):
            y = float(self._y(value))
            if TOP - 1 <= y <= bottom + 1:
                parts.append(f'<path class="grid" d="M{LEFT:g} {y:.1f}H{right:g}"/>')
                parts.append(_text(LEFT - 7, y + 4, f"{value:g}", anchor="end"))
        for time in nice_ticks(float(self.times[0]), float(self.times[-1]), count=8):
            x = float(self._x(time))
            parts.append(f'<path class="grid" d="M{x:.1f} {bottom:g}v4"/>')
            parts.append(_text(x, bottom + 17, f"{time:g}", anchor="middle"))
            end = max(end, x + _text_width(f"{time:g}") / 2)
        parts.append(_text(end + 6, bottom + 17, self.time_unit))
        if _text_width(self.unit) <= LEFT - 7:
            parts.append(_text(LEFT - 7, TOP - 3, self.unit, anchor="end"))
        else:
            parts.append(_text(0, TOP - 3, self.unit))
        return parts

    def _limit_lines(self) -> list[str]:
        parts, right = [], self._right
        low, high = self._values
        for limit in self.limits:
            if low <= limit.value <= high:
                y = float(self._y(limit.value))
                style = f'style="stroke:{limit.colour}"'
                parts.append(f'<path class="limit" {style} d="M{LEFT:g} {y:.1f}H{right:g}"/>')
                parts.append(_text(right + 6, y + 4, limit.label, colour=limit.colour))
        return parts

    def _mark_lines(self) -> list[str]:
        parts = []
        for mark in self.marks:
            x = float(self._x(mark.time))
            parts.append(f'<path class="mark" d="M{x:.1f} {TOP:g}V{self.height - BOTTOM:g}"/>')
            parts.append(_text(x, TOP - 3, mark.label, anchor="middle"))
        return parts

    def _line(self, curve: Curve) -> str:
        rows = thinned(np.asarray(curve.values, dtype=float))
        values = np.asarray(curve.values, dtype=float)[rows]
        x, y = self._x(self.times[rows]), self._y(values)
        if len(rows) == 1:
            return f'<circle cx="{x[0]:.1f}" cy="{y[0]:.1f}" r="4" style="fill:{curve.colour}"/>'
        dashes = f";stroke-dasharray:{curve.dashes}" if curve.dashes else ""
        path = _path(x, y, stepped=curve.is_stepped)
        return f'<path class="curve" style="stroke:{curve.colour}{dashes}" d="{path}"/>'

    def _area(self, band: Band) -> str:
        high = np.asarray(band.high, dtype=float)
        rows = thinned(high)
        x = self._x(self.times[rows])
        low = np.asarray(band.low, dtype=float)[rows]
        ring_x, ring_y = np.r_[x, x[::-1]], self._y(np.r_[high[rows], low[::-1]])
        return f'<path style="fill:{band.colour}" d="{_path(ring_x, ring_y)}Z"/>'

    def _legend(self) -> list[str]:
        parts, x, y = [], self._right + 6, TOP + 6
        taken = [float(self._y(limit.value)) for limit in self.limits]
        items = [(curve.label, curve.colour, curve.dashes, 2.2) for curve in self.curves]
        items += [(band.label, band.colour, "", 9.0) for band in self.bands]
        for label, colour, dashes, width in items:
            if not label:
                continue
            while any(abs(y - other) < 14 for other in taken):
                y += 4
            style = f"stroke:{colour};stroke-width:{width:g};stroke-dasharray:{dashes or 'none'}"
            parts.append(f'<path style="{style}" d="M{x:g} {y:.1f}h16"/>')
            parts.append(_text(x + 21, y + 4, label))
            y += 16
        return parts


def thinned(values: Array) -> NDArray[np.int64]:
    """Return the rows to draw: all, or minimum and maximum of each of many intervals."""
    count = len(values)
    if count <= MAX_POINTS:
        return np.arange(count, dtype=np.int64)
    rows = [0, count - 1]
    filled = np.where(np.isfinite(values), values, 0.0)
    for part in np.array_split(np.arange(count), MAX_POINTS // 2):
        rows += [int(part[np.argmin(filled[part])]), int(part[np.argmax(filled[part])])]
    return np.unique(np.array(rows, dtype=np.int64))


def nice_ticks(low: float, high: float, *, count: float = 5) -> list[float]:
    """Return round numbers between two values, approximately `count` of them."""
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = math.ceil(low / step - 1e-9)
    return [
        round(k * step, 10) + 0.0
        for k in range(first, first + 50)
        if k * step <= high + 1e-9 * step
    ]


def bars(fractions: Sequence[tuple[str, float, str]]) -> str:
    """Return a stacked bar of parts: label, fraction of the whole, colour."""
    x, parts = 0.0, []
    for label, fraction, colour in fractions:
        if fraction > 0:
            title = escape(f"{label}: {100 * fraction:.0f} %")
            parts.append(
                f'<rect x="{100 * x:.2f}" width="{100 * fraction:.2f}" height="10" '
                f'style="fill:{colour}"><title>{title}</title></rect>'
            )
            x += fraction
    return (
        f'<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none">{"".join(parts)}</svg>'
    )


def _path(x: Array, y: Array, *, stepped: bool = False) -> str:
    """Return the SVG path of a line, with gaps at NaN."""
    words, is_down = [], False
    for here, there in zip(x.tolist(), y.tolist(), strict=True):
        if not math.isfinite(there):
            is_down = False
            continue
        if not is_down:
            words.append(f"M{here:.1f} {there:.1f}")
        elif stepped:
            words.append(f"H{here:.1f}V{there:.1f}")
        else:
            words.append(f"L{here:.1f} {there:.1f}")
        is_down = True
    return "".join(words)


def _text_width(words: str) -> float:
    return CHARACTER * len(words)


def _text(x: float, y: float, words: str, *, anchor: str = "start", colour: str = "") -> str:
    style = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'
