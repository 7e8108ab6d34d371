"""Lines of text formats: words, cells and numbers, and errors with their columns."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.capture.marker_text import MAX_VALUE, TextLine, parse_number, read_lines
from robotix.errors import BadFile


def line(text: str) -> TextLine:
    return TextLine("some.trc", 3, text)


@given(st.floats(-MAX_VALUE, MAX_VALUE))
def test_numbers_of_plausible_size_are_read_exactly(value: float) -> None:
    assert parse_number(repr(value)) == value


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e12", "1_000", "0x10", "1.2.3", "two"])
def test_anything_else_is_no_number(text: str) -> None:
    assert math.isnan(parse_number(text))


def test_a_wrong_word_is_reported_with_line_and_column() -> None:
    with pytest.raises(BadFile) as caught:
        line("1 2  thre 4").numbers()
    assert (caught.value.line, caught.value.column) == (3, 6)


def test_a_wrong_cell_is_reported_with_its_column() -> None:
    with pytest.raises(BadFile) as caught:
        line("a\tbc\t x ").refuse_cell(2, "a number")
    assert caught.value.column == 6


@pytest.mark.parametrize("text", ["2.5", "-1", "11"])
def test_whole_numbers_have_bounds(text: str) -> None:
    with pytest.raises(BadFile, match="whole number from 0 to 10"):
        line(text).whole_number(0, high=10)
    assert line("10").whole_number(0, high=10) == 10


def test_all_line_ends_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "x.trc"
    path.write_bytes(b"a\r\nb\rc\nd")
    assert [(each.line_number, each.text) for each in read_lines(path, what="a file")] == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (4, "d"),
    ]
