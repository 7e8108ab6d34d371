"""The figure and the part of the report on arms and mountings."""

from __future__ import annotations

import math
from xml.etree import ElementTree

from robotix.experiments.comparison.targets import TargetReach
from robotix.experiments.report.comparison import comparison_figure, comparison_section
from robotix.experiments.report.drawing import RectMark

FOUND = [
    TargetReach("a", "x", "fixed", 4, 2, 0.6, 0.02, 0.1),
    TargetReach("a", "x", "rail", 4, 4, 0.5, 0.04, 0.2),
    TargetReach("a", "y", "fixed", 4, 0, math.nan, math.nan, math.nan),
    TargetReach("a", "y", "rail", 4, 4, 0.7, 0.01, 0.2),
]


def test_the_figure_has_a_bar_for_every_number() -> None:
    figure = comparison_figure(FOUND)
    bars = {mark.words: mark for mark in figure.marks if isinstance(mark, RectMark) and mark.words}
    assert len([m for m in figure.marks if isinstance(m, RectMark) and m.words]) == 4 * 4 - 3
    assert bars["x, fixed: 0.02"].height * 2 == bars["x, rail: 0.04"].height  # one scale a row
    assert bars["x, fixed: 0.02"].colour != bars["x, rail: 0.04"].colour
    ElementTree.fromstring(figure.svg())
    assert figure.pdf().startswith(b"%PDF-1.4")


def test_the_section_puts_the_trials_beside_the_numbers() -> None:
    page = comparison_section(FOUND, {"a": "y"})
    assert "<svg" in page and "2 of 4" in page
    row = "<td>a</td><td>rail</td><td>all</td><td>y</td><td>x</td><td>all</td><td>y</td>"
    assert row in page
    assert "<td>a</td><td>fixed</td><td>x</td><td>x</td><td>x</td><td>x</td><td></td>" in page


def test_without_numbers_the_section_says_how_to_get_them() -> None:
    assert "robotix lab arms --study DIR" in comparison_section([], {})
