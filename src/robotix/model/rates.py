"""Joint speeds for robots whose files give none, as MJCF never does."""

from __future__ import annotations

import math
from dataclasses import replace

from robotix.model.tree import Model

__all__ = ["DEFAULT_RATES", "with_default_rates"]

# Slower than most arms of these sizes, fast enough to drive by hand.
DEFAULT_RATES = {"revolute": 3.0, "prismatic": 1.0, "path": 1.0}  # rad/s, m/s, m/s


def with_default_rates(model: Model) -> Model:
    """Return a model whose joints all have a velocity limit; the same one if they have."""
    bodies = []
    for body in model.bodies:
        rate = DEFAULT_RATES.get(body.joint.kind, math.inf)
        if body.joint.mimic is None and math.isinf(body.joint.velocity) and math.isfinite(rate):
            body = replace(body, joint=replace(body.joint, velocity=rate))
        bodies.append(body)
    if all(one is other for one, other in zip(bodies, model.bodies, strict=True)):
        return model
    return replace(model, bodies=tuple(bodies))
