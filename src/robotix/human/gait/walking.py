"""Walking, single steps, footprints along a path, and standing on the toes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import Footprint, Gait, current_footprints, toe_joint
from robotix.human.gait.plan import GaitPlan, plan_gait
from robotix.human.motion.actions import ticks_of
from robotix.human.motion.contacts import contact_positions, heel, sole, toes
from robotix.human.motion.curves import minimum_jerk, pitch_rotations, ramp, yaw_rotations
from robotix.human.motion.goals import stay_upright
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.support import support_polygon

__all__ = [
    "Path",
    "footprints_along",
    "raise_heels",
    "stand_on_soles",
    "stand_on_toes",
    "step",
    "toe_polygon",
    "walk",
]

SWING_TOLERANCE = 0.01  # m, by which a quick foot may lag; one that stands does not
# Of a dynamic gait: rate (1/s) with which arms follow their swing, and lead (s) before the legs.
# Arms that are late do not balance the moment of the legs about the vertical.
ARM_RATE, ARM_LEAD = 25.0, 0.02
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
    leans = headings @ _leaning(plan, gait, person.dt)
    heights = plan.heights[:, None] * (0.0, 0.0, 1.0)
    feet = {f"{side}_foot": foot for side, foot in plan.feet.items()}
    positions = {name: foot.positions for name, foot in feet.items()}
    positions |= {"balance": plan.com, "height": heights, **carried}
    rotations = {name: foot.rotations for name, foot in feet.items()}
    rotations |= {"pelvis_turn": plan.pelvis, "pelvis_level": headings, "trunk_turn": leans}
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
    return rows


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


def footprints_along(
    path: Path,
    *,
    length: float,
    step_length: float,
    half_width: float,
    end_half_width: float | None = None,
    first: Side = "right",
    end_steps: float = 1.0,
) -> list[Footprint]:
    """Return footprints along a path, ending with both feet side by side.

    Args:
        path: Maps the distance along the path, m, to position (3,), m, and heading, rad.
        length: Of the path, m.
        step_length: Largest distance between two footprints, m.
        half_width: Distance of a foot from the path, m.
        end_half_width: The same for the last two footprints; `half_width` when None.
        first: Side of the first step.
        end_steps: Length of the first and last step, of the others.
    """
    count = max(int(np.ceil(length / step_length + 2 - 2 * end_steps - 1e-9)), 1)
    reached = np.cumsum(np.where(np.isin(np.arange(count), (0, count - 1)), end_steps, 1.0))
    sides: tuple[Side, Side] = ("right", "left") if first == "right" else ("left", "right")
    prints = []
    for index in range(1, count + 2):
        side = sides[(index - 1) % 2]
        position, yaw = path(length * float(reached[min(index, count) - 1] / reached[-1]))
        half = half_width if index < count or end_half_width is None else end_half_width
        aside = np.array([0.0, SIDES[side] * half, 0.0])
        prints.append(Footprint(side, position + yaw_rotations(yaw) @ aside, yaw))
    return prints


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
