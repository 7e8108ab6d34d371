"""The page of a family."""

from __future__ import annotations

import pytest

from robotix.ergonomics import (
    Family,
    assess_family,
    percentile_bodies,
)
from robotix.ergonomics.report.family_page import family_html

TWO = percentile_bodies((50,))


@pytest.fixture(scope="module")
def standing() -> Family:
    return assess_family("stand_up", TWO)


def test_the_page_and_the_picture(standing: Family) -> None:
    page = family_html(standing)
    assert "2 of 2 can do the task" in page
    assert page.count("<circle") == 1 and page.count("<rect x=") == 1
