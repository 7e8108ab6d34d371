"""People standing, ready to act."""

from __future__ import annotations

from support.people import manikin

from robotix.human.motion.performer import Performer
from robotix.human.motion.scenario import standing
from robotix.human.motion.styles import NATURAL


def person_of(sex: str = "m", **options: float) -> Performer:
    return standing(manikin(sex, **options), style=NATURAL)
