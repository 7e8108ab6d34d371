"""Contacts: points of the body that support it, and the times at which they do.

The support polygon is the hull of these points seen from above, for a seat and for rungs as well as
for the floor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from robotix.geometry import Array, Box, Capsule, Pose
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import Side
from robotix.kinematics import Posture
from robotix.model import ControlPoint

__all__ = [
    "Contact",
    "ContactPhase",
    "contact_positions",
    "grip",
    "heel",
    "instep",
    "knee",
    "seat",
    "sole",
    "toe_tip",
    "toes",
    "tread",
]


@dataclass(frozen=True, eq=False)
class Contact:
    """Points at which a body part touches something."""

    name: str  # "right_foot", "right_heel", "right_toes", "seat", "left_hand"
    points: tuple[ControlPoint, ...]


@dataclass(frozen=True, eq=False)
class ContactPhase:
    """A contact and its time span, both ends included."""

    contact: Contact
    start: float  # s
    end: float  # s


def contact_positions(posture: Posture, contacts: Iterable[Contact]) -> Array:
    """Return the positions of the points of contacts in a posture, (n, 3), m."""
    positions = [posture.position(point) for contact in contacts for point in contact.points]
    return np.array(positions).reshape(-1, 3)


# By manikin, weakly, so that a contact does not keep its manikin alive.
_soles: WeakKeyDictionary[Manikin, dict[Side, Contact]] = WeakKeyDictionary()
_toes: WeakKeyDictionary[Manikin, dict[Side, Contact]] = WeakKeyDictionary()
_heels: WeakKeyDictionary[Manikin, dict[Side, Contact]] = WeakKeyDictionary()


def sole(manikin: Manikin, side: Side) -> Contact:
    """Return the contact of a flat foot, from heel to toes; one object per manikin and side."""
    made = _soles.setdefault(manikin, {})
    if side not in made:
        made[side] = _make_sole(manikin, side)
    return made[side]


def _make_sole(manikin: Manikin, side: Side) -> Contact:
    names = (*manikin.support_points(side), *manikin.toe_points(side))
    return Contact(f"{side}_foot", tuple(manikin.model.point(name) for name in names))


def heel(manikin: Manikin, side: Side) -> Contact:
    """Return the contact of the rear edge of a heel, under raised toes; one object per manikin."""
    made = _heels.setdefault(manikin, {})
    if side not in made:
        rear, half = manikin.model.point(f"{side}_heel"), manikin.anthropometry["heel_breadth"] / 2
        ends = (rear.pose @ Pose.at(0.0, y, 0.0) for y in (-half, half))
        made[side] = Contact(f"{side}_heel", tuple(ControlPoint(rear.body, end) for end in ends))
    return made[side]


def toes(manikin: Manikin, side: Side) -> Contact:
    """Return the contact of flat toes under a raised heel; one object per manikin and side."""
    made = _toes.setdefault(manikin, {})
    if side not in made:
        made[side] = _make_toes(manikin, side)
    return made[side]


def _make_toes(manikin: Manikin, side: Side) -> Contact:
    tips = tuple(manikin.model.point(name) for name in manikin.toe_points(side))
    body = f"{side}_toes"
    half = manikin.anthropometry["foot_breadth"] / 2
    drop = manikin.anthropometry["toe_joint_height"]
    edges = tuple(
        ControlPoint(body, Pose(translation=np.array([0.0, y, -drop]))) for y in (-half, half)
    )
    return Contact(body, tips + edges)


def knee(manikin: Manikin, side: Side) -> Contact:
    """Return the contact of a knee with the floor: a short line across the joint."""
    half = manikin.anthropometry["foot_breadth"] / 4
    ends = (Pose.at(0.0, y, 0.0) for y in (-half, half))
    return Contact(f"{side}_knee", tuple(ControlPoint(f"{side}_shank", end) for end in ends))


def toe_tip(manikin: Manikin, side: Side, *, aside: float = 0.0) -> ControlPoint:
    """Return the front edge of the upper side of the toes, `aside` of its middle, m."""
    solid = manikin.model.body(f"{side}_toes").collision[0]
    half = solid.size / 2 if isinstance(solid, Box) else np.zeros(3)
    return ControlPoint(f"{side}_toes", solid.pose @ Pose.at(half[0], aside, half[2]))


def instep(manikin: Manikin, side: Side) -> Contact:
    """Return the contact of a foot that lies on its upper side, at the tips of the toes."""
    half = 0.4 * manikin.anthropometry["foot_breadth"]
    tips = tuple(toe_tip(manikin, side, aside=y) for y in (-half, half))
    return Contact(f"{side}_toes", tips)


def tread(manikin: Manikin, side: Side, *, ahead: float, radius: float) -> Contact:
    """Return the contact of a foot with a rung across it, `ahead` of the ankle, m.

    The points lie on the axis of the rung, so that they do not move while the foot tilts on it.
    """
    point = manikin.model.point(f"{side}_foot")
    half = manikin.anthropometry["foot_breadth"] / 2
    ends = (point.pose @ Pose.at(ahead, y, -radius) for y in (-half, half))
    return Contact(f"{side}_foot", tuple(ControlPoint(point.body, end) for end in ends))


def seat(manikin: Manikin) -> Contact:
    """Return the contact of the pelvis with a seat: the ends of its cylindrical underside.

    The points lie on the axis of the solid, so that they stay over the contact while it rolls.
    """
    solid = manikin.model.body("pelvis").collision[0]
    half = solid.length / 2 if isinstance(solid, Capsule) else 0.0
    ends = (solid.pose @ Pose.at(0.0, 0.0, z) for z in (-half, half))
    return Contact("seat", tuple(ControlPoint("pelvis", end) for end in ends))


def grip(manikin: Manikin, side: Side) -> Contact:
    """Return the contact of a hand that grips something fixed."""
    point = manikin.model.point(f"{side}_hand")
    half = manikin.anthropometry["hand_breadth"] / 2
    ends = (point.pose @ Pose.at(x, 0.0, 0.0) for x in (-half, half))
    return Contact(f"{side}_hand", tuple(ControlPoint(point.body, end) for end in ends))
