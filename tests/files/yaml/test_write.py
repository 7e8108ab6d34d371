"""Plain data as YAML on one line: what is written is read back."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.text import YamlMapping, YamlScalar, YamlSequence, YamlValue
from robotix.files.yaml.write import to_yaml

scalars = (
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | st.text()
)
plain = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4)
    ),
    max_leaves=12,
)


def meaning(value: YamlValue) -> object:
    match value:
        case YamlScalar():
            return value.value
        case YamlSequence():
            return [meaning(item) for item in value.items]
        case YamlMapping():
            return {key: meaning(entry.value) for key, entry in value.entries.items()}


@given(plain)
def test_what_is_written_is_read_back(value: object) -> None:
    document = parse_yaml(f"key: {to_yaml(value)}\n", path="x.yaml")  # type: ignore[arg-type]
    assert isinstance(document, YamlMapping)
    assert meaning(document) == {"key": value}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_only_finite_numbers_are_written(number: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        to_yaml(number)


@pytest.mark.parametrize("word", ["true", "null", "12", "1e3", "a: b", "# x", "", "- x", "{"])
def test_texts_that_mean_something_else_are_quoted(word: str) -> None:
    assert to_yaml(word).startswith('"')
