"""Errors explain themselves, and quickly."""

import difflib
import time
from collections.abc import Sequence

import pytest

from robotix.errors import MAX_COMPARED_NAMES, MAX_LISTED_NAMES, BadField, UnknownName


def test_a_mistyped_name_among_thousands_is_explained_at_once() -> None:
    known = [f"shelf_{number:04d}/bottle_{number % 7}" for number in range(5000)]
    error = UnknownName("node", "shelf_1234/botle_2", known)
    begin = time.process_time()
    text = str(error)
    assert time.process_time() - begin < 0.1  # it was 0.33 s
    assert text == "no node 'shelf_1234/botle_2'; did you mean 'shelf_1234/bottle_2'?"


def test_few_of_very_many_names_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = list[int]()

    def count(name: str, known: Sequence[str], n: int) -> list[str]:
        counts.append(len(known))
        return []

    monkeypatch.setattr(difflib, "get_close_matches", count)
    str(UnknownName("node", "shelf", [f"shelf_{number}" for number in range(5000)]))
    assert counts == [MAX_COMPARED_NAMES]


def test_a_giant_name_is_neither_compared_nor_repeated() -> None:
    begin = time.process_time()
    text = str(UnknownName("node", "x" * 900_000, [f"x{number}" for number in range(5000)]))
    assert time.process_time() - begin < 0.1
    assert len(text) < 2000 and f"and {5000 - MAX_LISTED_NAMES} more" in text


def test_a_long_list_of_wrong_values_is_not_printed_whole() -> None:
    text = str(BadField("q", "finite", [float(number) for number in range(50_000)]))
    assert len(text) < 600 and text.startswith("q must be finite, got [0.0, 1.0,")
