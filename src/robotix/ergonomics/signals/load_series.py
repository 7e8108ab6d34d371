"""Joint loads of a performance, with feasible contact forces at every instant.

Simulated motions are balanced statically. At some instants no feasible contact forces produce their
accelerations, so a person could not move like that. There, the accelerations of trunk and arms are
multiplied by the largest factor in [0, 1] for which contact forces exist. Even then the centre of
pressure is at the edge of the support; therefore the legs (or the whole body, if hands support it)
are treated as static. Where the posture is not balanced even at rest (a recorded person walks by
falling a little, or contacts were estimated wrongly), trunk and arms keep their accelerations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from robotix.dynamics import MotionRates, PointWrench, solve_reactions
from robotix.dynamics.supports import Flags
from robotix.ergonomics.methods.verdict import ScoreArray
from robotix.geometry import Array
from robotix.human.body.manikin import GROUPS
from robotix.human.body.skeleton import SIDES
from robotix.human.evaluation.joint_loads import CarriedLoad, JointLoads, joint_loads
from robotix.human.motion.performance import Performance

__all__ = ["LoadSeries", "load_series"]

LEG_GROUPS = ("right_leg", "left_leg")
BISECTIONS = 5  # of the acceleration scale: to 3 %


@dataclass(frozen=True, eq=False)
class LoadSeries:
    """Joint loads with and without inertia."""

    loads: JointLoads  # with inertia, as far as contact forces are feasible
    resting: JointLoads  # without inertia
    acceleration_scale: Array  # (N,), factor of the accelerations of trunk and arms
    is_quasi_static: Flags  # (N,), legs treated as static, since contact forces were infeasible
    is_supported: (
        Flags  # (N,), contact forces balance the body at rest; else leg torques mean little
    )


def load_series(
    performance: Performance, *, dynamic: bool = True, forces: Sequence[PointWrench] = ()
) -> LoadSeries:
    """Return the joint loads of a performance."""
    count = len(performance.motion.times)
    carried: list[CarriedLoad] = [*performance.loads, *forces]
    solve = partial(
        joint_loads,
        performance.manikin,
        performance.motion,
        contacts=performance.contacts,
        loads=carried,
    )
    resting = solve()
    if not dynamic or count == 1:
        none = np.zeros(count, dtype=bool)
        return LoadSeries(resting, resting, np.zeros(count), none, resting.is_balanced)
    moving = solve(dynamic=True)
    infeasible = ~moving.is_balanced
    scale = np.ones(count)
    slower = infeasible & resting.is_balanced
    if slower.any():
        scale[slower] = _largest_scale(resting, moving, np.flatnonzero(slower))
        moving = solve(dynamic=True, acceleration_scale=scale)
    loads = _with_quasi_static_rows(moving, resting, infeasible)
    return LoadSeries(loads, resting, scale, infeasible, resting.is_balanced)


def _largest_scale(resting: JointLoads, moving: JointLoads, rows: ScoreArray) -> Array:
    """Return for some rows the largest factor of the accelerations with feasible contact forces.

    The torques before contact are linear in it, since velocities scale with its square root, and
    the feasible set is convex, so bisection finds it.
    """
    model, q = resting.manikin.model, resting.motion.q[rows]
    supports = [replace(each, when=_at(each.when, rows)) for each in resting.supports]
    still, more = resting.free[rows], moving.free[rows] - resting.free[rows]
    low, high = np.zeros(len(rows)), np.ones(len(rows))
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        tau = still + middle[:, None] * more
        is_given = solve_reactions(model, q, supports=supports, tau=tau).is_balanced
        low, high = np.where(is_given, middle, low), np.where(is_given, high, middle)
    return low


def _at(when: Flags | None, rows: ScoreArray) -> Flags | None:
    return None if when is None else np.asarray(when)[rows]


def _with_quasi_static_rows(moving: JointLoads, resting: JointLoads, rows: Flags) -> JointLoads:
    """Return loads with some rows static: the legs, or the whole body where hands support it."""
    tau = moving.tau.copy()
    for leg in LEG_GROUPS:
        tau[rows, GROUPS[leg]] = resting.tau[rows, GROUPS[leg]]
    whole = rows & _hands_support(resting, moving)
    tau[whole] = resting.tau[whole]
    assert moving.rates is not None
    return replace(
        moving,
        tau=tau,
        rates=MotionRates(_zeroed(moving.rates.dq, whole), _zeroed(moving.rates.ddq, whole)),
        wrenches=tuple(
            PointWrench(fast.point, _joined(fast.wrench, still.wrench, whole))
            for fast, still in zip(moving.wrenches, resting.wrenches, strict=True)
        ),
    )


def _hands_support(*loads: JointLoads) -> Flags:
    bear = np.zeros(len(loads[0].times), dtype=bool)
    for each in loads:
        for side in SIDES:
            if (reaction := each.reactions.get(f"{side}_hand")) is not None:
                bear |= np.linalg.norm(reaction.force, axis=1) > 1e-6
    return bear


def _zeroed(values: Array, rows: Flags) -> Array:
    return np.where(rows[:, None], 0.0, values)


def _joined(fast: Array, still: Array, rows: Flags) -> Array:
    return fast if fast.ndim == 1 else np.where(rows[:, None], still, fast)
