"""The part of the report on assumptions: which of them would turn the ranking of arms."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from robotix.experiments.analysis.published import PUBLISHED_BEST, PUBLISHED_TASKS
from robotix.experiments.report.tables import html_table
from robotix.experiments.sensitivity import SensitivityTable

__all__ = ["assumptions_section", "best_by_change", "changes_with_published_ranking"]


def best_by_change(tables: Sequence[SensitivityTable]) -> dict[str, dict[str, str]]:
    """Return the best arm with its lead: change of an assumption -> task -> words."""
    found = dict[str, dict[str, str]]()
    for table in tables:
        for row in table.rows:
            words = "no arm finished" if not row.best else row.best
            if row.best and row.lead == row.lead:
                words += f" (by {100 * row.lead:.0f} %)" if row.lead != float("inf") else " (alone)"
            found.setdefault(row.change, {})[table.task] = words + (" *" if row.is_turned else "")
    return found


def changes_with_published_ranking(tables: Sequence[SensitivityTable]) -> tuple[str, ...]:
    """Return the assumptions under which the KUKA LWR is best in every task of the tables."""
    best = {
        row.change: [
            each.best for table in tables for each in table.rows if each.change == row.change
        ]
        for table in tables
        for row in table.rows
    }
    return tuple(
        change
        for change, arms in best.items()
        if len(arms) == len(tables) and set(arms) == {PUBLISHED_BEST}
    )


def assumptions_section(tables: Sequence[SensitivityTable]) -> str:
    """Return the section; if nothing was run, how to run it."""
    head = "<h3>Which assumptions about operators would turn it</h3>"
    if not tables:
        return (
            f'{head}<p class="note">Not examined. <code>robotix lab sensitivity '
            f"{' '.join(PUBLISHED_TASKS)} --study DIR</code> changes one assumption after the other"
            " and adds its table here.</p>"
        )
    tasks = [table.task for table in tables]
    rows = [
        [change, *(found.get(task, "") for task in tasks)]
        for change, found in best_by_change(tables).items()
    ]
    settings = "; ".join(
        f"{table.task}: {table.operators} operator{'s' if table.operators > 1 else ''}, seed"
        f" {table.seed}, time limit {table.time_limit:g} s"
        for table in tables
    )
    words = (
        "Every number of a simulated operator is an assumption. One after the other was changed and"
        " the same trials were run again. Cells name the best arm by E and by how much of its √E it"
        " is ahead of the next; a star marks a ranking of the arms that differs from the first row."
        f" A lead of a few per cent with so few operators is no finding. Settings: {settings}."
    )
    table = html_table(["assumption", *tasks], rows, left=len(tasks) + 1)
    return f"{head}<p>{escape(words)}</p>{table}<p>{escape(_verdict(tables))}</p>"


def _verdict(tables: Sequence[SensitivityTable]) -> str:
    missing = [task for task in PUBLISHED_TASKS if task not in {table.task for table in tables}]
    changes = changes_with_published_ranking(tables)
    where = "these tasks" if missing else "all four tasks"
    said = f"The KUKA LWR is best in {where} " + (
        f"under: {', '.join(changes)}." if changes else "under none of these assumptions."
    )
    return said + (f" Not examined: {', '.join(missing)}." if missing else "")
