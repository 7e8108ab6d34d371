"""Reports in other languages: complete, and faithful to numbers and names."""

from __future__ import annotations

import re

import pytest
from support.assessed import assessed

from robotix.ergonomics import ReportDetails, languages, make_work_day
from robotix.ergonomics.report.languages import missing_texts, translated
from robotix.ergonomics.report.report import report_html
from robotix.ergonomics.report.work_page import work_html

DETAILS = ReportDetails(analyst="Lift", date="today", workplace="fine", remarks="act")


@pytest.fixture(scope="module")
def page() -> str:
    day = make_work_day([("Lift", assessed("lift")), ("b", assessed("stand_up"))])
    return work_html(day, details=DETAILS)


def test_there_is_german() -> None:
    assert languages() == ("en", "de")


def test_every_text_of_a_day_has_an_entry(page: str) -> None:
    assert missing_texts(page, "de") == []


def test_every_text_of_a_mans_lift_has_an_entry() -> None:
    assert missing_texts(report_html(assessed("lift", "m"), details=DETAILS), "de") == []


def test_numbers_tags_and_what_the_user_typed_stay(page: str) -> None:
    german = translated(page, "de")
    assert '<html lang="de">' in german and "Druckkraft L5/S1" in german
    body, words = (re.sub(r"<style>.*?</style>", "", each, flags=re.S) for each in (page, german))
    assert re.findall(r"<[^>]+>", words)[5:] == re.findall(r"<[^>]+>", body)[5:]
    for typed in ("<i>Lift</i>", "<i>today</i>", "<i>fine</i>", "<i>act</i>"):
        assert words.count(typed) == body.count(typed) > 0
    sources = re.findall(r'<ul class="sources">.*?</ul>', page, flags=re.S)
    assert sources and all(each in german for each in sources)
    figures = [re.findall(r">(\d[\d.,]*)<", each) for each in (body, words)]
    assert [figure.replace(".", ",") for figure in figures[0]] == figures[1]


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("1.626 m", "1,626 m"),
        ("moment, N m", "Moment, N m"),
        ("twisting moment, N m", "Verdrehmoment, N m"),
        ("mean; spread 45 N m", "Mittelwert; Streuung 45 N m"),
        (
            "right hip extension, 99 N m; of groups of 3 to 7 people measured",
            "Streckung Hüfte rechts, 99 N m; von Gruppen mit 3 bis 7 gemessenen Menschen",
        ),
        ("on 18.11.2026", "on 18.11.2026"),
    ],
)
def test_compound_texts_are_translated_part_by_part(text: str, german: str) -> None:
    assert translated(f"<p>{text}</p>", "de") == f"<p>{german}</p>"


def test_why_a_load_was_not_assessed_is_translated() -> None:
    text = (
        "load: lower is beyond the Liberty Mutual equations: vertical travel must be from 0.25 to "
        "1.96 m, got 0.012"
    )
    german = (
        "Last: Absenken liegt außerhalb der Liberty-Mutual-Gleichungen: der Weg nach oben oder "
        "unten muss von 0,25 bis 1,96 m sein, ist aber 0,012"
    )
    assert translated(f"<p>{text}</p>", "de") == f"<p>{german}</p>"


def test_english_is_as_it_is(page: str) -> None:
    assert translated(page, "en") is page
    with pytest.raises(ValueError, match="no language 'fr' of reports; known: en, de"):
        translated(page, "fr")


@pytest.mark.parametrize(
    "text",
    [
        "2.3 cm driven, 4.2 cm not used, feet slip by 0.5 mm, right hand touches something for 8 s",
        "3.3 cm driven, 9.6 cm not used, feet slip by 0.7 mm, upward force 17 % off the plates",
        "left knee touches something for 2.2 s; driven points are 4.4 cm off",
        "the body is off balance in 15 % of the time on both feet; say what else it touches "
        "(--contact)",
        "driven points are 12.3 cm off; check --markers, --unit and --up, or give a static trial "
        "(--standing); points not used are 15.8 cm off; give a static trial (--standing), or drive "
        "more points in the marker plan",
        "standing feet slip by 12 mm; check the markers of ankles and toes in the plan",
        "the lowest sole is -45 cm off the floor; check --up, or give a static trial (--standing)",
        "1.1 cm driven, 4.7 cm not used, feet slip by 0.1 mm, left hand has no markers",
        "load: lower is beyond the Liberty Mutual equations: vertical travel must be from 0.25 to "
        "1.96 m, got 0.011905",
        "mass of 46.4 kg is outside of the survey (46.7 to 97.5 kg): lengths and masses of the "
        "segments are extrapolated",
        "hands touch something: their forces are the least that support the body, not what was "
        "measured; a push or pull may be larger",
    ],
)
def test_what_is_said_of_recordings_has_entries(text: str) -> None:
    assert missing_texts(f"<p>{text}</p>", "de") == []
