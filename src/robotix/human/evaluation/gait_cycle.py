"""Joint angles over the gait cycle: from a landing of a foot to its next one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.evaluation.stepping import landings
from robotix.human.motion.performance import Performance

__all__ = ["CYCLE_JOINTS", "gait_cycle"]

CYCLE_JOINTS = ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")
END_STRIDES = 1  # of a foot at either end of a walk, which speed up or slow down


def gait_cycle(performance: Performance, *, count: int = 51) -> Mapping[str, Array]:
    """Return the mean angles of both legs over the cycle of steady strides, (count,), rad.

    Raises:
        ValueError: The walk is too short.
    """
    model, q = performance.manikin.model, performance.motion.q
    found: dict[str, list[Array]] = {joint: [] for joint in CYCLE_JOINTS}
    for side in SIDES:
        strides = list(pairwise(landings(performance, side)))
        for first, last in strides[END_STRIDES : len(strides) - END_STRIDES]:
            rows = np.linspace(first, last, count)
            for joint, curves in found.items():
                angle = q[:, model.dof_index(f"{side}_{joint}")]
                curves.append(np.interp(rows, np.arange(len(q)), angle))
    if not found[CYCLE_JOINTS[0]]:
        raise ValueError("the walk has no steady stride; let it go farther")
    return {joint: np.mean(curves, axis=0) for joint, curves in found.items()}
