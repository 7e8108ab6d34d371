"""What the other joints do while the ankles balance: a squat, a kick, standing still."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robotix.dynamics.balance.humanoid import stance
from robotix.errors import BadField
from robotix.geometry import Array
from robotix.model import Model

__all__ = ["KeyPostures", "kick", "squat", "stand"]

SQUAT_TIME = 2.0  # s, down, and again up
KICK_START, KICK_TIMES = 0.5, (0.0, 0.3, 0.6, 1.0)  # s: lifted, back, forward, as before
# rad: (hip pitch, knee) of the kicking leg, and the trunk's lean forward about the standing hip
KICK_KEYS = ((-0.6, 1.2, 0.0), (0.5, 1.6, 0.3), (-1.6, 0.1, -0.3), (-0.6, 1.2, 0.0))
SQUAT: Mapping[str, float] = {  # rad
    **{f"{side}_knee": 2.55 for side in ("left", "right")},
    **{f"{side}_hip_pitch": -2.25 for side in ("left", "right")},
    **{f"{side}_shoulder_pitch": -0.6 for side in ("left", "right")},
}


@dataclass(frozen=True, eq=False)
class KeyPostures:
    """Postures at given times, joined by polynomials of fifth degree that rest at each of them."""

    times: tuple[float, ...]  # s, ascending
    postures: tuple[Array, ...]  # (n_dof,) each

    def __post_init__(self) -> None:
        if len(self.times) != len(self.postures) or not self.times:
            raise BadField("postures", "one a time, at least one", len(self.postures))
        if any(b <= a for a, b in zip(self.times, self.times[1:], strict=False)):
            raise BadField("times", "ascending", self.times)

    def at(self, time: float) -> tuple[Array, Array]:
        """Return q and dq, (n_dof,) each; the first and last posture hold outside."""
        k = bisect_right(self.times, time)
        if k == 0 or k == len(self.times):
            posture = self.postures[min(k, len(self.times) - 1)]
            return posture.copy(), np.zeros_like(posture)
        start, end = self.times[k - 1], self.times[k]
        s = (time - start) / (end - start)
        change = self.postures[k] - self.postures[k - 1]
        part = s**3 * (10 - 15 * s + 6 * s * s)
        rate = 30 * s * s * (1 - s) ** 2 / (end - start)
        return self.postures[k - 1] + part * change, rate * change

    @property
    def end(self) -> float:
        """Time of the last posture, s."""
        return self.times[-1]


def stand(model: Model) -> KeyPostures:
    """Return standing still on both feet, with straight knees."""
    return KeyPostures((0.0,), (model.neutral,))


def squat(model: Model) -> KeyPostures:
    """Return a squat until the hands are at the floor, and rising again; hips, knees, shoulders."""
    down = model.neutral.copy()
    for name, value in SQUAT.items():
        down[model.dof_index(name)] = value
    return KeyPostures((0.0, SQUAT_TIME, 2 * SQUAT_TIME), (model.neutral, down, model.neutral))


def kick(model: Model) -> KeyPostures:
    """Return a kick of the right leg in one second, standing on the left; the arms hang still.

    The leg swings back and forward; the trunk leans forward and back against it.
    """
    hip, knee, _ = KICK_KEYS[0]
    lifted = {"right_hip_pitch": hip, "right_knee": knee, "right_ankle_pitch": -0.6}
    start = stance(model, {"left_knee": 0.3, "left_hip_pitch": -0.15, **lifted}, foot="left")
    postures = []
    for hip, knee, lean in KICK_KEYS:
        q = start.copy()
        q[model.dof_index("right_hip_pitch")] = hip
        q[model.dof_index("right_knee")] = knee
        q[model.dof_index("left_hip_pitch")] -= lean
        postures.append(q)
    return KeyPostures(tuple(KICK_START + t for t in KICK_TIMES), tuple(postures))
