"""Joint loads that can be believed at every instant.

Played motions are balanced at rest, not in motion: at some instants no forces at the contacts give
the accelerations they have, and a person could not move like that. There, trunk and arms count as
if it was done slower, as much as the contacts ask for. So slowed, the weight is on the edge of
the support, where nobody would have it: the legs, and all of the body while hands bear, count as at
rest. Where not even that can be borne (a recorded person walks by falling a little, or contacts
were guessed wrongly), trunk and arms count as they moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from robotix.dynamics import MotionRates, PointWrench
from robotix.dynamics.supports import Flags
from robotix.geometry import Array
from robotix.human.body.manikin import GROUPS
from robotix.human.body.skeleton import SIDES
from robotix.human.evaluation.joint_loads import CarriedLoad, JointLoads, joint_loads
from robotix.human.motion.performance import Performance

__all__ = ["LoadSeries", "load_course"]

LEGS = ("right_leg", "left_leg")
HALVINGS = 5  # how finely the haste is looked for: to 3 %


@dataclass(frozen=True, eq=False)
class LoadSeries:
    """What the joints carry, in motion and at rest."""

    loads: JointLoads  # in motion, as far as the contacts can give it
    resting: JointLoads
    haste: Array  # (N,), share of the accelerations that counts for trunk and arms
    is_settled: Flags  # (N,), legs as at rest, since the contacts could not give the motion
    is_borne: (
        Flags  # (N,), the contacts can bear the body at rest; else its legs' torques mean little
    )


def load_course(
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
    lacking = ~moving.is_balanced
    haste = np.ones(count)
    slower = lacking & resting.is_balanced
    if slower.any():
        hurried = partial(solve, dynamic=True)
        haste[slower] = _most_haste(hurried, slower)[slower]
        moving = hurried(haste=haste)
    settled = _settled(moving, resting, lacking)
    return LoadSeries(settled, resting, haste, lacking, resting.is_balanced)


def _most_haste(solve: Callable[..., JointLoads], rows: Flags) -> Array:
    """Return for some rows the largest share of the accelerations that the contacts can give.

    Needed forces grow linearly with it, and what the contacts can give is convex: halving finds it.
    """
    low, high = np.zeros(len(rows)), np.ones(len(rows))
    for _ in range(HALVINGS):
        middle = np.where(rows, (low + high) / 2, 0.0)
        is_given = solve(haste=middle).is_balanced
        low, high = np.where(is_given, middle, low), np.where(is_given, high, middle)
    return low


def _settled(moving: JointLoads, resting: JointLoads, rows: Flags) -> JointLoads:
    """Return loads in motion with some rows as at rest: the legs, or all where hands bear."""
    tau = moving.tau.copy()
    for leg in LEGS:
        tau[rows, GROUPS[leg]] = resting.tau[rows, GROUPS[leg]]
    whole = rows & _hands_bear(resting, moving)
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


def _hands_bear(*loads: JointLoads) -> Flags:
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
