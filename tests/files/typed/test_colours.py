"""Colours of files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.errors import BadFile
from robotix.files.typed.colours import read_colour, show_colour
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.text import YamlMapping, YamlValue


def value_of(text: str) -> YamlValue:
    document = parse_yaml(f"colour: {text}\n", path="x.yaml")
    assert isinstance(document, YamlMapping)
    return document.near("colour")


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_a_colour_is_shown_as_it_is_read(parts: tuple[int, int, int]) -> None:
    code = "#" + bytes(parts).hex()
    assert show_colour(read_colour(value_of(f'"{code}"'))) == code


def test_names_and_numbers_are_colours() -> None:
    assert read_colour(value_of("red"))[0] > 0.5
    assert read_colour(value_of("[0.1, 0.2, 0.3]")) == (0.1, 0.2, 0.3)
    assert show_colour((0.1, 0.2, 0.3)) == (0.1, 0.2, 0.3)


@pytest.mark.parametrize("text", ["reed", '"#12345"', "[0, 0, 2]", "[0, 1]", "#aabbcc", "7"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadFile, match="colour"):
        read_colour(value_of(text))
