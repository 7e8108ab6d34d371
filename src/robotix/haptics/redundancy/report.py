"""The experiments as one HTML page: findings and the index curves of the published figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from robotix.haptics.redundancy.experiments import EXPERIMENT_1_RADII, EXPERIMENT_2_HEIGHTS
from robotix.haptics.redundancy.findings import PublishedFinding, Runs
from robotix.haptics.redundancy.strategies import Approach, Strategy
from robotix.haptics.redundancy.tracking import TrackedPath
from robotix.view.charts import Chart, Curve

__all__ = ["experiments_page", "figures"]

COLOURS = ("#333333", "#1b62c4", "#1a8754", "#a86200", "#8a3ffc")
INDICES = (("translational", "√det(J_v J_vᵀ)"), ("rotational", "√det(J_ω J_ωᵀ)"))
STYLE = """
body{font:16px/1.5 sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%;font-size:14px}
td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
text{font:12px sans-serif;fill:#333}.grid{stroke:#ccc;fill:none}.curve{fill:none;stroke-width:2}
svg{width:100%;background:#fff}h3{margin-bottom:.2rem}.yes{color:#1a7f37}.no{color:#b42318}
"""
VERDICTS = {
    True: ('class="yes"', "reproduced"),
    False: ('class="no"', "not reproduced"),
    None: ("", "undecided"),
}


def experiments_page(runs: Runs, findings: Sequence[PublishedFinding]) -> str:
    """Return the report as one self-contained HTML page."""
    rows = []
    for each in findings:
        mark, verdict = VERDICTS[each.reproduced]
        words = (str(each.number), each.name, each.published, each.ours)
        cells = "".join(f"<td>{escape(text)}</td>" for text in words)
        rows.append(f"<tr>{cells}<td {mark}>{verdict}</td></tr>")
    heads = "".join(f"<th>{head}</th>" for head in ("", "finding", "published", "ours", ""))
    charts = "".join(f"<h3>{escape(title)}</h3>{chart.svg()}" for title, chart in figures(runs))
    count = sum(each.reproduced is True for each in findings)
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        f"<title>ViSHARD10: redundancy resolution</title><style>{STYLE}</style>"
        "<h1>ViSHARD10: redundancy resolution</h1>"
        f"<p>{count} of {len(findings)} published findings are reproduced. The indices are not "
        "normalised; the figures are numbered as in the paper.</p>"
        f"<table><tr>{heads}</tr>{''.join(rows)}</table>{charts}</html>"
    )


def figures(runs: Runs) -> list[tuple[str, Chart]]:
    """Return titles and charts of figures 10 to 13 and 15 to 18."""
    out = []
    for number, approach in ((10, Approach.full), (11, Approach.partitioned)):
        tracked = [(s.value, runs.circle(approach, s, 0.8)) for s in Strategy]
        out += _curves(f"Figure {number}: {approach.value}, r = 0.8 m", tracked)
    for number, approach in ((12, Approach.full), (13, Approach.partitioned)):
        out += _means(runs, number, approach)
    for number, approach in ((15, Approach.full), (16, Approach.partitioned)):
        tracked = [
            (f"z = {z:g} m", runs.height(approach, Strategy.directional, z))
            for z in EXPERIMENT_2_HEIGHTS
        ]
        out += _curves(f"Figure {number}: {approach.value}, three heights, 1 m/s", tracked)
    for number, approach in ((17, Approach.full), (18, Approach.partitioned)):
        tracked = [
            (f"{s.value}, {v:g} m/s", runs.height(approach, s, 0.3, v))
            for s, v in ((Strategy.plain, 1.0), (Strategy.directional, 1.0),
                         (Strategy.directional, 0.1))
        ]  # fmt: skip
        out += _curves(f"Figure {number}: {approach.value}, z = 0.3 m, two speeds", tracked)
    return out


def _curves(title: str, tracked: Iterable[tuple[str, TrackedPath]]) -> list[tuple[str, Chart]]:
    """Both indices over the fraction of the circle."""
    fraction = np.linspace(0, 1, 400)
    rows = list(tracked)
    out = []
    for name, unit in INDICES:
        curves = [
            Curve(label, np.interp(fraction, run.times / run.times[-1], getattr(run, name)), colour)
            for (label, run), colour in zip(rows, COLOURS, strict=False)
        ]
        chart = Chart(f"{title}, {name} index", unit, fraction, curves, time_unit="of the circle")
        out.append((f"{title}, {name} index", chart))
    return out


def _means(runs: Runs, number: int, approach: Approach) -> list[tuple[str, Chart]]:
    out = []
    for name, unit in INDICES:
        title = f"Figure {number}: {approach.value}, mean {name} index over the radius"
        curves = [
            Curve(
                s.value,
                [getattr(runs.circle(approach, s, r), name).mean() for r in EXPERIMENT_1_RADII],
                colour,
            )
            for s, colour in zip(Strategy, COLOURS, strict=False)
        ]
        radii = np.array(EXPERIMENT_1_RADII)
        out.append((title, Chart(title, unit, radii, curves, time_unit="m")))
    return out
