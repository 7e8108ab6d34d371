"""Stability maps and runs at a wall as SVG."""

from __future__ import annotations

from html import escape
from itertools import groupby

import numpy as np

from robotix.geometry import Array
from robotix.haptics.walls.parameter_map import MapAxis, ParameterMap
from robotix.haptics.walls.stability_map import StabilityMap
from robotix.view.charts import nice_ticks

__all__ = ["map_svg", "parameter_map_svg"]

WIDTH, HEIGHT = 760.0, 460.0
LEFT, RIGHT, TOP, BOTTOM = 70.0, 30.0, 64.0, 50.0
STABLE_PASSIVE, STABLE_ACTIVE, UNSTABLE = "#bfe3c6", "#fbe3a6", "#f3b6b0"
WORDS = ("stiffness of the wall, N/m", "damping of the wall, N s/m")
COLOURS = (
    "stable and passive in this run (green), stable with an energy leak (yellow), unstable (red)"
)
STYLE = "text{font:13px sans-serif;fill:#222}"


def map_svg(found: StabilityMap) -> str:
    """Return a map: cells by run, lines by the closed forms."""
    scale = _Scale(found.stiffness, found.damping)
    cells = [
        scale.cells(start, end, j, colour)
        for j in range(len(found.damping))
        for start, end, colour in _strips(found, j)
    ]
    lines = [
        scale.line(found.passivity_limits, found.damping, "#1b62c4", ""),
        scale.line(found.linear_limits, found.damping, "#222", "6 4"),
    ]
    device = found.trial.device
    words = (
        f"{device.rate:g} Hz, {device.mass + found.trial.hand.mass:g} kg, "
        f"{device.damping:g} N s/m, delay {device.delay_samples} samples"
    )
    legend = (
        f'<text x="{LEFT}" y="18">{escape(words)}</text>'
        f'<text x="{LEFT}" y="36">{COLOURS}</text>'
        f'<text x="{LEFT}" y="54" style="fill:#1b62c4">— passive for any operator (Colgate)</text>'
        f'<text x="{LEFT + 300}" y="54">- - stable spring, linear theory</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="stability over stiffness and damping"><style>{STYLE}</style>'
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="#fff"/>'
        f"{''.join(cells)}{''.join(lines)}{scale.axes()}{legend}</svg>"
    )


def parameter_map_svg(found: ParameterMap) -> str:
    """Return a map over any two parameters; dots mark cells that are passive for any operator."""
    scale = _Scale(
        found.x.values, found.y.values, words=(_axis_words(found.x), _axis_words(found.y))
    )
    cells, dots = [], []
    for j, b in enumerate(found.y.values):
        cells += [scale.cells(start, end, j, colour) for start, end, colour in _strips(found, j)]
        dots += [
            f'<circle cx="{scale.x(float(a)):.1f}" cy="{scale.y(float(b)):.1f}" r="1.6" '
            'fill="#1b62c4"/>'
            for i, a in enumerate(found.x.values)
            if found.is_passive[j, i]
        ]
    legend = (
        f'<text x="{LEFT}" y="36">{COLOURS}</text>'
        f'<text x="{LEFT}" y="54" style="fill:#1b62c4">• passive for any operator (Colgate), '
        "without delay</text>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="stability over {found.x.name} and {found.y.name}"><style>{STYLE}</style>'
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="#fff"/>'
        f"{''.join(cells)}{''.join(dots)}{scale.axes()}{legend}</svg>"
    )


def _axis_words(axis: MapAxis) -> str:
    return f"{axis.name.replace('_', ' ')}, {axis.unit}"


def _strips(found: StabilityMap | ParameterMap, j: int) -> list[tuple[int, int, str]]:
    """Return first and last cell and the colour of all strips of one colour in a row."""
    colours = [
        _colour(bool(stable), float(leak))
        for stable, leak in zip(found.is_stable[j], found.energy_leak[j], strict=True)
    ]
    strips, start = [], 0
    for colour, group in groupby(colours):
        end = start + len(list(group))
        strips.append((start, end, colour))
        start = end
    return strips


def _colour(is_stable: bool, leak: float) -> str:
    if not is_stable:
        return UNSTABLE
    return STABLE_PASSIVE if leak <= 1e-9 else STABLE_ACTIVE


class _Scale:
    """Positions of a map: stiffness to the right, damping upwards, both linear."""

    def __init__(self, stiffness: Array, damping: Array, words: tuple[str, str] = WORDS) -> None:
        self.k, self.b, self.words = _edges(stiffness), _edges(damping), words

    def x(self, k: float) -> float:
        fraction = (k - self.k[0]) / (self.k[-1] - self.k[0])
        return float(LEFT + fraction * (WIDTH - LEFT - RIGHT))

    def y(self, b: float) -> float:
        fraction = (b - self.b[0]) / (self.b[-1] - self.b[0])
        return float(HEIGHT - BOTTOM - fraction * (HEIGHT - TOP - BOTTOM))

    def cells(self, start: int, end: int, j: int, colour: str) -> str:
        x0, x1 = self.x(self.k[start]), self.x(self.k[end])
        y0, y1 = self.y(self.b[j + 1]), self.y(self.b[j])
        return (
            f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0 + 0.3:.1f}" '
            f'height="{y1 - y0 + 0.3:.1f}" fill="{colour}"/>'
        )

    def line(self, stiffness: Array, damping: Array, colour: str, dashes: str) -> str:
        points = " ".join(
            f"{self.x(float(k)):.1f},{self.y(float(b)):.1f}"
            for k, b in zip(stiffness, damping, strict=True)
            if k > 0
        )
        area = f"{LEFT:g} {TOP:g} {WIDTH - LEFT - RIGHT:g} {HEIGHT - TOP - BOTTOM:g}"
        x, y, width, height = area.split()
        return (  # an inner <svg> cuts off what leaves the map
            f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{area}">'
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/></svg>'
        )

    def axes(self) -> str:
        bottom = HEIGHT - BOTTOM
        parts = [
            f'<text x="{self.x(k):.1f}" y="{bottom + 18:g}" text-anchor="middle">{k:g}</text>'
            for k in nice_ticks(self.k[0], self.k[-1], count=7)
        ]
        parts += [
            f'<text x="{LEFT - 8:g}" y="{self.y(b) + 4:.1f}" text-anchor="end">{b:g}</text>'
            for b in nice_ticks(self.b[0], self.b[-1])
        ]
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(
            f'<text x="{middle:g}" y="{HEIGHT - 10:g}" text-anchor="middle">'
            f"{escape(self.words[0])}</text>"
            f'<text transform="translate(16 {(TOP + bottom) / 2:g}) rotate(-90)" '
            f'text-anchor="middle">{escape(self.words[1])}</text>'
        )
        return "".join(parts)


def _edges(values: Array) -> Array:
    """Return the borders of cells around values."""
    if len(values) == 1:
        return np.array([0.0, 2 * float(values[0]) or 1.0])
    middle = (values[1:] + values[:-1]) / 2
    first, last = values[0] - (middle[0] - values[0]), values[-1] + (values[-1] - middle[-1])
    return np.array([max(first, 0.0), *middle, last])
