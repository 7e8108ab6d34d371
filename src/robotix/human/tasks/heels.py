"""Raising the heels: who squats low stands on the toes."""

from __future__ import annotations

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.actions import ticks_of
from robotix.human.motion.contacts import contact_places, sole, toes
from robotix.human.motion.curves import pitch_rotations, ramp, yaw_rotations
from robotix.human.motion.gait import standing_prints, toe_joint
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.support import support_polygon

__all__ = ["raise_heels", "stand_on_soles", "stand_on_toes", "toe_polygon"]


def toe_polygon(person: Performer) -> Array:
    """Return the support that the toes alone give, (k, 2)."""
    both = [toes(person.manikin, side) for side in SIDES]
    return support_polygon(contact_places(person.posture(), both))


def stand_on_toes(person: Performer) -> None:
    """Let the toes bear what the soles bore; the heels may rise from now on."""
    for side in SIDES:
        person.leave(f"{side}_foot")
        person.touch(toes(person.manikin, side))


def stand_on_soles(person: Performer) -> None:
    """Let the soles bear again, the heels being down."""
    for side in SIDES:
        person.leave(f"{side}_toes")
        person.touch(sole(person.manikin, side))


def raise_heels(person: Performer, *, to: float, seconds: float) -> BodyAction:
    """Turn both feet about the joints of their toes, which stay flat; `to` in rad, 0 is down."""
    local, shares = toe_joint(person), ramp(ticks_of(person, seconds))
    courses = []
    for side, print_ in standing_prints(person).items():
        goal = person.goal(f"{side}_foot")
        joint = goal.position + goal.rotation @ local
        dof = person.manikin.model.dof_index(f"{side}_toe_extension")
        start = float(person.comfort[dof])
        rise = start + shares * (to - start)
        rotations = yaw_rotations(print_.yaw) @ pitch_rotations(rise)
        courses.append((f"{side}_foot", dof, rise, rotations, joint - rotations @ local))
    for row in range(len(shares)):
        for name, dof, rise, rotations, positions in courses:
            goal = person.goal(name)
            goal.rotation[:], goal.position[:] = rotations[row], positions[row]
            person.comfort[dof] = rise[row]
        yield
