"""Reports: whole by themselves, well-formed, and with every verdict in them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.assessed import assessed, man, performed, stooped

from robotix.ergonomics import assess, compare, held, save_report
from robotix.ergonomics.assessment.key_instants import key_instants
from robotix.ergonomics.report.comparison_page import comparison_html
from robotix.ergonomics.report.report import report_html
from robotix.kinematics import Posture
from robotix.view.charts import (
    Band,
    Chart,
    Curve,
    Limit,
    Mark,
    bars,
    nice_ticks,
    thinned,
)

VOID = {"meta", "img", "br", "link"}


class Checker(HTMLParser):
    """Follows tags, and notes what a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open[-5:])
        self.open.pop()


def check_page(page: str) -> None:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert all(link.startswith("data:image/png;base64,") for link in checker.fetched)
    assert "<script" not in page and "http" not in re.sub(r'xmlns="[^"]*"', "", page)
    assert "nan" not in re.sub(r"base64,[^\"]*", "", page)
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)


@pytest.fixture(scope="module")
def page() -> str:
    return report_html(assessed("reach"), inputs={"note <b>": "a & b"})


def test_the_report_is_whole_by_itself(page: str) -> None:
    check_page(page)
    assert len(page) < 600_000
    assert "@page { size: A4" in page and "prefers-color-scheme: dark" in page


def test_it_says_all_verdicts_inputs_and_sources(page: str) -> None:
    found = assessed("reach")
    for each in found.findings:
        assert str(each.verdict) in page and each.what in page
        for line in each.sources:
            assert line.split("&")[0].split("<")[0] in page
    for words in ("female, 1.626 m", "Key postures", "Limits of the methods", "fair"):
        assert words in page
    assert "note &lt;b&gt;" in page and "a &amp; b" in page
    assert page.count("<img") == len(key_instants(found))


def test_key_instants_are_few_and_in_order() -> None:
    found = assessed("lift")
    instants = key_instants(found)
    assert 1 < len(instants) <= 6
    assert [each.time for each in instants] == sorted(each.time for each in instants)
    labels = [label for each in instants for label in each.labels]
    assert "box is taken" in labels and "worst L5/S1 compression" in labels


def test_a_posture_has_a_report_without_curves() -> None:
    page = report_html(assess(held(Posture(man().model, stooped(man())), man(), load=5)))
    check_page(page)
    assert "Over time" not in page and "one posture" in page


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


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    posture = assess(held(Posture(man().model, stooped(man())), man(), load=5))
    written = save_report(tmp_path / "new" / "folder", posture, parquet=True)
    names = sorted(path.name for path in written)
    assert names == ["curves.csv", "curves.parquet", "report.html", "summary.json"]
    assert all(path.is_file() for path in written)
    answer = json.loads((tmp_path / "new" / "folder" / "summary.json").read_text())
    assert answer["body"].startswith("male")


# -- charts -------------------------------------------------------------------------------------


@given(low=st.floats(-1e4, 1e4), size=st.floats(1e-3, 1e5))
def test_ticks_are_round_inside_and_a_few(low: float, size: float) -> None:
    ticks = nice_ticks(low, low + size)
    assert 1 <= len(ticks) <= 12
    assert all(low - 1e-6 * size <= tick <= low + size * (1 + 1e-6) for tick in ticks)
    steps = np.diff(ticks)
    if len(steps):
        np.testing.assert_allclose(steps, steps[0], rtol=1e-6, atol=1e-9)


@given(seed=st.integers(0, 1000), count=st.integers(1, 5000))
def test_thinning_keeps_ends_and_extremes(seed: int, count: int) -> None:
    values = np.random.default_rng(seed).normal(size=count)
    rows = thinned(values)
    assert len(rows) <= 702 and rows[0] == 0 and rows[-1] == count - 1
    assert values[rows].max() == values.max() and values[rows].min() == values.min()


def test_a_chart_has_gaps_limits_and_marks() -> None:
    values = np.array([1.0, np.nan, 3.0, 2.0])
    chart = Chart(
        "force",
        "N",
        np.arange(4.0),
        [Curve("a < b", values), Curve("steps", values, is_stepped=True)],
        bands=[Band("around", np.zeros(4), np.full(4, 4.0))],
        limits=[Limit("limit 3", 3.0), Limit("far 100", 100.0)],
        marks=[Mark("A", 2.0)],
    ).svg()
    ElementTree.fromstring(chart)
    assert "a &lt; b" in chart and "limit 3" in chart and "far 100" not in chart
    curve = re.findall(r'class="curve"[^>]*d="([^"]*)"', chart)[0]
    assert curve.count("M") == 2  # before and after the gap
    assert bars([("level 1", 0.25, "red"), ("level 2", 0.75, "blue")]).count("<rect") == 2
