"""Comparison of two designs."""

from __future__ import annotations

from support.assessed import assessed, performed
from support.html_pages import check_page

from robotix.ergonomics import assess, compare
from robotix.ergonomics.report.comparison_page import comparison_html


def test_a_comparison_tells_better_from_worse() -> None:
    lifted = assessed("lift")
    lighter = assess(performed("lift", "f", 5.0))
    found = compare(lifted, lighter, names=("10 kg", "5 kg"))
    changes = {row.key: row.change for row in found.differences}
    assert changes["compression"] == changes["lifting_index"] == "better"
    assert changes["task"] == "same"
    back = compare(lighter, lifted)
    assert {row.key: row.change for row in back.differences}["compression"] == "worse"
    columns = found.columns()
    assert {len(values) for values in columns.values()} == {len(found.differences)}
    check_page(comparison_html(found))
    reach = compare(lifted, assessed("reach"))
    assert {row.key: row.change for row in reach.differences}["lifting_index"] == "gone"
