"""Reports: self-contained, well-formed, with all verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.assessed import assessed, man, stooped
from support.html_pages import check_page

from robotix.ergonomics import assess, held
from robotix.ergonomics.assessment.key_instants import key_instants
from robotix.ergonomics.methods.verdict import ScoreStep
from robotix.ergonomics.report.report import _step_value, report_html
from robotix.human.motion.recording_fit import RecordingFit
from robotix.kinematics import Posture


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


def test_nothing_is_asked_for_after_a_recording_that_was_not_followed() -> None:
    fit = RecordingFit("9.0 cm driven", ("driven points are 9.0 cm off",))
    found = assess(replace(assessed("reach").performance, tracking=fit))
    page = report_html(found)
    assert "The recording was not followed: nothing is judged." in page
    assert "This should be changed" not in page and "acceptable for women" not in page
    assert "driven points are 9.0 cm off" in page


def test_a_posture_has_a_report_without_curves() -> None:
    page = report_html(assess(held(Posture(man().model, stooped(man())), man(), load=5)))
    check_page(page)
    assert "Over time" not in page and "one posture" in page


@pytest.mark.parametrize(
    ("part", "score", "words"),
    [
        ("twist moment, N m", -0.00058, "0"),
        ("side moment, N m", 7.0471, "7"),
        ("moment, N m", 75.12, "75.1"),
        ("compression, N", 4556.4, "4556"),
        ("horizontal", 0.70041, "0.7004"),
    ],
)
def test_forces_and_moments_have_the_digits_that_count(part: str, score: float, words: str) -> None:
    assert _step_value(ScoreStep(part, score, "")) == words
