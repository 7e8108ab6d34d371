"""Events of joints between two postures, to which rules can react."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.model import Model

__all__ = ["JointEvent", "JointMoved", "LimitReached", "joint_events"]

LIMIT_TOLERANCE = 1e-9  # rad or m
MOTION_TOLERANCE = 1e-9  # rad or m


@dataclass(frozen=True)
class LimitReached:
    """A joint reached its limit."""

    joint: str
    side: Literal["lower", "upper"]


@dataclass(frozen=True)
class JointMoved:
    """A joint moved."""

    joint: str


JointEvent: TypeAlias = LimitReached | JointMoved


def joint_events(model: Model, *, before: ArrayLike, after: ArrayLike) -> tuple[JointEvent, ...]:
    """Return the events of all joints between two postures.

    A limit is reported once, on arrival. A floating root moves as one joint; joints that
    mimic another are not reported.
    """
    q0, q1 = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    if q0.shape != (model.n_dof,) or q1.shape != (model.n_dof,):
        raise ValueError(
            f"both postures must have {model.n_dof} joints, got {q0.shape}, {q1.shape}"
        )
    moved = abs(q1 - q0) > MOTION_TOLERANCE
    low = (q1 <= model.lower + LIMIT_TOLERANCE) & (q0 > model.lower + LIMIT_TOLERANCE)
    high = (q1 >= model.upper - LIMIT_TOLERANCE) & (q0 < model.upper - LIMIT_TOLERANCE)
    if not (moved.any() or low.any() or high.any()):
        return ()
    events: list[JointEvent] = []
    for joint, start in zip(model.joints, model.dof_start, strict=True):
        own = slice(start, start + joint.n_dof)  # empty for a fixed or mimicking joint
        if moved[own].any():
            events.append(JointMoved(joint.name))
        if low[own].any():
            events.append(LimitReached(joint.name, "lower"))
        if high[own].any():
            events.append(LimitReached(joint.name, "upper"))
    return tuple(events)
