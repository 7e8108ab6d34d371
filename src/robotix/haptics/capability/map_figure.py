"""A stability map of the whole device beside that of one degree of freedom, as SVG."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from robotix.geometry import Array
from robotix.haptics.capability.device_map import DeviceStabilityMap
from robotix.haptics.walls.figure import STABLE_ACTIVE, STABLE_PASSIVE, STYLE, UNSTABLE
from robotix.haptics.walls.parameter_map import ParameterMap, with_parameter
from robotix.view.charts import nice_ticks

__all__ = ["device_map_svg"]

PANEL, HEIGHT = 440.0, 460.0
LEFT, RIGHT, TOP, BOTTOM = 70.0, 26.0, 90.0, 50.0
COLGATE = "#1b62c4"


def device_map_svg(found: DeviceStabilityMap) -> str:
    """Return both maps: cells by run, and where a wall is passive for any operator as a line."""
    single, width = found.equivalent, 2 * PANEL
    trial = found.device.trial
    delay = (
        f", delay {trial.device.delay_samples} samples" if found.device.y.name != "delay" else ""
    )
    words = (
        f"{trial.device.rate:g} Hz{delay}, a hand of {trial.hand.mass:g} kg that pushes with "
        f"{trial.hand.push:g} N"
    )
    legend = (
        "stable and passive (green), gives the hand energy (yellow), oscillates or is stopped (red)"
    )
    titles = (
        f"ViSHARD10, ten joints, {found.mode.value.replace('_', ' ')} display",
        f"one degree of freedom: {single.mass:.3g} kg, {single.damping:.3g} N s/m",
    )
    panels = "".join(
        f'<g transform="translate({k * PANEL:g} 0)">{_panel(each)}'
        f'<text x="{LEFT:g}" y="{TOP - 12:g}" font-weight="bold">{escape(title)}</text></g>'
        for k, (each, title) in enumerate(zip((found.device, found.single), titles, strict=True))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {HEIGHT:g}" role="img" '
        f'aria-label="stability of the whole device and of one degree of freedom">'
        f'<style>{STYLE}</style><rect width="{width:g}" height="{HEIGHT:g}" fill="#fff"/>'
        f'<text x="{LEFT:g}" y="16">{escape(words)}</text>'
        f'<text x="{LEFT:g}" y="34">{escape(legend)}</text>'
        f'<text x="{LEFT:g}" y="52" style="fill:{COLGATE}">— passive for any operator: the '
        f"condition of Colgate for one degree of freedom without delay</text>{panels}</svg>"
    )


def _panel(found: ParameterMap) -> str:
    k, b = np.log10(found.x.values), found.y.values
    columns, rows = _edges(np.asarray(k)), _edges(b)

    def x(value: float) -> float:
        share = (value - columns[0]) / (columns[-1] - columns[0])
        return float(LEFT + np.clip(share, 0, 1) * (PANEL - LEFT - RIGHT))

    def y(value: float) -> float:
        share = (value - rows[0]) / (rows[-1] - rows[0])
        return float(HEIGHT - BOTTOM - np.clip(share, 0, 1) * (HEIGHT - TOP - BOTTOM))

    cells = [
        f'<rect x="{x(columns[i]):.1f}" y="{y(rows[j + 1]):.1f}" '
        f'width="{x(columns[i + 1]) - x(columns[i]) + 0.3:.1f}" '
        f'height="{y(rows[j]) - y(rows[j + 1]) + 0.3:.1f}" fill="{_colour(found, j, i)}"/>'
        for j in range(len(b)) for i in range(len(k))
    ]  # fmt: skip
    points = " ".join(
        f"{x(math.log10(limit)):.1f},{y(value):.1f}"
        for value, limit in _passive_line(found, rows) if limit > 0
    )  # fmt: skip
    line = f'<polyline points="{points}" fill="none" stroke="{COLGATE}" stroke-width="2"/>'
    return "".join(cells) + (line if points else "") + _axes(found, x, y, columns, rows)


def _passive_line(found: ParameterMap, rows: Array) -> list[tuple[float, float]]:
    """Return values of y and the largest passive stiffness there, 2 (c − b)/T."""
    out = []
    for value in np.linspace(rows[0], rows[-1], 60):
        if found.y.name == "rate" and value <= 0:
            continue
        cell = with_parameter(found.trial, found.y.name, max(float(value), 0.0))
        limit = 2 * (cell.device.damping - cell.wall.damping) * cell.device.rate
        out.append((float(value), limit if cell.device.delay_samples == 0 else 0.0))
    return out


def _colour(found: ParameterMap, j: int, i: int) -> str:
    if not found.is_stable[j, i]:
        return UNSTABLE
    return STABLE_PASSIVE if found.energy_leak[j, i] <= 1e-9 else STABLE_ACTIVE


def _axes(found: ParameterMap, x: object, y: object, columns: Array, rows: Array) -> str:
    assert callable(x) and callable(y)
    bottom, parts = HEIGHT - BOTTOM, []
    for power in range(math.ceil(columns[0]), math.floor(columns[-1]) + 1):
        parts.append(f'<text x="{x(power):.1f}" y="{bottom + 18:g}" text-anchor="middle">'
                     f"{10.0**power:g}</text>")  # fmt: skip
    for tick in nice_ticks(rows[0], rows[-1]):
        parts.append(f'<text x="{LEFT - 8:g}" y="{y(tick) + 4:.1f}" text-anchor="end">'
                     f"{tick:g}</text>")  # fmt: skip
    words = f"{found.y.name.replace('_', ' ')}, {found.y.unit}"
    middle = (LEFT + PANEL - RIGHT) / 2
    parts.append(
        f'<text x="{middle:g}" y="{HEIGHT - 10:g}" text-anchor="middle">stiffness of the wall, '
        f'N/m</text><text transform="translate(16 {(TOP + bottom) / 2:g}) rotate(-90)" '
        f'text-anchor="middle">{escape(words)}</text>'
    )
    return "".join(parts)


def _edges(values: Array) -> Array:
    """Return the borders of cells around values."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = (values[1:] + values[:-1]) / 2
    return np.array([values[0], *middle, values[-1]])
