"""Lines and dots have a constant size in the image."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.seen_things import ahead, seen

from robotix.view import (
    Dots,
    Polyline,
)


@pytest.mark.parametrize("far", [2.0, 10.0])
def test_marks_are_as_thick_as_asked_wherever_they_are(far: float) -> None:
    camera = ahead(far)
    view = seen([Polyline(np.array([[0, -9.0, 0], [0, 9.0, 0]]), width=6.0)], camera, samples=1)
    assert abs((view.ids[:, 80] == 0).sum() - 6) <= 1
    view = seen([Dots(np.zeros((1, 3)), width=20.0)], camera, samples=1)
    assert (view.ids == 0).sum() == pytest.approx(math.pi * 100, rel=0.1)
