"""Styles of motion: joint weights and comfort postures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from robotix.errors import UnknownName
from robotix.geometry import Array
from robotix.human.body.manikin import GROUPS, Manikin
from robotix.human.body.skeleton import SIDES
from robotix.model import Model

__all__ = [
    "COMFORT_RATE",
    "NATURAL",
    "STYLES",
    "Style",
    "comfort_laws",
    "posture_of",
    "style_named",
]

COMFORT_RATE = 5.0  # 1/s: natural frequency of the pull to the comfort posture

STANDING_DEG = {  # degrees; knees unlocked, arms clear of the thighs
    "hip_flexion": 5,
    "knee_flexion": 9,
    "ankle_dorsiflexion": 4,
    "shoulder_abduction": 9,
    "elbow_flexion": 15,
    "shoulder_flexion": 2,
}


@dataclass(frozen=True)
class Style:
    """A style of motion: joint weights and comfort postures.

    `weights` multiply the joint weights common to all styles: a joint of weight w costs w dq².
    `bent` is the comfort posture with the hands at the floor and the heels raised by `heel_rise`.
    A static style keeps the centre of mass over the feet; others balance the motion with its
    inertia.
    Names without a side mean both sides; angles in degrees.
    """

    name: str
    weights: Mapping[str, float]
    bent: Mapping[str, float]
    heel_rise: float = 0.0
    is_static: bool = False  # slow enough to stop at any instant
    standing: Mapping[str, float] = field(default_factory=lambda: STANDING_DEG)

    def joint_weights(self, manikin: Manikin) -> Array:
        """Return the weight of every coordinate, (n_dof,)."""
        names = [_sideless(name) for name in manikin.model.dof_names]
        return np.array(
            [JOINT_WEIGHTS.get(name, 1.0) * self.weights.get(name, 1.0) for name in names]
        )


# Of every style: joints that move much of the body, and those that twist or tilt it, move less.
JOINT_WEIGHTS = {
    "root_x": 8.0,
    "root_y": 8.0,
    "root_z": 4.0,
    "root_rx": 8.0,
    "root_ry": 8.0,
    "root_rz": 8.0,
    "hip_flexion": 4.0,
    "hip_abduction": 8.0,
    "hip_internal_rotation": 8.0,
    "knee_flexion": 2.0,
    "ankle_dorsiflexion": 2.0,
    "subtalar_inversion": 4.0,
    "toe_extension": 1000.0,  # they follow the gait plan
    "L5S1_flexion": 15.0,
    "T12L1_flexion": 25.0,
    "L5S1_lateral_right": 15.0,
    "T12L1_lateral_right": 15.0,
    "L5S1_axial_left": 10.0,
    "shoulder_abduction": 1.5,
    "shoulder_internal_rotation": 1.5,
    "wrist_flexion": 2.0,
    "wrist_radial_deviation": 2.0,
}
NATURAL = Style(
    "natural",
    {},
    {
        "hip_flexion": 85,
        "knee_flexion": 75,
        "ankle_dorsiflexion": 15,
        "L5S1_flexion": 25,
        "T12L1_flexion": 15,
        "shoulder_flexion": 60,
        "elbow_flexion": 15,
        "shoulder_abduction": 5,
    },
)
STOOP = Style(
    "stoop",
    {"knee_flexion": 10.0, "ankle_dorsiflexion": 3.0, "L5S1_flexion": 0.15, "T12L1_flexion": 0.15},
    {
        "hip_flexion": 80,
        "knee_flexion": 9,
        "ankle_dorsiflexion": 0,
        "L5S1_flexion": 45,
        "T12L1_flexion": 28,
        "shoulder_flexion": 60,
        "elbow_flexion": 8,
        "shoulder_abduction": 5,
    },
)
SQUAT = Style(
    "squat",
    {"L5S1_flexion": 3.0, "T12L1_flexion": 3.0, "knee_flexion": 0.5, "hip_flexion": 0.5},
    {
        "hip_flexion": 105,
        "knee_flexion": 115,
        "ankle_dorsiflexion": 20,
        "L5S1_flexion": 8,
        "T12L1_flexion": 4,
        "shoulder_flexion": 55,
        "elbow_flexion": 15,
        "shoulder_abduction": 5,
    },
    heel_rise=18.0,
)
SLOW = replace(NATURAL, name="slow", is_static=True)
STYLES = {style.name: style for style in (NATURAL, STOOP, SQUAT, SLOW)}


def style_named(name: str) -> Style:
    """Return a style by name."""
    try:
        return STYLES[name]
    except KeyError:
        raise UnknownName("style", name, STYLES) from None


def posture_of(manikin: Manikin, degrees: Mapping[str, float]) -> Array:
    """Return the posture with these angles, all others zero, (n_dof,), rad."""
    q = np.zeros(manikin.model.n_dof)
    left = dict(degrees)
    for dof, name in enumerate(manikin.model.dof_names):
        for key in (name, _sideless(name)):
            if key in degrees:
                q[dof] = np.radians(degrees[key])
                left.pop(key, None)
                break
    if left:
        raise UnknownName("joint", next(iter(left)), manikin.model.dof_names)
    return q


def _sideless(name: str) -> str:
    side, _, rest = name.partition("_")
    return rest if side in SIDES else name


def comfort_laws(model: Model, dt: float, *, arm_rate: float = COMFORT_RATE) -> Array:
    """Return the factors of dq, (q_comfort - q) and its change in the desired rates, (3, n_dof).

    A critically damped pull with natural frequency w: dq' = (1 - 2 w dt) dq + w² dt (q_comfort - q)
    + 2 w Δq_comfort. It is smooth when goals change. The root has no comfort posture; the toes
    follow the gait plan exactly. `arm_rate` is w of the arms, 1/s.
    """
    rate = np.full(model.n_dof, COMFORT_RATE)
    for side in SIDES:
        rate[GROUPS[f"{side}_arm"]] = arm_rate
    keep, pull, follow = 1 - 2 * rate * dt, rate**2 * dt, 2 * rate
    pull[GROUPS["root"]] = follow[GROUPS["root"]] = 0.0
    toes = [model.dof_index(f"{side}_toe_extension") for side in SIDES]
    keep[toes], pull[toes], follow[toes] = 0.0, 1 / dt, 0.0
    return np.stack([keep, pull, follow])
