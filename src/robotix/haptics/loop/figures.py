"""Runs and comparisons of the whole device as SVG and HTML."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from robotix.haptics.loop.loop import LoopHistory, LoopOutcome
from robotix.haptics.loop.reference import DisplayContrast
from robotix.haptics.loop.settings import DisplayMode
from robotix.view.charts import Chart, Curve, Mark

__all__ = ["contrast_svg", "run_page"]

STYLE = """
body{font:16px/1.5 sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem;color:#222}
text{font:12px sans-serif;fill:#333}.grid{stroke:#ccc;fill:none}.curve{fill:none;stroke-width:2}
svg{width:100%;background:#fff}h3{margin-bottom:.2rem}
"""
COLOURS = {DisplayMode.admittance: "#1b62c4", DisplayMode.impedance: "#b42318"}
SIZE, MIDDLE, RADIUS = 460.0, 230.0, 180.0


def run_page(history: LoopHistory, outcome: LoopOutcome) -> str:
    """Return a run as one HTML page: position, force, load and energy over time."""
    t = history.times
    moved = (history.positions - history.positions[0]) * 1e3
    asked = (history.virtual_positions - history.positions[0]) * 1e3
    marks = [] if outcome.stop_time is None else [Mark("stop", outcome.stop_time)]
    charts = [
        Chart("position along x", "mm", t, [
            Curve("handle", moved[:, 0], "#1b62c4"),
            Curve("desired", asked[:, 0], "#a86200", dashes="5 4")], marks=marks),
        Chart("force along x", "N", t, [
            Curve("hand", history.hand_forces[:, 0], "#1b62c4"),
            Curve("rendered", history.rendered[:, 0], "#a86200", dashes="5 4")], marks=marks),
        Chart("largest torque of a joint", "of its limit", t,
              [Curve("load", history.loads, "#333")], marks=marks),
        Chart("energy", "J", t, [
            Curve("from hand", history.port_energy, "#1b62c4"),
            Curve("environment", history.stored, "#1a8754")], marks=marks),
    ]  # fmt: skip
    drawn = "".join(f"<h3>{escape(each.title)}, {each.unit}</h3>{each.svg()}" for each in charts)
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        f"<title>A haptic device before a wall</title><style>{STYLE}</style>"
        f"<h1>A haptic device before a wall</h1>{drawn}</html>"
    )


def contrast_svg(found: DisplayContrast) -> str:
    """Return the felt mass over the direction as a polar plot."""
    curves = {mode: found.masses(mode) for mode in found.felt}
    finite = [m[np.isfinite(m)] for m in curves.values()]
    most = max([float(m.max()) for m in finite if len(m)] + [found.virtual_mass])
    scale = RADIUS / (1.05 * most)
    rings = "".join(
        f'<circle cx="{MIDDLE}" cy="{MIDDLE}" r="{scale * ring:.1f}" fill="none" stroke="#ccc"/>'
        f'<text x="{MIDDLE + 3}" y="{MIDDLE - scale * ring - 3:.1f}">{ring:.0f} kg</text>'
        for ring in np.linspace(most / 4, most, 4)
    )
    lines = []
    for mode, masses in curves.items():
        points = " ".join(
            f"{MIDDLE + scale * m * math.cos(a):.1f},{MIDDLE - scale * m * math.sin(a):.1f}"
            for a, m in zip(found.angles, masses, strict=True)
            if math.isfinite(m)
        )
        lines.append(
            f'<polygon points="{points}" fill="none" stroke="{COLOURS[mode]}" stroke-width="2"/>'
        )
    ideal = (
        f'<circle cx="{MIDDLE}" cy="{MIDDLE}" r="{scale * found.virtual_mass:.1f}" fill="none" '
        'stroke="#1a8754" stroke-dasharray="5 4" stroke-width="2"/>'
    )
    legend = "".join(
        f'<text x="10" y="{20 + 18 * i}" style="fill:{colour}">{escape(words)}</text>'
        for i, (words, colour) in enumerate(
            (
                ("admittance display", COLOURS[DisplayMode.admittance]),
                ("impedance display", COLOURS[DisplayMode.impedance]),
                (f"virtual mass {found.virtual_mass:g} kg", "#1a8754"),
            )
        )
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE:g} {SIZE:g}" role="img" '
        'aria-label="felt mass over the direction"><style>text{font:12px sans-serif;fill:#333}'
        f'</style><rect width="{SIZE:g}" height="{SIZE:g}" fill="#fff"/>'
        f"{rings}{ideal}{''.join(lines)}{legend}</svg>"
    )
