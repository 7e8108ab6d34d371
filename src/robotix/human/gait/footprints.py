"""Footprints, the parameters of a gait, and the times of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.curves import yaw_rotations
from robotix.human.motion.performer import Performer

__all__ = [
    "MIN_RISE",
    "FootTrajectory",
    "Footprint",
    "Gait",
    "TimedStep",
    "current_footprints",
    "forward_of",
    "time_steps",
    "toe_joint",
]

# Largest distance from hip to ankle, of the straight leg: knees stay bent by 15° or more.
LEG_EXTENSION_RATIO = 0.991
MIN_RISE = 0.02  # rad; a heel that rises less stays down
FLAT_FRACTION = 1.0  # of the double support, after which a foot that landed on its heel is flat


@dataclass(frozen=True, eq=False)
class Footprint:
    """Pose of a flat foot: the point of the sole under the ankle, and the heading."""

    side: Side
    position: Array  # (3,), m
    yaw: float = 0.0  # rad

    def apply(self, local: Array) -> Array:
        """Map a point from the frame of the foot to the world."""
        return self.position + yaw_rotations(self.yaw) @ local


@dataclass(frozen=True)
class Gait:
    """Parameters of a gait; lengths in m, times in s."""

    double_support: float = 0.36
    swing: float = 0.52
    first: float = 0.75  # weight shift before the first step
    last: float = 0.8  # weight shift after the last step
    lift: float = 0.04  # height of the swing foot
    heel_rise: float = 0.6  # rad, of the rear foot at a step of `long_step`
    rolling: float = 0.5  # fraction of the double support in which the rear heel rises
    long_step: float = 0.35
    arm_swing: float = 0.35  # rad, at a step of `long_step`
    climb_first: float = 0.0  # 0: up and forward together; 1: up before forward
    lean: float = 0.0  # rad, of the trunk, forward
    droop: float = 0.15  # rad, pitch of the swing foot, heel up
    toe_out: float = 0.0  # rad, yaw of the swing foot, so that the knee passes the other one
    late_toe_out: float = 1.0  # of it, in a step that ends beside the other foot
    is_dynamic: bool = False  # balanced by the zero-moment point
    landing_pitch: float = 0.0  # rad, toes up, at the landing on the heel; 0: flat
    clearance: float = 0.004  # m, least height of a foot that rolls, in the middle of the swing
    pelvis_turn: float = 0.0  # rad, of the hip of the leading leg ahead, at `long_step`
    trunk_turn: float = 0.0  # rad, of the shoulder of the other side ahead, at `long_step`
    extension: float = LEG_EXTENSION_RATIO  # largest distance from hip to ankle, of the leg
    push_off: float = 0.955  # the same when the toes of a foot that rolls leave: knee bent by 35°
    bounce: float = 0.03  # m, largest rise of the pelvis within a step of a dynamic gait
    smoothing: float = 0.16  # s, of the height of the pelvis

    def at_pace(self, pace: float) -> Gait:
        """Return the gait with all times divided by `pace`."""
        times = ("double_support", "swing", "first", "last")
        return replace(self, **{name: getattr(self, name) / pace for name in times})


@dataclass(frozen=True, eq=False)
class FootTrajectory:
    """Trajectory of one foot, one row per tick."""

    positions: Array  # (n, 3), of the sole under the ankle
    rotations: Array  # (n, 3, 3)
    toes: Array  # (n,), rad, extension of the toes: level while the heel is raised


@dataclass(frozen=True, eq=False)
class TimedStep:
    """One step and its times, s: heel off, toe off, landing, foot flat."""

    start: Footprint
    end: Footprint
    stance: Footprint
    heel_off: float
    lift_off: float
    landing: float
    flat: float
    rise: float  # rad, of the foot about its toe joint
    pitch: float  # rad, toes up, at the landing


def current_footprints(person: Performer) -> dict[Side, Footprint]:
    """Return the footprints of the present stance."""
    prints: dict[Side, Footprint] = {}
    for side in SIDES:
        goal = person.goal(f"{side}_foot")
        yaw = float(np.arctan2(goal.rotation[1, 0], goal.rotation[0, 0]))
        prints[side] = Footprint(side, goal.position.copy(), yaw)
    return prints


def time_steps(
    person: Performer, footprints: Sequence[Footprint], gait: Gait
) -> tuple[list[TimedStep], float]:
    """Return the steps with their times, and the duration of the walk, s."""
    standing = current_footprints(person)
    steps: list[TimedStep] = []
    time = 0.0

    def ticked(seconds: float) -> float:  # contacts change at a tick
        return float(round(seconds / person.dt) * person.dt) if gait.is_dynamic else seconds

    for index, end in enumerate(footprints):
        stance = standing["left" if end.side == "right" else "right"]
        start = standing[end.side]
        shift = gait.first if index == 0 else gait.double_support
        behind = forward_of(stance, stance.position - start.position)
        rise = gait.heel_rise * float(np.clip(behind / gait.long_step, 0.0, 1.2))
        lift_off = ticked(time + shift)
        roll = gait.rolling * (gait.double_support if gait.is_dynamic else shift)
        heel_off = lift_off - (ticked(min(roll, 0.8 * shift + time)) if rise > MIN_RISE else 0.0)
        landing = ticked(lift_off + gait.swing)
        beyond = forward_of(stance, end.position - stance.position)
        pitch = gait.landing_pitch * float(np.clip(beyond / gait.long_step, 0.0, 1.2))
        flat = (
            landing + ticked(FLAT_FRACTION * gait.double_support) if pitch > MIN_RISE else landing
        )
        steps.append(TimedStep(start, end, stance, heel_off, lift_off, landing, flat, rise, pitch))
        standing[end.side] = end
        time = landing
    return steps, time + gait.last


def forward_of(print_: Footprint, displacement: Array) -> float:
    """Return how far a displacement leads along the heading of a footprint, m."""
    return float(displacement[0] * np.cos(print_.yaw) + displacement[1] * np.sin(print_.yaw))


def toe_joint(person: Performer) -> Array:
    """Return the toe joint in the frame of a flat foot, (3,), m."""
    ahead = person.size("heel_to_ball") - person.size("heel_to_ankle")
    return np.array([ahead, 0.0, person.size("toe_joint_height")])
