"""Joint-space moves: from one posture to another, all joints together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.model import Model
from robotix.motion.coordinates import Dof, blended, model_dofs, step_between
from robotix.motion.motion import Motion
from robotix.motion.profiles import Profile, profile_limits

__all__ = ["fastest_profile", "make_move", "move_goal", "move_steps"]


def move_goal(q: ArrayLike, goal: Sequence[float | None]) -> Array:
    """Return the posture to move to; None keeps the coordinate of `q`."""
    now = np.asarray(q, dtype=float)
    if len(goal) != len(now):
        raise ValueError(f"a goal for {len(goal)} joints, but there are {len(now)}; None keeps one")
    full = np.array([a if b is None else b for a, b in zip(now, goal, strict=True)], dtype=float)
    if not np.isfinite(full).all():
        raise ValueError(f"a goal must be finite numbers or None, got {list(goal)}")
    return full


def move_steps(
    q: ArrayLike,
    goal: Sequence[float | None],
    *,
    steps: int,
    profile: Profile | None = None,
    dofs: Sequence[Dof] = (),
) -> Array:
    """Return the postures of a move in equal time steps, (steps, n), the last one at the goal.

    The steps are equal without a profile; only the shape of a profile matters, not its duration.
    `dofs` (see `model_dofs`) are needed for a floating root only.
    """
    if steps < 1:
        raise ValueError(f"a move takes one step or more, got {steps}")
    start, end = np.asarray(q, dtype=float), move_goal(q, goal)
    law = Profile.linear(1.0) if profile is None else profile.stretched(1.0)
    parts = law.value(np.arange(1, steps + 1) / steps)
    return np.array([blended(dofs, start, end=end, part=float(part)) for part in parts])


def fastest_profile(
    start: ArrayLike, goal: Sequence[float | None], *, model: Model, law: Profile | None = None
) -> Profile:
    """Return the fastest profile that keeps a move within the model's velocities and accelerations.

    The time-optimal trapezoid, or a given `law` such as `Profile.minimum_jerk(1.0)`, rescaled.
    """
    q0 = np.asarray(start, dtype=float)
    step = step_between(model_dofs(model), q0, end=move_goal(q0, goal))
    rate, acceleration = profile_limits(
        step, velocity=model.velocity, acceleration=model.acceleration
    )
    if law is None:
        return Profile.trapezoid(rate=rate, acceleration=acceleration)
    return law.within(rate=rate, acceleration=acceleration)


def make_move(
    start: ArrayLike,
    goal: Sequence[float | None],
    *,
    model: Model,
    profile: Profile | None = None,
    dt: float = 1 / 120,
) -> Motion:
    """Return the motion from one posture to another, with a row at least every `dt` seconds.

    None in the goal keeps a joint. Default profile: minimum jerk within the limits of the model.
    """
    dofs = model_dofs(model)
    q0 = np.asarray(start, dtype=float)
    q1 = move_goal(q0, goal)
    if profile is None:
        if not step_between(dofs, q0, end=q1).any():
            return Motion(dofs, np.zeros(1), q0[None])  # already there
        profile = fastest_profile(q0, q1.tolist(), model=model, law=Profile.minimum_jerk(1.0))
    if not dt > 0:
        raise ValueError(f"dt must be positive, got {dt}")
    steps = max(1, math.ceil(profile.duration / dt - 1e-9))
    rows = move_steps(q0, q1.tolist(), steps=steps, profile=profile, dofs=dofs)
    times = np.linspace(0.0, profile.duration, steps + 1)
    return Motion(dofs, times, np.concatenate([q0[None], rows]))
