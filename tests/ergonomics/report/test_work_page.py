"""The page of a working day."""

from __future__ import annotations

from support.assessed import assessed

from robotix.ergonomics import ReportDetails, make_work_day
from robotix.ergonomics.report.work_page import work_html


def test_all_tasks_are_in_one_table_and_then_by_themselves() -> None:
    day = make_work_day([("Lift boxes", assessed("lift")), ("Rise", assessed("stand_up"))])
    page = work_html(day, details=ReportDetails(title="Line <3>", analyst="E. M."))
    assert "<h1>Line &lt;3&gt;</h1>" in page and "E. M." in page
    assert page.count('class="task"') == 2 == page.count("<h2>Verdicts</h2>")
    assert page.count("<h2>Limits of the methods, and sources</h2>") == 1
    assert "LiFFT" in page and "Signatures" in page and page.count("</div>") == page.count("<div")


def test_a_day_without_loads_adds_nothing_up() -> None:
    page = work_html(make_work_day([("Rise", assessed("stand_up"))]))
    assert "all tasks together" not in page and "Signatures" not in page
