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
    figures = [re.findall(r">(\d[\d.]*)<", each) for each in (body, words)]
    assert figures[0] == figures[1]


def test_english_is_as_it_is(page: str) -> None:
    assert translated(page, "en") is page
    with pytest.raises(ValueError, match="no language 'fr' of reports; known: en, de"):
        translated(page, "fr")
