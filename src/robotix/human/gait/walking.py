"""Walking, single steps, footprints along a path, and standing on the toes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import Footprint, Gait, current_footprints, toe_joint
from robotix.human.gait.plan import GaitPlan, plan_gait
from robotix.human.motion.actions import ticks_of
from robotix.human.motion.contacts import contact_positions, heel, sole, toes
from robotix.human.motion.curves import minimum_jerk, pitch_rotations, ramp, yaw_rotations
from robotix.human.motion.goals import SOFT_GAIN, stay_upright
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.support import support_polygon
from robotix.kinematics import OrientationTask

__all__ = [
    "Path",
    "footprints_along",
    "raise_heels",
    "stand_on_soles",
    "stand_on_toes",
    "step",
    "step_parts",
    "toe_polygon",
    "walk",
]

SWING_TOLERANCE = 0.01  # m, by which a quick foot may lag; one that stands does not
# Of a dynamic gait: rate (1/s) with which arms follow their swing, and lead (s) before the legs.
# Arms that are late do not balance the moment of the legs about the vertical.
ARM_RATE, ARM_LEAD = 25.0, 0.02
MIN_TURN = 0.05  # rad; hands follow a body that turns more
Path: TypeAlias = Callable[[float], tuple[Array, float]]  # distance, m: position (3,), m, heading


def walk(
    person: Performer, footprints: Sequence[Footprint], *, gait: Gait | None = None
) -> BodyAction:
    """Walk through footprints. Hands with a goal keep their position to the body; others swing."""
    if not footprints:
        return
    gait = gait or Gait()
    plan = plan_gait(person, footprints, gait=gait)
    if gait.is_dynamic:
        person.allow_strides()
        person.swing_arms(ARM_RATE)
        for side in SIDES:
            person.goal(f"{side}_foot").tolerance = SWING_TOLERANCE
    stay_upright(person)
    comfort = _comfort_series(person, plan, gait)
    carried = _hand_trajectories(person, plan)
    headings = yaw_rotations(plan.yaw)
    trunk = yaw_rotations(plan.yaw + _trunk_turn(plan, gait, person.dt))
    leans = trunk @ _leaning(plan, gait, person.dt)
    heights = plan.heights[:, None] * (0.0, 0.0, 1.0)
    feet = {f"{side}_foot": foot for side, foot in plan.feet.items()}
    positions = {name: foot.positions for name, foot in feet.items()}
    positions |= {"balance": plan.com, "height": heights, **carried}
    rotations = {name: foot.rotations for name, foot in feet.items()}
    rotations |= {"pelvis_turn": plan.pelvis, "pelvis_level": headings, "trunk_turn": leans}
    rotations |= _palm_rotations(person, plan)
    moves = [(person.goal(name), rows) for name, rows in positions.items()]
    rotated = [(person.goal(name), rows) for name, rows in rotations.items()]
    for row in range(len(plan)):
        for fact, contact in plan.events.get(row, ()):
            _apply_event(person, fact, contact)
        for goal, rows in moves:
            goal.position[:] = rows[row]
        for goal, rows in rotated:
            goal.rotation[:] = rows[row]
        person.comfort[:] = comfort[row]
        yield
    for fact, contact in plan.events.get(len(plan), ()):
        _apply_event(person, fact, contact)
    person.swing_arms()


def step(
    person: Performer,
    side: Side,
    *,
    to: Sequence[float],
    yaw: float = 0.0,
    gait: Gait | None = None,
) -> BodyAction:
    """Shift the weight onto the other foot, then move this one to a position."""
    position = np.asarray(to, dtype=float)
    yield from walk(person, [Footprint(side, position, yaw)], gait=gait)


def _apply_event(person: Performer, fact: str, contact: str) -> None:
    if fact == "leave":
        person.remove_contact(contact)
        return
    side: Side = "right" if contact.startswith("right") else "left"
    make = {"toes": toes, "heel": heel, "foot": sole}[contact.partition("_")[2]]
    person.add_contact(make(person.manikin, side))


def _comfort_series(person: Performer, plan: GaitPlan, gait: Gait) -> Array:
    """Return the comfort postures: each arm swings with the opposite leg; the toes stay level."""
    model, rows = person.manikin.model, np.tile(person.comfort, (len(plan), 1))
    lead = ticks_of(person, ARM_LEAD) if gait.is_dynamic else 0
    stride = np.pad(plan.stride, (0, lead), mode="edge")[lead:]
    for side, sign in SIDES.items():  # the left arm swings back when the left leg is ahead
        rows[:, model.dof_index(f"{side}_toe_extension")] = plan.feet[side].toes
        if person.has_goal(f"{side}_hand"):
            continue
        swing = -sign * stride / gait.long_step * gait.arm_swing
        rows[:, model.dof_index(f"{side}_shoulder_flexion")] += swing
        rows[:, model.dof_index(f"{side}_elbow_flexion")] += 0.2 * np.maximum(swing, 0.0)
    twist = (gait.trunk_turn + gait.pelvis_turn) * stride / gait.long_step
    rows[:, model.dof_index("L5S1_axial_left")] += twist if gait.trunk_turn else 0.0
    return rows


def _trunk_turn(plan: GaitPlan, gait: Gait, dt: float) -> Array:
    """Return the yaw of the trunk against the heading, (n,), ahead of its goal, which lags."""
    turn = gait.trunk_turn * plan.stride / gait.long_step
    return np.asarray(turn + np.gradient(turn, dt) / SOFT_GAIN)


def _leaning(plan: GaitPlan, gait: Gait, dt: float) -> Array:
    """Return the pitch of the trunk, (n, 3, 3): leaning while walking, upright at both ends."""
    time = dt * np.arange(1, len(plan) + 1)
    fractions = minimum_jerk(time / gait.first) * minimum_jerk((time[-1] - time) / gait.last)
    return pitch_rotations(gait.lean * fractions)


def _hand_trajectories(person: Performer, plan: GaitPlan) -> dict[str, Array]:
    """Return hand trajectories that keep their position relative to pelvis and CoM."""
    weight, height = person.goal("balance").position, person.goal("height").position[2]
    heading = yaw_rotations(plan.yaw)
    now = yaw_rotations(float(np.mean([p.yaw for p in current_footprints(person).values()])))
    origin = np.array([weight[0], weight[1], height])
    centre = plan.com + plan.heights[:, None] * (0.0, 0.0, 1.0)
    names = [f"{side}_hand" for side in SIDES if person.has_goal(f"{side}_hand")]
    return {
        name: centre + heading @ (now.T @ (person.goal(name).position - origin)) for name in names
    }


def _palm_rotations(person: Performer, plan: GaitPlan) -> dict[str, Array]:
    """Return the rotations of hands that hold something while the body turns, about all axes."""
    now = float(np.mean([p.yaw for p in current_footprints(person).values()]))
    if abs(plan.yaw - now).max() < MIN_TURN:
        return {}
    found = {}
    for name in (f"{side}_palm" for side in SIDES if person.has_goal(f"{side}_palm")):
        goal = person.goal(name)
        assert isinstance(goal.task, OrientationTask)
        held = person.posture().pose(goal.task.point).rotation.copy()
        task = replace(goal.task, axes="xyz", frame=np.eye(3), target=held)
        person.set_goal(name, task)
        found[name] = yaw_rotations(plan.yaw - now) @ task.target
    return found


def footprints_along(
    path: Path,
    *,
    length: float,
    step_length: float,
    half_width: float,
    end_half_width: float | None = None,
    first: Side = "right",
    end_steps: Sequence[float] = (),
) -> list[Footprint]:
    """Return footprints along a path, ending with both feet side by side.

    Args:
        path: Maps the distance along the path, m, to position (3,), m, and heading, rad.
        length: Of the path, m.
        step_length: Largest distance between two footprints, m.
        half_width: Distance of a foot from the path, m.
        end_half_width: The same for the last two footprints; `half_width` when None.
        first: Side of the first step.
        end_steps: Lengths of the first steps, of the others; the last ones mirror them.
    """
    reached = np.cumsum(step_parts(length / step_length, end_steps))
    count = len(reached)
    sides: tuple[Side, Side] = ("right", "left") if first == "right" else ("left", "right")
    prints = []
    for index in range(1, count + 2):
        side = sides[(index - 1) % 2]
        position, yaw = path(length * float(reached[min(index, count) - 1] / reached[-1]))
        half = half_width if index < count or end_half_width is None else end_half_width
        aside = np.array([0.0, SIDES[side] * half, 0.0])
        prints.append(Footprint(side, position + yaw_rotations(yaw) @ aside, yaw))
    return prints


def step_parts(total: float, end_steps: Sequence[float] = ()) -> Array:
    """Return the lengths of the steps of a walk, (n,), in units of a full step; sum: `total`.

    `end_steps` are those of the first steps, and in reverse of the last ones; they grow or shrink
    until the others are full steps. Where there is no room for a full step, all shrink.
    """
    ends, most = np.array(end_steps), 2 * len(end_steps)
    full = round(total - 2 * float(ends.sum())) if most else 0
    if most and full > 0:
        fitted = ends * (total - full) / (2 * ends.sum())
        return np.concatenate([fitted, np.ones(full), fitted[::-1]])
    count = 1
    while True:
        parts = np.ones(count)
        k = min(count, len(ends))
        parts[:k] = ends[:k]
        parts[count - k :] = np.minimum(parts[count - k :], ends[:k][::-1])
        if parts.sum() >= total - 1e-9:
            return np.asarray(parts * total / parts.sum())
        count += 1


# -- standing on the toes -----------------------------------------------------------------------


def toe_polygon(person: Performer) -> Array:
    """Return the support polygon of the toes alone, (k, 2), m."""
    both = [toes(person.manikin, side) for side in SIDES]
    return support_polygon(contact_positions(person.posture(), both))


def stand_on_toes(person: Performer) -> None:
    """Replace the contacts of the soles by those of the toes; the heels may rise from now on."""
    for side in SIDES:
        person.remove_contact(f"{side}_foot")
        person.add_contact(toes(person.manikin, side))


def stand_on_soles(person: Performer) -> None:
    """Replace the contacts of the toes by those of the soles, once the heels are down."""
    for side in SIDES:
        person.remove_contact(f"{side}_toes")
        person.add_contact(sole(person.manikin, side))


def raise_heels(person: Performer, *, to: float, seconds: float) -> BodyAction:
    """Pitch both feet about their toe joints, with flat toes, to an angle in rad; 0 is flat."""
    local, fractions = toe_joint(person), ramp(ticks_of(person, seconds))
    trajectories = []
    for side, print_ in current_footprints(person).items():
        goal = person.goal(f"{side}_foot")
        joint = goal.position + goal.rotation @ local
        dof = person.manikin.model.dof_index(f"{side}_toe_extension")
        start = float(person.comfort[dof])
        rise = start + fractions * (to - start)
        rotations = yaw_rotations(print_.yaw) @ pitch_rotations(rise)
        trajectories.append((f"{side}_foot", dof, rise, rotations, joint - rotations @ local))
    for row in range(len(fractions)):
        for name, dof, rise, rotations, positions in trajectories:
            goal = person.goal(name)
            goal.rotation[:], goal.position[:] = rotations[row], positions[row]
            person.comfort[dof] = rise[row]
        yield
