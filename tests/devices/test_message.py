"""Values of messages from browsers: checked, with a reason for the sender."""

from typing import Any

import pytest

from robotix.devices.message import numbers, text


def test_numbers_and_texts_are_returned_as_they_are() -> None:
    assert numbers({"axes": [1, 0.5]}, "axes") == (1.0, 0.5)
    assert numbers({}, "axes") == ()
    assert text({"type": "down"}, "type") == "down" and text({}, "type", "none") == "none"


@pytest.mark.parametrize("values", ["123", 5, [True], ["1"], [None], [10**400], [0.0] * 65])
def test_what_is_no_list_of_numbers_is_refused(values: Any) -> None:
    with pytest.raises(ValueError, match="axes must be"):
        numbers({"axes": values}, "axes")


def test_the_count_is_checked() -> None:
    with pytest.raises(ValueError, match="position must be 3 numbers, got 2"):
        numbers({"position": [1, 2]}, "position", least=3, most=3)


def test_a_text_must_be_a_text() -> None:
    with pytest.raises(ValueError, match="type must be a text, got 7"):
        text({"type": 7}, "type")
