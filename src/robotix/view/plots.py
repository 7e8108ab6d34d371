"""Plots of motions in one line: joints and manipulability over time, as SVG.

    rx.plot_joints(motion, "joints.svg")
    rx.plot_manipulability(model, motion, "dexterity.svg")

In a notebook, a plot as the value of a cell is displayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.kinematics.dexterity import MotionComponents, isotropy, manipulability
from robotix.kinematics.tasks import Point
from robotix.model import Model
from robotix.view.charts import Chart, Curve

if TYPE_CHECKING:
    from robotix.motion import Motion

__all__ = ["Plot", "joined_charts", "plot_joints", "plot_manipulability"]

COLOURS = ("#1b62c4", "#c4341b", "#1a8754", "#a86200", "#7a3fb8", "#0f8b93", "#b8357f", "#5c6470")
DASHES = ("", "6 4", "2 3", "9 3 2 3")  # of further curves, once the colours are used up
STYLE = (
    "text{font:12px sans-serif;fill:#333}.grid{stroke:#ccc;fill:none}"
    ".curve{fill:none;stroke-width:2}.mark{stroke:#888;stroke-dasharray:2 3}svg{background:#fff}"
)
LEGEND_LINE = 17.0  # px of height for one curve's label
MIN_HEIGHT = 220.0  # px
MAX_INSTANTS = 2000  # at which manipulability is evaluated


@dataclass(frozen=True)
class Plot:
    """Charts below one another, as one SVG image; notebooks display it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, file: str | Path) -> None:
        """Write an `.svg` file."""
        if Path(file).suffix.lower() != ".svg":
            raise ValueError(f"{Path(file).name!r}: a plot is an .svg file")
        Path(file).write_text(self.svg, encoding="utf-8")


def plot_joints(motion: Motion, file: str | Path = "", *, rates: bool = False) -> Plot:
    """Plot the joints of a motion over time: angles in degrees, lengths in m.

    `rates` plots their velocities instead. With a `file` (`.svg`) the plot is written, too.

    Examples:
        >>> motion = rx.Motion.of(rx.load("scara"), [0.0, 1.0], q=np.zeros((2, 4)))
        >>> plot = rx.plot_joints(motion, "joints.svg")
    """
    values = motion.q
    if rates:
        if len(motion.times) < 2:
            raise ValueError("a motion of one instant has no velocities")
        values = np.gradient(motion.q, motion.times, axis=0)
    charts = []
    for unit, name, factor in (("rad", "°", 180 / np.pi), ("m", "m", 1.0)):
        columns = [i for i, dof in enumerate(motion.dofs) if (dof.unit == "m") == (unit == "m")]
        curves = [
            (motion.dofs[column].name, factor * values[:, column])
            for column in columns
            if np.isfinite(values[:, column]).all()
        ]
        if curves:
            title = "joint velocities" if rates else "joints"
            charts.append(_chart(title, f"{name}/s" if rates else name, motion.times, curves))
    return _finished(charts, file)


def plot_manipulability(
    model: Model,
    motion: Motion,
    file: str | Path = "",
    *,
    point: Point = None,
    part: MotionComponents = "linear",
) -> Plot:
    """Plot manipulability and isotropy (smallest by largest singular value) over a motion.

    `point` is the control point, the tip when None; `part` is which of its velocities count. With a
    `file` (`.svg`) the plot is written, too.

    Examples:
        >>> model = rx.load("planar_3r")
        >>> motion = rx.Motion.of(model, [0.0, 1.0], q=[[0, 0.5, 0.5], [0, 1.0, 1.0]])
        >>> plot = rx.plot_manipulability(model, motion, "dexterity.svg")
    """
    rows = np.unique(np.linspace(0, len(motion.times) - 1, MAX_INSTANTS).astype(int))
    columns = _columns(model, motion)
    postures = [Posture(model, motion.q[row][columns]) for row in rows]
    times = motion.times[rows]
    volume = np.array([manipulability(posture, point, part=part) for posture in postures])
    even = np.array([isotropy(posture, point, part=part) for posture in postures])
    charts = [
        _chart("manipulability", "√det(JJᵀ)", times, [("manipulability", volume)]),
        _chart("isotropy", "σₘ/σ₁", times, [("isotropy", even)]),
    ]
    return _finished(charts, file)


def _columns(model: Model, motion: Motion) -> list[int]:
    """Return the columns of a motion in the order of a model's joints."""
    missing = [name for name in model.dof_names if name not in motion.names]
    if missing:
        raise ValueError(f"the motion has no joint {missing[0]!r} of {model.name}")
    return [motion.names.index(name) for name in model.dof_names]


def _chart(title: str, unit: str, times: Array, curves: list[tuple[str, Array]]) -> Chart:
    drawn = [
        Curve(
            label,
            values,
            COLOURS[k % len(COLOURS)],
            DASHES[k // len(COLOURS) % len(DASHES)],
        )
        for k, (label, values) in enumerate(curves)
    ]
    height = max(MIN_HEIGHT, 50.0 + LEGEND_LINE * len(curves))
    low = min(float(np.min(values)) for _, values in curves)
    high = max(float(np.max(values)) for _, values in curves)
    room = 0.06 * max(high - low, 1e-9)
    span = (min(low - room, 0.0) if low < 0 else 0.0, max(high + room, 1e-9))
    return Chart(title, unit, times, drawn, height=height, span=span)


def _finished(charts: list[Chart], file: str | Path) -> Plot:
    """Return charts below one another; write them to `file` unless it is empty."""
    if not charts:
        raise ValueError("a motion without joints has nothing to plot")
    plot = Plot(joined_charts(charts))
    if str(file):
        plot.save(file)
    return plot


def joined_charts(charts: Sequence[Chart]) -> str:
    """Return charts below one another as one SVG image that needs no style sheet."""
    parts, top = [], 0.0
    for chart in charts:
        parts.append(
            chart.svg().replace("<svg ", f'<svg y="{top:g}" height="{chart.height:g}" ', 1)
        )
        top += chart.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {top:g}" width="720" '
        f'height="{top:g}"><style>{STYLE}</style>{"".join(parts)}</svg>'
    )
