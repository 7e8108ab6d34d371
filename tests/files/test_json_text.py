"""Plain JSON of results."""

import json

import numpy as np
import pytest

from robotix.files.json_text import json_text, to_plain


def test_arrays_become_lists_and_non_finite_numbers_null() -> None:
    value = {"a": np.array([1.0, np.nan]), "b": (np.float64(2.0), np.inf), "c": {"d": np.int64(3)}}
    assert to_plain(value) == {"a": [1.0, None], "b": [2.0, None], "c": {"d": 3}}


def test_the_text_is_valid_json_with_a_final_newline() -> None:
    text = json_text({"Stütze": -np.inf, "x": [np.True_]})
    assert text.endswith("}\n") and "Stütze" in text
    assert json.loads(text, parse_constant=pytest.fail) == {"Stütze": None, "x": [True]}
