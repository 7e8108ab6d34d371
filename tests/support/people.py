"""Manikins for tests, and postures to put them in."""

from __future__ import annotations

from typing import Any

import numpy as np

from robotix.geometry import Array
from robotix.human import Manikin, Side, make_anthropometry, make_manikin
from robotix.model import Model

SIDES: tuple[Side, Side] = ("right", "left")


def manikin(sex: str = "m", **options: Any) -> Manikin:
    """Return a median man, unless told otherwise."""
    return make_manikin(make_anthropometry(sex=sex, **options))


def random_q(model: Model, seed: int) -> Array:
    """Return a posture within the limits, the root anywhere near."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(np.maximum(model.lower, -1.0), np.minimum(model.upper, 1.0))
    q[:6] = rng.normal(size=6) / 2
    return np.asarray(q)
