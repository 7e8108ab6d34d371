"""Settings of protection are checked when they are made."""

from typing import Any

import pytest

from robotix.errors import BadField, UnknownName
from robotix.safety.protection import ProtectionSettings


@pytest.mark.parametrize("name", ["strategy", "reaction", "robot_mass"])
def test_unknown_words_are_refused(name: str) -> None:
    wrong: dict[str, Any] = {name: "stopp"}
    with pytest.raises(UnknownName, match="stopp"):
        ProtectionSettings(**wrong)


@pytest.mark.parametrize("name", ["payload", "contact_area", "reduced_speed", "follow_error"])
def test_numbers_out_of_range_are_refused(name: str) -> None:
    wrong: dict[str, Any] = {name: -1.0}
    with pytest.raises(BadField, match=name):
        ProtectionSettings(**wrong)
