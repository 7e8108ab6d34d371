"""Neck and fingers during a performance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.human.body.head_and_hands import HeadAndHands
from robotix.human.body.skeleton import Side
from robotix.human.motion.fingers import finger_bends
from robotix.human.motion.gaze import NeckAngles, neck_angles
from robotix.human.motion.performance import Performance

__all__ = ["Gestures", "make_gestures"]


@dataclass(frozen=True, eq=False)
class Gestures:
    """Neck and fingers at every row of a performance."""

    times: Array  # (N,), s
    neck: NeckAngles
    fingers: Mapping[Side, Array]  # (N,) each, rad

    def at(self, time: float) -> HeadAndHands:
        """Return neck and fingers at a time, s, the ends beyond the ends."""
        flexion, rotation = self.neck.flexion, self.neck.rotation
        return HeadAndHands(
            float(np.interp(time, self.times, flexion)),
            float(np.interp(time, self.times, rotation)),
            {side: float(np.interp(time, self.times, bend)) for side, bend in self.fingers.items()},
        )


def make_gestures(performance: Performance) -> Gestures:
    """Return what neck and fingers do during a performance."""
    return Gestures(performance.motion.times, neck_angles(performance), finger_bends(performance))
