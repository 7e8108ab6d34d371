"""Joint loads that can be believed at every instant.

People walk by falling a little, and played motions are balanced at rest: at some instants no forces
at the contacts give exactly the motion. What is missing then would be carried by the pelvis, so the
legs' torques, and all torques while hands bear, are taken as at rest there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from robotix.dynamics import MotionRates, PointWrench
from robotix.dynamics.supports import Flags
from robotix.geometry import Array
from robotix.human.joint_loads import Carried, JointLoads, joint_loads
from robotix.human.manikin import GROUPS
from robotix.human.performance import Performance
from robotix.human.skeleton import SIDES

__all__ = ["LoadCourse", "load_course"]

LEGS = ("right_leg", "left_leg")


@dataclass(frozen=True, eq=False)
class LoadCourse:
    """What the joints carry, in motion and at rest."""

    loads: JointLoads  # in motion; as at rest where `is_settled`
    resting: JointLoads
    is_settled: Flags  # (N,), legs as at rest, since the contacts could not give the motion
    is_borne: (
        Flags  # (N,), the contacts can bear the body at rest; else its legs' torques mean little
    )


def load_course(
    performance: Performance, *, dynamic: bool = True, forces: Sequence[PointWrench] = ()
) -> LoadCourse:
    """Return the joint loads of a performance."""
    manikin, motion, contacts = performance.manikin, performance.motion, performance.contacts
    carried: list[Carried] = [*performance.loads, *forces]
    resting = joint_loads(manikin, motion, contacts=contacts, loads=carried)
    none = np.zeros(len(motion.times), dtype=bool)
    if not dynamic or len(motion.times) == 1:
        return LoadCourse(resting, resting, none, resting.is_balanced)
    moving = joint_loads(manikin, motion, contacts=contacts, loads=carried, dynamic=True)
    lacking = ~moving.is_balanced
    return LoadCourse(_settled(moving, resting, lacking), resting, lacking, resting.is_balanced)


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
