"""The comparison as one figure: rows of measures, columns of tasks, bars of arms and mountings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from robotix.experiments.comparison.targets import TargetReach

__all__ = ["comparison_svg"]

COLOURS = ("#e66101", "#5e3c99", "#018571", "#a6611a", "#404040")  # one for each arm
OPACITIES = (0.35, 0.65, 1.0)  # one for each mounting
CELL_WIDTH, CELL_HEIGHT, GAP = 190.0, 110.0, 26.0
LEFT, TOP, LEGEND = 120.0, 44.0, 60.0
STYLE = "text{font:12px sans-serif;fill:#222}"
Measure = Callable[[TargetReach], float]
ROWS: tuple[tuple[str, Measure, float], ...] = (
    ("points reached", lambda each: each.share, 1.0),
    ("isotropy", lambda each: each.isotropy, 1.0),
    ("distance from limits", lambda each: each.limit_distance, 0.5),
    ("clearance [m]", lambda each: each.clearance, 0.4),
)


def comparison_svg(found: Sequence[TargetReach]) -> str:
    """Return the figure; bars that are missing stand for arms that reach no point."""
    tasks = list(dict.fromkeys(each.task for each in found))
    arms = list(dict.fromkeys(each.arm for each in found))
    mountings = list(dict.fromkeys(each.mounting for each in found))
    width = LEFT + len(tasks) * (CELL_WIDTH + GAP)
    height = TOP + len(ROWS) * (CELL_HEIGHT + GAP) + LEGEND
    parts = [
        f'<text x="{LEFT + i * (CELL_WIDTH + GAP):g}" y="24" style="font-weight:600">'
        f"{escape(task)}</text>"
        for i, task in enumerate(tasks)
    ]
    for row, (label, measure, top) in enumerate(ROWS):
        y = TOP + row * (CELL_HEIGHT + GAP)
        parts.append(f'<text x="8" y="{y + CELL_HEIGHT / 2:g}">{escape(label)}</text>')
        for column, task in enumerate(tasks):
            here = [each for each in found if each.task == task]
            x = LEFT + column * (CELL_WIDTH + GAP)
            parts.append(_cell(here, measure, top, (x, y), arms, mountings))
    parts.append(_legend(arms, mountings, height - LEGEND + 20))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="arms and mountings over the points of the tasks"><style>{STYLE}</style>'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _cell(
    here: Sequence[TargetReach],
    measure: Measure,
    top: float,
    corner: tuple[float, float],
    arms: Sequence[str],
    mountings: Sequence[str],
) -> str:
    x, y = corner
    step = CELL_WIDTH / max(len(here), 1)
    parts = [
        f'<path d="M{x:g} {y:g}V{y + CELL_HEIGHT:g}H{x + CELL_WIDTH:g}" fill="none" '
        f'stroke="#888"/><text x="{x - 4:g}" y="{y + 10:g}" text-anchor="end">{top:g}</text>'
    ]
    for i, each in enumerate(here):
        value = measure(each)
        if not math.isfinite(value):
            continue
        bar = CELL_HEIGHT * min(max(value, 0.0), top) / top
        colour = COLOURS[arms.index(each.arm) % len(COLOURS)]
        opacity = OPACITIES[mountings.index(each.mounting) % len(OPACITIES)]
        title = f"{each.arm}, {each.mounting}: {value:.3g}"
        parts.append(
            f'<rect x="{x + i * step + 2:.1f}" y="{y + CELL_HEIGHT - bar:.1f}" '
            f'width="{step - 4:.1f}" height="{bar:.1f}" fill="{colour}" '
            f'fill-opacity="{opacity:g}"><title>{escape(title)}</title></rect>'
        )
    return "".join(parts)


def _legend(arms: Sequence[str], mountings: Sequence[str], y: float) -> str:
    parts, x = [], LEFT
    names = [(arm, COLOURS[i % len(COLOURS)], 1.0) for i, arm in enumerate(arms)]
    names += [(each, "#404040", OPACITIES[i % 3]) for i, each in enumerate(mountings)]
    for name, colour, opacity in names:
        parts.append(
            f'<rect x="{x:g}" y="{y - 11:g}" width="14" height="14" fill="{colour}" '
            f'fill-opacity="{opacity:g}"/><text x="{x + 20:g}" y="{y:g}">{escape(name)}</text>'
        )
        x += 40 + 7.5 * len(name)
    return "".join(parts)
