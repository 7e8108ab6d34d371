"""The map of stability as SVG: the smallest tip angle by place of the hand, seen from above."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from robotix.experiments.wheelchair.chair import ChairBase, support_polygon
from robotix.experiments.wheelchair.stability import ChairLoad, StabilityResult, StabilitySample
from robotix.geometry import Array
from robotix.model.rail import Rail
from robotix.view.charts import nice_ticks

__all__ = ["StabilityMap2D", "make_stability_grid", "stability_svg"]

CELL = 0.1  # m
WIDTH, HEIGHT, LEFT, TOP, SIDE = 720.0, 560.0, 64.0, 52.0, 440.0
STYLE = "text{font:13px sans-serif;fill:#222}"
# Upper bounds of the tip angle in degrees, colours (a colour-blind safe diverging scale), words.
BANDS = (
    (0.0, "#a50026", "falls"),
    (3.0, "#e34a33", "below 3°"),
    (6.0, "#fc8d59", "below 6°"),
    (9.0, "#fee090", "below 9°"),
    (15.0, "#91bfdb", "below 15°"),
    (90.0, "#4575b4", "15° and more"),
)


@dataclass(frozen=True, eq=False)
class StabilityMap2D:
    """The smallest tip angle of all postures whose hand is over a square of the floor."""

    cells: Array  # (k, 2), lowest corner of each square, m
    tip_angle: Array  # (k,), rad


def make_stability_grid(sample: StabilitySample) -> StabilityMap2D:
    """Sort postures by where the hand is, seen from above; keep the worst of each square."""
    cells = np.floor(sample.hand[:, :2] / CELL).astype(int)
    unique, slot = np.unique(cells, axis=0, return_inverse=True)
    worst = np.full(len(unique), np.inf)
    np.minimum.at(worst, slot.ravel(), sample.tip_angle)
    return StabilityMap2D(unique * CELL, worst)


def stability_svg(
    grid: StabilityMap2D, worst: StabilityResult, *, load: ChairLoad, rail: Rail, title: str
) -> str:
    """Return the map with chair, rail, support polygon and the worst posture's centre of mass."""
    low, high = grid.cells.min(axis=0) - CELL, grid.cells.max(axis=0) + 2 * CELL
    frame = _Frame(low, high)
    squares = "".join(
        frame.square(cell, _colour(float(np.degrees(angle))))
        for cell, angle in zip(grid.cells, grid.tip_angle, strict=True)
    )
    way = np.array([rail.path.at(float(s))[:2] for s in np.linspace(0, rail.path.length, 60)])
    marks = [
        frame.outline(_outline(load.chair), "none", "#222", closed=True),
        frame.outline(
            support_polygon(load.chair, anti_tip=load.anti_tip), "#ffffff88", "#222", closed=True
        ),
        frame.outline(way, "none", "#5a5a5a", closed=False, width=4.0),
        frame.dot(worst.com[:2], "#000", "centre of mass"),
        frame.dot(worst.hand[:2], "#d7191c", "hand, worst posture"),
    ]
    words = (
        f"smallest tip angle {np.degrees(worst.tip_angle):.1f}°, margin {worst.margin * 1e3:.0f} mm"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="tip angle by place of the hand"><style>{STYLE}</style>'
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="#fff"/>'
        f'<text x="{LEFT:g}" y="20" style="font-weight:600">{escape(title)}</text>'
        f'<text x="{LEFT:g}" y="38">{escape(words)}</text>'
        f"{squares}{frame.axes()}{''.join(marks)}{_legend()}</svg>"
    )


def _outline(chair: ChairBase) -> Array:
    """Corners of the chair seen from above; its rear end is that of its wheels."""
    rear = float(chair.anti_tip_wheels[:, 0].min())
    side = chair.width / 2
    front = rear + chair.length
    return np.array([[rear, -side], [front, -side], [front, side], [rear, side]])


def _colour(degrees: float) -> str:
    return next(colour for bound, colour, _ in BANDS if degrees < bound)


def _legend() -> str:
    x, y = LEFT + SIDE + 40, TOP + 20
    rows = [
        f'<rect x="{x:g}" y="{y + 24 * i:g}" width="18" height="18" fill="{colour}"/>'
        f'<text x="{x + 26:g}" y="{y + 24 * i + 14:g}">{escape(word)}</text>'
        for i, (_, colour, word) in enumerate(BANDS)
    ]
    heading = f'<text x="{x:g}" y="{y - 8:g}">tip angle, hand here</text>'
    lines = (
        f'<text x="{x:g}" y="{y + 170:g}">thin line: chair</text>'
        f'<text x="{x:g}" y="{y + 190:g}">white: support polygon</text>'
        f'<text x="{x:g}" y="{y + 210:g}">thick line: rail</text>'
    )
    return heading + "".join(rows) + lines


class _Frame:
    """Maps metres to pixels: x of the chair upwards, y to the left, as the rider sees the floor."""

    def __init__(self, low: Array, high: Array) -> None:
        self.low, self.high = low, high
        self.metre = SIDE / float((high - low).max())

    def pixel(self, point: Array) -> tuple[float, float]:
        x = LEFT + (self.high[1] - point[1]) * self.metre
        y = TOP + (self.high[0] - point[0]) * self.metre
        return float(x), float(y)

    def square(self, cell: Array, colour: str) -> str:
        x, y = self.pixel(cell + CELL)
        size = CELL * self.metre + 0.3
        place = f'x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}"'
        return f'<rect {place} fill="{colour}"/>'

    def outline(
        self, points: Array, fill: str, stroke: str, *, closed: bool, width: float = 1.5
    ) -> str:
        tag = "polygon" if closed else "polyline"
        places = " ".join("{:.1f},{:.1f}".format(*self.pixel(point)) for point in points)
        return (
            f'<{tag} points="{places}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"/>'
        )

    def dot(self, point: Array, colour: str, word: str) -> str:
        x, y = self.pixel(point)
        return (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" stroke="#fff"/>'
            f'<text x="{x + 8:.1f}" y="{y - 6:.1f}">{escape(word)}</text>'
        )

    def axes(self) -> str:
        parts = []
        bottom, middle = self.pixel(self.low)[1], (LEFT + SIDE / 2, TOP + SIDE / 2)
        for value in nice_ticks(self.low[1], self.high[1], count=6):
            parts.append(_label(self.pixel(np.array([0.0, value]))[0], bottom + 18, f"{value:g}"))
        for value in nice_ticks(self.low[0], self.high[0], count=6):
            parts.append(_label(LEFT - 20, self.pixel(np.array([value, 0.0]))[1] + 4, f"{value:g}"))
        parts.append(_label(middle[0], bottom + 38, "y to the left [m]"))
        parts.append(_label(16, middle[1], "x forwards [m]", turn=f"rotate(-90 16 {middle[1]:g})"))
        return "".join(parts)


def _label(x: float, y: float, word: str, *, turn: str = "") -> str:
    turned = f' transform="{turn}"' if turn else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{turned}>{escape(word)}</text>'
