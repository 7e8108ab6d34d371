"""Fixtures of the tests of motion."""

import pytest
from support.standing_people import person_of

from robotix.human.motion.performer import Performer


@pytest.fixture(scope="module")
def stander() -> Performer:
    return person_of()
