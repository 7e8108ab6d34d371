"""The HTML page of a family of bodies: a chart and a table."""

from __future__ import annotations

import math
from html import escape

from robotix.ergonomics.assessment.family import METHODS, Family, Member
from robotix.ergonomics.assessment.finding import SEVERITIES, Finding
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.report.details import (
    ReportDetails,
    details_block,
    photo_section,
    signature_section,
)
from robotix.ergonomics.report.page import bullets, chip, document, section, table
from robotix.ergonomics.report.report import method_limits
from robotix.view.charts import nice_ticks

__all__ = ["family_html", "family_svg"]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720.0, 320.0, 62.0, 128.0, 18.0, 36.0
SAME_LIMITS = (
    "Compression grows with the mass of a body, while the limits are the same for all: compare "
    "designs by them, not people. A spine that carries a heavier body is likely to bear more."
)
LEGEND = {
    "able": "filled: can do the task; cross: cannot",
    "colour": "colour: green below the action limit, yellow above it, red above the maximum",
}


def family_html(family: Family, *, details: ReportDetails | None = None) -> str:
    """Return the results of a family as HTML."""
    able = sum(member.is_able for member in family.members)
    title = f"{family.task.replace('_', ' ').capitalize()}: {len(family.members)} bodies"
    given = ", ".join(f"{name} {value:g}" for name, value in family.parameters.items())
    findings = [found for member in family.members for found in member.findings]
    return document(
        title,
        [
            f"<h1>{escape(title)}</h1>",
            f'<p class="soft">{escape(" · ".join(filter(None, (family.style, given))))}</p>',
            details_block(details),
            _banner(family, able),
            section(
                "Exceeded limits",
                family_svg(family),
                f'<p class="note">{_words()}</p><p class="note">{escape(SAME_LIMITS)}</p>',
            ),
            section("Over all bodies", _summary(family)),
            section("Body by body", _members(family)),
            section("Bodies that cannot perform the task", _reasons(family)),
            photo_section(details),
            method_limits(findings),
            signature_section(details),
        ],
    )


def _banner(family: Family, able: int) -> str:
    worst = max((m.severity for m in family.members), key=SEVERITIES.index)
    words = f"{able} of {len(family.members)} can do the task."
    over = [
        f"{count} beyond {name.split(',')[0]}"
        if key != "acceptable"
        else f"{count} with a load that too few women accept"
        for key, name in METHODS.items()
        if (count := _over(family, key))
    ]
    return (
        f'<div class="banner {worst}"><div><b>{words}</b><br>'
        f'<span class="soft">{escape("; ".join(over) or "no limit is exceeded")}</span></div></div>'
    )


def _over(family: Family, key: str) -> int:
    found = (member.finding(key) for member in family.members)
    return sum(each is not None and each.is_beyond for each in found)


def _words() -> str:
    return escape(f"circle: woman, square: man; {LEGEND['able']}; {LEGEND['colour']}")


