"""The HTML page of a working day: all tasks in one table, then each by itself."""

from __future__ import annotations

from html import escape

from robotix.ergonomics.assessment.finding import Finding
from robotix.ergonomics.assessment.work import WorkDay
from robotix.ergonomics.report.details import (
    ReportDetails,
    details_block,
    photo_section,
    signature_section,
)
from robotix.ergonomics.report.page import SEVERITY_LABELS, chip, document, section, table
from robotix.ergonomics.report.report import limits_section, task_parts

__all__ = ["work_html"]

COLUMNS = {
    "compression": "L5/S1, N",
    "lifting_index": "lifting index",
    "acceptable": "accept it, %",
    "rula": "RULA",
    "reba": "REBA",
    "owas": "OWAS",
}


def work_html(day: WorkDay, *, details: ReportDetails | None = None) -> str:
    """Return a working day as HTML."""
    title = (details.title if details else "") or "Working day"
    parts = [
        f"<h1>{escape(title)}</h1>",
        details_block(details),
        _banner(day),
        section("All tasks", _tasks(day), _together(day)),
    ]
    for name, each in day.tasks.items():
        parts.append(f'<div class="task"><h1><i>{escape(name)}</i></h1>')
        parts += [*task_parts(each), "</div>"]
    parts += [photo_section(details), limits_section(list(day.tasks.values()))]
    return document(f"{title}: ergonomic assessment", [*parts, signature_section(details)])


def _banner(day: WorkDay) -> str:
    levels = [each.severity for each in day.tasks.values()]
    words = "; ".join(
        f"{SEVERITY_LABELS[level]}: {count}"
        for level in ("act", "look", "fine", "unverified")
        if (count := levels.count(level))
    )
    return (
        f'<div class="banner {day.severity}"><div><b>{len(levels)} tasks</b><br>'
        f'<span class="soft">{words}</span></div></div>'
    )


def _tasks(day: WorkDay) -> str:
    rows = [
        (
            chip(each.severity),
            f"<i>{escape(name)}</i>",
            f"{60 * each.job.per_minute * each.job.hours:.0f}",
            *(_cell(each.finding(key)) for key in COLUMNS),
        )
        for name, each in day.tasks.items()
    ]
    heads = ("", "task", "a shift", *COLUMNS.values())
    return table(heads, rows, numbers=range(2, len(heads)))


def _cell(found: Finding | None) -> str:
    if found is None:
        return ""
    digits = 2 if found.key == "lifting_index" else 0
    colour = f' style="color:var(--{found.severity})"' if found.is_beyond else ""
    return f"<span{colour}>{found.value:.{digits}f}</span>"


def _together(day: WorkDay) -> str:
    rows = []
    if day.fatigue is not None:
        value = f"{day.fatigue.damage:.2g} · {100 * day.fatigue.probability:.0f} %"
        rows.append(
            ("damage of the low back over the day (LiFFT)", value, str(day.fatigue.verdict))
        )
    if day.composite is not None:
        value = f"{day.composite.index:.2f}"
        rows.append(("composite lifting index", value, str(day.composite.verdict)))
    if not rows:
        return ""
    cells = [(escape(what), value, escape(verdict)) for what, value, verdict in rows]
    return table(("all tasks together", "", "verdict"), cells, numbers=(1,))
