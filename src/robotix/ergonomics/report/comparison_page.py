"""The HTML page of a comparison of two designs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.comparison import Comparison, Difference
from robotix.ergonomics.assessment.finding import Finding
from robotix.ergonomics.assessment.key_instants import KeyInstant
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.report.details import (
    ReportDetails,
    details_block,
    photo_section,
    signature_section,
)
from robotix.ergonomics.report.page import bullets, chip, document, section, table
from robotix.ergonomics.report.report import inputs_table, limits_section, postures_figure
from robotix.geometry import Array
from robotix.view.charts import Chart, Curve, Limit

__all__ = ["comparison_html"]

COLOURS = ("var(--second)", "var(--accent)")


def comparison_html(comparison: Comparison, *, details: ReportDetails | None = None) -> str:
    """Return a comparison as HTML."""
    names, both = comparison.names, (comparison.before, comparison.after)
    title = f"{names[0]} and {names[1]}: ergonomic comparison"
    return document(
        title,
        [
            f"<h1>{escape(names[0])} → {escape(names[1])}</h1>",
            f'<p class="soft">{escape(_people(comparison))}</p>',
            details_block(details),
            _banner(comparison),
            section("Differences", _differences(comparison)),
            section("Highest load of the low back", _pictures(comparison)),
            section("Over time", *_charts(comparison)),
            section("Notes", *_notes(comparison)),
            *(
                section(f"Inputs: {name}", inputs_table(each))
                for name, each in zip(names, both, strict=True)
            ),
            photo_section(details),
            limits_section(both),
            signature_section(details),
        ],
    )


def _people(comparison: Comparison) -> str:
    labels = [
        each.performance.manikin.anthropometry.label
        for each in (comparison.before, comparison.after)
    ]
    return " · ".join(dict.fromkeys(labels))


def _banner(comparison: Comparison) -> str:
    changes = [row.change for row in comparison.differences if row.is_judged]
    better, worse = changes.count("better"), changes.count("worse")
    severity = "fine" if better and not worse else "act" if worse and not better else "look"
    said = {"fine": "Better.", "act": "Worse.", "look": "Some of each." if better else "The same."}
    words = f"{better} methods find it better, {worse} worse"
    return (
        f'<div class="banner {severity}"><div><b>{said[severity]}</b><br>'
        f'<span class="soft">{words}</span></div></div>'
    )


def _differences(comparison: Comparison) -> str:
    heads = ("method", *comparison.names, "difference", "", "verdict then")
    rows = [
        (
            f"<b>{escape(row.what)}</b>",
            _figure(row.before),
            _figure(row.after),
            _difference(row),
            _word(row),
            ""
            if row.after is None
            else f"{chip(row.after.severity)} {escape(str(row.after.verdict))}",
        )
        for row in comparison.differences
    ]
    return table(heads, rows, numbers=(1, 2, 3))


def _figure(found: Finding | None) -> str:
    return "" if found is None else escape(found.figure)


def _difference(row: Difference) -> str:
    if row.key == "task" or not math.isfinite(row.difference):
        return ""
    return f"{row.difference:+.3g}" if abs(row.difference) < 100 else f"{row.difference:+.0f}"


def _word(row: Difference) -> str:
    colours = {"better": "fine", "worse": "act"}
    colour = colours.get(row.change, "soft")
    return f'<span style="color:var(--{colour})">{row.change}</span>'


def _pictures(comparison: Comparison) -> str:
    parts = []
    for name, each in zip(comparison.names, (comparison.before, comparison.after), strict=True):
        row = int(np.argmax(each.back.compression))
        instant = KeyInstant(row, float(each.times[row]), (name,))
        parts.append(f"<div><h3>{escape(name)}</h3>{postures_figure(each, [instant])}</div>")
    return f'<div class="two">{"".join(parts)}</div>'


def _charts(comparison: Comparison) -> list[str]:
    both = (comparison.before, comparison.after)
    if any(len(each.times) == 1 for each in both):
        return []
    limits = load_low_back().limits
    lines = [
        Limit(f"action {limits.compression_action:g}", limits.compression_action, "var(--look)"),
        Limit(f"maximum {limits.compression_maximum:g}", limits.compression_maximum),
    ]
    scores = [np.maximum(*each.scores.reba.values()) for each in both]
    return [
        _chart(comparison, "L5/S1 compression", "N", [e.back.compression for e in both], lines),
        _chart(comparison, "REBA, the worse side", "score", scores),
    ]


def _chart(
    comparison: Comparison,
    title: str,
    unit: str,
    series: Sequence[ArrayLike],
    limits: Sequence[Limit] = (),
) -> str:
    both = (comparison.before, comparison.after)
    longest = max(both, key=lambda each: float(each.times[-1] - each.times[0]))
    times = longest.times - longest.times[0]
    curves = [
        Curve(_short(name), _resampled(each, values, times), colour)
        for name, each, values, colour in zip(comparison.names, both, series, COLOURS, strict=True)
    ]
    return f"<h3>{title}</h3>{Chart(title, unit, times, curves, limits=limits).svg()}"


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:17]}…"


def _resampled(assessment: Assessment, values: ArrayLike, times: Array) -> Array:
    """Return a series resampled at times since its start; NaN after its end."""
    own = assessment.times - assessment.times[0]
    resampled = np.asarray(values, dtype=float)
    return np.asarray(np.interp(times, own, resampled, right=np.nan))


def _notes(comparison: Comparison) -> list[str]:
    return [
        f"<h3>{escape(name)}</h3>{bullets(each.notes)}"
        for name, each in zip(comparison.names, (comparison.before, comparison.after), strict=True)
        if each.notes
    ]
