"""Lifts for the lifting equation."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from robotix.ergonomics import Lift


def make_lift(**changes: Any) -> Lift:
    best = {"load": 10.0, "horizontal": 0.25, "vertical": 0.75, "distance": 0.25}
    return Lift(**{**best, **changes})


lifts = st.builds(
    Lift,
    load=st.floats(0.1, 60),
    horizontal=st.floats(0, 0.63),
    vertical=st.floats(0, 1.75),
    distance=st.floats(0, 1.75),
    asymmetry=st.floats(0, math.radians(135)),
    per_minute=st.floats(0, 16),
    hours=st.floats(0.1, 8),
    coupling=st.sampled_from(["good", "fair", "poor"]),
)
