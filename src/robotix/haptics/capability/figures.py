"""Maps of output capability and felt inertia over the cylinder, and designs compared, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from robotix.geometry import Array
from robotix.haptics.capability.claims import CapabilityMap, DeviceClaim
from robotix.haptics.capability.designs import RadialDexterity

__all__ = ["capability_page", "capability_svg", "designs_svg"]

PANEL_WIDTH, PANEL_HEIGHT = 430.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 84.0, 34.0, 40.0
STYLE = "text{font:12px sans-serif;fill:#222}.title{font-weight:bold}"
STOPS = np.array([(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)])
COLOURS = ("#1b62c4", "#a86200", "#1a8754", "#b42318", "#6f42c1", "#333")
PAGE_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:920px;margin:2rem auto;padding:0 1rem;color:#222}"
    "svg{width:100%}td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ddd}"
    "text{font:12px sans-serif;fill:#333}.grid{stroke:#ccc;fill:none}"
    ".curve{fill:none;stroke-width:2}"
)
WORDS = {True: "met", False: "not met", None: "undecided"}


def capability_svg(found: CapabilityMap) -> str:
    """Return six maps over radius and height: force, torque, speed, inertia, dexterity."""
    panels = [
        ("force in every direction, N", found.force),
        ("torque about every axis, N m", found.torque),
        ("speed in every direction, m/s", found.speed),
        ("smallest singular value of translation, m", found.translational),
        ("felt mass, lightest direction, kg", found.felt_light),
        ("felt mass, heaviest direction, kg", found.felt_heavy),
    ]
    width, height = 2 * PANEL_WIDTH, 3 * PANEL_HEIGHT
    drawn = "".join(
        f'<g transform="translate({k % 2 * PANEL_WIDTH:g} {k // 2 * PANEL_HEIGHT:g})">'
        f"{_heat(title, values, found.radii, found.heights)}</g>"
        for k, (title, values) in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="output capability over the cylinder"><style>{STYLE}</style>'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>{drawn}</svg>'
    )


def designs_svg(arms: Sequence[RadialDexterity]) -> str:
    """Return the best dexterity and the share of nearly singular postures over the radius."""
    width, height, parts = 2 * PANEL_WIDTH, 1.5 * PANEL_HEIGHT, []
    for k, (title, name) in enumerate(
        (("best dexterity at a radius", "best"),
         ("share of nearly singular postures", "near_singular"))
    ):  # fmt: skip
        parts.append(
            f'<g transform="translate({k * PANEL_WIDTH:g} 0)">'
            f"{_curves(title, arms, name, height)}</g>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="designs compared over the radius"><style>{STYLE}</style>'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>{"".join(parts)}</svg>'
    )


def capability_page(
    found: CapabilityMap, claims: Sequence[DeviceClaim], arms: Sequence[RadialDexterity]
) -> str:
    """Return claims, maps and designs as one HTML page."""
    rows = "".join(
        f"<tr><td>{escape(each.name)}</td><td>{escape(each.published)}</td>"
        f"<td>{escape(each.ours)}</td><td>{WORDS[each.is_met]}</td></tr>"
        for each in claims
    )
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        f"<title>What ViSHARD10 can do</title><style>{PAGE_STYLE}</style>"
        "<h1>What ViSHARD10 can do</h1><p>On the model, over the published cylinder. Torques and "
        "rates of the motors are assumed; gears and encoders are published.</p>"
        "<table><tr><th>target</th><th>published</th><th>model</th><th></th></tr>"
        f"{rows}</table><h2>Over radius and height</h2>{capability_svg(found)}"
        f"<h2>Designs compared</h2>{designs_svg(arms)}</html>"
    )


def _heat(title: str, values: Array, radii: Array, heights: Array) -> str:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if high - low < 1e-3 * abs(high):
        low = high = (low + high) / 2  # a constant has no colours
    wide, tall = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM
    m, n = values.shape
    cells = "".join(
        f'<rect x="{LEFT + i * wide / n:.1f}" y="{TOP + (m - 1 - j) * tall / m:.1f}" '
        f'width="{wide / n + 0.4:.1f}" height="{tall / m + 0.4:.1f}" '
        f'fill="{_colour(float(values[j, i]), low, high)}"/>'
        for j in range(m) for i in range(n)
    )  # fmt: skip
    bar_left = PANEL_WIDTH - RIGHT + 12
    bar = "".join(
        f'<rect x="{bar_left:g}" y="{TOP + k * tall / 24:.1f}" width="12" '
        f'height="{tall / 24 + 0.4:.1f}" fill="{_colour(1 - k / 23, 0.0, 1.0)}"/>'
        for k in range(24)
    )
    marks = "".join(
        f'<text x="{bar_left + 17:g}" y="{y:g}">{value:.3g}</text>'
        for value, y in {
            low: TOP + tall,
            (low + high) / 2: TOP + tall / 2 + 4,
            high: TOP + 9,
        }.items()
    )
    axes = "".join(
        f'<text x="{LEFT + (i + 0.5) * wide / n:.1f}" y="{TOP + tall + 16:g}" '
        f'text-anchor="middle">{radii[i]:.2f}</text>'
        for i in sorted({0, n // 2, n - 1})
    ) + "".join(
        f'<text x="{LEFT - 6:g}" y="{TOP + (m - 0.5 - j) * tall / m + 4:.1f}" '
        f'text-anchor="end">{heights[j]:.2g}</text>'
        for j in sorted({0, m // 2, m - 1})
    )
    return (
        f'<text class="title" x="{LEFT:g}" y="{TOP - 12:g}">{escape(title)}</text>{cells}{bar}'
        f'{marks}{axes}<text x="{LEFT + wide / 2:g}" y="{PANEL_HEIGHT - 8:g}" '
        f'text-anchor="middle">radius, m</text><text transform="translate(12 {TOP + tall / 2:g}) '
        f'rotate(-90)" text-anchor="middle">height, m</text>'
    )


def _colour(value: float, low: float, high: float) -> str:
    """Return a colour from dark blue (low) to yellow (high); grey for no number."""
    if not np.isfinite(value):
        return "#ddd"
    at = 4 * (value - low) / (high - low) if high > low else 2.0
    k = min(int(at), 3)
    red, green, blue = (STOPS[k] + (at - k) * (STOPS[k + 1] - STOPS[k])).round().astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _curves(title: str, arms: Sequence[RadialDexterity], name: str, height: float) -> str:
    wide, tall = PANEL_WIDTH - LEFT - RIGHT, height - TOP - BOTTOM
    most = max(float(np.nanmax(getattr(each, name))) for each in arms)
    lines = []
    for each, colour in zip(arms, COLOURS, strict=False):
        values = getattr(each, name)
        reach = float(each.radii[-1] + each.radii[0])
        points = " ".join(
            f"{LEFT + wide * r / reach:.1f},{TOP + tall * (1 - v / most):.1f}"
            for r, v in zip(each.radii, values, strict=True) if np.isfinite(v)
        )  # fmt: skip
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        y = TOP + 14 + 17 * len(lines)
        lines[-1] += (
            f'<text x="{PANEL_WIDTH - RIGHT + 8:g}" y="{y:g}" style="fill:{colour}">'
            f"{escape(each.name)}</text>"
        )
    frame = f"M{LEFT:g},{TOP:g}V{TOP + tall:g}H{LEFT + wide:g}"
    return (
        f'<text class="title" x="{LEFT:g}" y="{TOP - 12:g}">{escape(title)}</text>'
        f'<path d="{frame}" fill="none" stroke="#999"/>{"".join(lines)}'
        f'<text x="{LEFT - 6:g}" y="{TOP + 9:g}" text-anchor="end">{most:.2g}</text>'
        f'<text x="{LEFT - 6:g}" y="{TOP + tall:g}" text-anchor="end">0</text>'
        + "".join(
            f'<text x="{LEFT + share * wide:g}" y="{TOP + tall + 16:g}" text-anchor="middle">'
            f"{share:g}</text>"
            for share in (0.0, 0.5, 1.0)
        )
        + f'<text x="{LEFT + wide / 2:g}" y="{height - 8:g}" text-anchor="middle">radius, of the '
        "reach</text>"
    )