def _summary(family: Family) -> str:
    """Return for every method the range over the bodies, and the number beyond its limits."""
    rows = []
    for key, name in METHODS.items():
        found = [f for member in family.members if (f := member.finding(key)) is not None]
        if not found:
            continue
        values = sorted(f.value for f in found)
        counts = {level: sum(f.severity == level for f in found) for level in ("look", "act")}
        rows.append(
            (
                escape(name),
                *(_number(values[k]) for k in (0, len(values) // 2, -1)),
                str(counts["look"] or ""),
                str(counts["act"] or ""),
            )
        )
    heads = ("method", "lowest", "middle", "highest", "look into", "act")
    return table(heads, rows, numbers=range(1, 6))


def _members(family: Family) -> str:
    keys = [key for key in METHODS if any(m.finding(key) for m in family.members)]
    rows = [
        (
            chip(member.severity),
            escape(member.label),
            "yes" if member.is_able else "<b>no</b>",
            *(_cell(member.finding(key)) for key in keys),
        )
        for member in family.members
    ]
    heads = ("", "body", "can", *(METHODS[key] for key in keys))
    return table(heads, rows, numbers=range(3, len(heads)))


def _cell(found: Finding | None) -> str:
    if found is None:
        return ""
    when = f'<span class="note">{found.time:.1f} s</span>'
    colour = f' style="color:var(--{found.severity})"' if found.is_beyond else ""
    return f"<span{colour}>{_number(found.value)}</span><br>{when}"


def _reasons(family: Family) -> str:
    return bullets(f"{m.label}: {m.reason}" for m in family.members if not m.is_able)


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "∞"
    return f"{value:.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.2f}"


def family_svg(family: Family) -> str:
    """Return a chart of the highest compression of every body over its stature, as SVG."""
    limits = load_low_back().limits
    peaks = [f.value for m in family.members if (f := m.finding("compression")) is not None]
    statures = [member.stature for member in family.members]
    x_span = min(statures) - 0.03, max(statures) + 0.03
    y_span = 0.0, 1.12 * max([limits.compression_action, *peaks])
    parts = _axes(x_span, y_span)
    for name, value, colour in (
        ("action", limits.compression_action, "var(--look)"),
        ("maximum", limits.compression_maximum, "var(--act)"),
    ):
        if value <= y_span[1]:
            y = _scaled(value, y_span, HEIGHT - BOTTOM, TOP)
            path = f'style="stroke:{colour}" d="M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}"'
            parts.append(f'<path class="limit" {path}/>')
            style = f'style="fill:{colour}"'
            words = f"{name} {value:g} N"
            parts.append(f'<text x="{WIDTH - RIGHT + 6:g}" y="{y + 4:.1f}" {style}>{words}</text>')
    parts += [_mark(member, x_span, y_span) for member in family.members]
    label = "highest compression of L5/S1 of every body over its stature"
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    return (
        f'<svg class="chart" viewBox="{box}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    )


def _axes(x_span: tuple[float, float], y_span: tuple[float, float]) -> list[str]:
    parts, bottom = [], HEIGHT - BOTTOM
    for value in nice_ticks(*y_span):
        y = _scaled(value, y_span, bottom, TOP)
        parts.append(f'<path class="grid" d="M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}"/>')
        parts.append(f'<text x="{LEFT - 7:g}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for value in nice_ticks(*x_span, count=7):
        x = _scaled(value, x_span, LEFT, WIDTH - RIGHT)
        parts.append(f'<path class="grid" d="M{x:.1f} {bottom:g}v4"/>')
        words = f'text-anchor="middle">{value:.2f}</text>'
        parts.append(f'<text x="{x:.1f}" y="{bottom + 17:g}" {words}')
    parts.append(f'<text x="{LEFT - 7:g}" y="{TOP - 6:g}" text-anchor="end">N</text>')
    right = WIDTH - RIGHT
    parts.append(f'<text x="{right:g}" y="{HEIGHT - 4:g}" text-anchor="end">stature, m</text>')
    return parts


def _mark(member: Member, x_span: tuple[float, float], y_span: tuple[float, float]) -> str:
    """Return the marker of one body; on the axis if it has no compression."""
    found = member.finding("compression")
    x = _scaled(member.stature, x_span, LEFT, WIDTH - RIGHT)
    y = _scaled(0.0 if found is None else found.value, y_span, HEIGHT - BOTTOM, TOP)
    colour = f"var(--{'soft' if found is None else found.severity})"
    title = escape(f"{member.label}: {member.reason or 'can do it'}")
    if not member.is_able:
        style = f'style="stroke:{colour};stroke-width:2.4"'
        cross = f"M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"
        return f'<path {style} d="{cross}"><title>{title}</title></path>'
    style = f'style="fill:{colour}"'
    if member.sex == "female":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" {style}><title>{title}</title></circle>'
    square = f'x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9"'
    return f"<rect {square} {style}><title>{title}</title></rect>"


def _scaled(value: float, span: tuple[float, float], start: float, end: float) -> float:
    return start + (value - span[0]) / (span[1] - span[0]) * (end - start)
