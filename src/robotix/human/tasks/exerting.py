"""Pushing and pulling at a bar with both hands, feet apart, without a step.

What is pushed resists with a horizontal force on the hands. The centre of mass moves towards the
bar, or away from it, by as much as keeps the pressure under the feet inside the stance.
"""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array, Cylinder, Pose
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.actions import (
    Palm,
    adopt,
    change_height,
    reach,
    shift_weight,
    together,
    wait,
)
from robotix.human.motion.balance import stance_centre
from robotix.human.motion.curves import translated
from robotix.human.motion.furniture import FLOOR
from robotix.human.motion.goals import free_hand
from robotix.human.motion.loads import HandForce
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, standing, standing_height
from robotix.human.motion.styles import Style

__all__ = ["pull", "push"]

GRAVITY = 9.81  # m/s²
BAR_HEIGHT_RATIO = 0.58  # of stature: at the elbows
STAGGER_RATIO = 0.22  # of stature: from the rear ankle to the front one
BAR_RADIUS, BAR_LENGTH = 0.015, 0.6  # m
RAMP = 0.7  # s to the full force, and back
WIDER = 0.02  # m, of each foot from the middle than in standing: thighs pass each other
PUSHING_DEG = {
    "hip_flexion": 15, "knee_flexion": 15, "ankle_dorsiflexion": 8, "L5S1_flexion": 5,
    "shoulder_flexion": 35, "shoulder_abduction": 15, "elbow_flexion": 70,
}  # fmt: skip
PULLING_DEG = {
    "hip_flexion": 15, "knee_flexion": 25, "ankle_dorsiflexion": 8,
    "shoulder_flexion": 45, "shoulder_abduction": 10, "elbow_flexion": 35,
}  # fmt: skip


def push(
    manikin: Manikin,
    *,
    style: Style,
    force: float = 100.0,
    bar_height: float | None = None,
    bar_distance: float | None = None,
    stagger: float | None = None,
    seconds: float = 2.0,
) -> Scenario:
    """Push against a bar with both hands, one foot ahead of the other.

    Args:
        manikin: The body.
        style: How it moves.
        force: Horizontal, of both hands together, N.
        bar_height: Of the hands, m.
        bar_distance: Of the bar in front of the middle of the ankles, m.
        stagger: From the rear ankle to the front one, m.
        seconds: How long the full force lasts.
    """
    return _exertion(
        manikin, style, force=-force, height=bar_height, distance=bar_distance, stagger=stagger,
        seconds=seconds,
    )  # fmt: skip


def pull(
    manikin: Manikin,
    *,
    style: Style,
    force: float = 100.0,
    bar_height: float | None = None,
    bar_distance: float | None = None,
    stagger: float | None = None,
    seconds: float = 2.0,
) -> Scenario:
    """Pull at a bar with both hands, one foot ahead of the other; parameters as in `push`."""
    return _exertion(
        manikin, style, force=force, height=bar_height, distance=bar_distance, stagger=stagger,
        seconds=seconds,
    )  # fmt: skip


def _exertion(
    manikin: Manikin,
    style: Style,
    *,
    force: float,
    height: float | None,
    distance: float | None,
    stagger: float | None,
    seconds: float,
) -> Scenario:
    """Return a person at a bar that acts with a force along x on the hands, N."""
    stature = manikin.anthropometry.stature
    apart = STAGGER_RATIO * stature if stagger is None else stagger
    half = abs(float(manikin.skeleton["right_ankle"][1])) + WIDER
    person = standing(manikin, style=style, half_width=half, stagger=apart)
    z = BAR_HEIGHT_RATIO * stature if height is None else height
    # arms neither stretched nor folded; who pushes comes nearer by leaning
    lean = _lean(person, force, z)
    usual = 0.262 * stature + max(lean - _lead(lean, apart), 0.0)
    bar = np.array([usual if distance is None else distance, 0.0, z])
    across = np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    solid = Cylinder(BAR_RADIUS, BAR_LENGTH, Pose(across, bar))
    room = Environment({"bar": solid, **FLOOR}, graspable=frozenset({"bar"}))
    return Scenario(person, exert(person, bar, force, stagger=apart, seconds=seconds), room)


def exert(
    person: Performer, bar: Array, force: float, *, stagger: float, seconds: float
) -> BodyAction:
    """Grip a bar, let it act with a force along x on the hands, N, and let go.

    The mass centre is ahead or behind before the force acts, as far as the stance allows; so the
    pressure moves from one foot to the other, and the trunk need not.
    """
    comfort = PUSHING_DEG if force < 0 else PULLING_DEG
    home, lean = stance_centre(person), _lean(person, force, float(bar[2]))
    ready = translated(home, x=_lead(lean, stagger))
    yield from wait(person, 0.2)
    yield from together(
        adopt(person, comfort, seconds=1.2),
        shift_weight(person, to=ready, seconds=1.3),
        change_height(person, to=0.975 * _upright_height(person, stagger), seconds=1.2),
        *(_take(person, bar, side) for side in SIDES),
    )
    start = person.time
    for side in SIDES:
        half = np.array([force / 2, 0.0, 0.0])
        person.hand_forces.append(HandForce(side, half, start, start + 2 * RAMP + seconds, RAMP))
    against = translated(home, x=lean - _lead(lean, stagger))
    yield from shift_weight(person, to=against, seconds=RAMP)
    yield from wait(person, seconds)
    yield from shift_weight(person, to=ready, seconds=RAMP)
    yield from together(
        shift_weight(person, to=home, seconds=1.2),
        change_height(person, to=_upright_height(person, stagger), seconds=1.2),
        *(_let_go(person, side) for side in SIDES),
        adopt(person, person.style.standing, seconds=1.2),
    )
    for side in SIDES:
        free_hand(person, side)
    yield from wait(person, 0.3)


def _upright_height(person: Performer, stagger: float) -> float:
    """Return the height of the pelvis over feet that stand apart, m."""
    leg = person.size("thigh_length") + person.size("shank_length")
    lost = leg - float(np.sqrt(leg**2 - (stagger / 2) ** 2))
    return standing_height(person) - lost


def _lean(person: Performer, force: float, height: float) -> float:
    """Return how far ahead the mass centre must be against a force at a height, m."""
    return -force * height / (GRAVITY * person.manikin.model.mass)


def _lead(lean: float, stagger: float) -> float:
    """Return how far ahead the mass centre is before the force acts, m."""
    most = 0.35 * stagger
    return float(np.clip(lean / 2, -most, most))


def _take(person: Performer, bar: Array, side: Side) -> BodyAction:
    aside = 0.85 * SIDES[side] * person.size("shoulder_half_width")
    to = translated(bar, y=aside)
    palm = Palm(0, np.array([0.0, -SIDES[side], 0.0]))
    yield from reach(person, side, to=to, via=[translated(to, x=-0.1)], seconds=1.4, palm=palm)


def _let_go(person: Performer, side: Side) -> BodyAction:
    grip = person.goal(f"{side}_hand").position.copy()
    person.drop_goals(f"{side}_palm")  # a hand that lets go turns as it likes
    ankle = np.mean([person.goal(f"{each}_foot").position for each in SIDES], axis=0)
    wide = max(person.size("shoulder_half_width"), person.size("hip_breadth") / 2 + 0.01)
    out = SIDES[side] * (wide + 0.07)
    beside = np.array([ankle[0] + 0.04 * person.stature, out, 0.47 * person.stature])
    yield from reach(person, side, to=beside, via=[translated(grip, x=-0.08)], seconds=1.6)
