"""Charts over time as SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

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


def test_long_labels_and_units_stay_inside_the_chart() -> None:
    """At 6.3 for a character, as the browser of the tests draws the reports."""
    times = np.linspace(0.0, 1.0, 5)
    chart = Chart(
        "index",
        "√det(J_v J_vᵀ)",
        times,
        [Curve("directional, 0.1 m/s", times), Curve("plain", times)],
        limits=[Limit("nearly singular posture", 0.5)],
        time_unit="of the circle",
    ).svg()
    for text in ElementTree.fromstring(chart).iter("text"):
        x, width = float(text.attrib["x"]), 6.3 * len(text.text or "")
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.attrib["text-anchor"]]
        assert x - shift * width >= -0.5, text.text
        assert x + (1 - shift) * width <= 720, text.text


def test_the_unit_of_the_time_does_not_cover_the_last_number() -> None:
    chart = Chart("mean", "1", np.array([0.0, 800.0]), [Curve("a", [1.0, 2.0])], time_unit="mm")
    texts = list(ElementTree.fromstring(chart.svg()).iter("text"))
    last = next(text for text in texts if text.text == "800")
    unit = next(text for text in texts if text.text == "mm")
    assert float(unit.attrib["x"]) > float(last.attrib["x"]) + 1.5 * 6.3
