"""Performances from recorded motions and from static postures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from robotix.geometry import Array, Box, Pose
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.contacts import Contact, ContactPhase, grip, knee, seat, sole, toes
from robotix.human.motion.furniture import FLOOR
from robotix.human.motion.loads import Load, LoadPhase
from robotix.human.motion.motion_body import carried_in, tracking_in
from robotix.human.motion.performance import Environment, Performance
from robotix.kinematics import Posture
from robotix.kinematics.batch import forward_batch
from robotix.model import ControlPoint
from robotix.motion import Motion, model_dofs

__all__ = ["MAX_SOLE_OFFSET", "held", "recorded", "sole_height"]

BOTH_HANDS: tuple[Side, ...] = ("right", "left")
LOAD_SIZE = (0.3, 0.35, 0.28)  # m
MAX_STANCE_HEIGHT = 0.04  # m above the lowest sole; a higher foot is not in stance
MAX_STANCE_SPEED = 0.4  # m/s; a faster foot is not in stance
MAX_SOLE_OFFSET = 0.05  # m between sole and floor; more suggests another body size


def recorded(
    motion: Motion,
    manikin: Manikin,
    *,
    name: str = "recorded motion",
    load: float | None = None,
    hands: Sequence[Side] | None = None,
    contacts: Sequence[ContactPhase] | None = None,
) -> Performance:
    """Return a motion of a manikin as a performance.

    Contacts and what is carried when are read from the markers that `robotix human` writes
    (`right_foot touches`, `box taken`, `box weighs 8 kg in both hands`, …). Without
    markers, a foot is in stance while it is low and slow, and the load is held all the time. The
    body of a motion file is `body_in(motion)` of `robotix.human`.

    Args:
        motion: Of the 39 coordinates of a manikin.
        manikin: The body that moved.
        name: For the report.
        load: Mass in the hands, kg; as the motion says when None, or nothing.
        hands: Which hands carry it; as the motion says when None, or both.
        contacts: Contact phases, if known better.
    """
    motion.check_model(manikin.model)
    if load is not None and not 0 <= load < np.inf:
        raise ValueError(f"load must be 0 kg or more, got {load:g}")
    phases = tuple(_marked_contacts(motion, manikin) if contacts is None else contacts)
    loads = tuple(_marked_loads(motion, mass=load, hands=None if hands is None else tuple(hands)))
    phases = phases or tuple(_estimated_contacts(motion, manikin))
    return Performance(
        name,
        manikin,
        motion,
        phases,
        loads,
        Environment(FLOOR),
        (),
        style="as recorded",
        tracking=tracking_in(motion),
    )


def held(
    posture: Posture,
    manikin: Manikin,
    *,
    name: str = "posture",
    load: float = 0.0,
    hands: Sequence[Side] = BOTH_HANDS,
    contacts: Sequence[Contact] | None = None,
) -> Performance:
    """Return a static posture as a performance of one row; on both feet by default."""
    motion = Motion(model_dofs(posture.model), np.zeros(1), posture.q[None])
    supports = [sole(manikin, side) for side in SIDES] if contacts is None else contacts
    phases = [ContactPhase(contact, 0.0, 0.0) for contact in supports]
    return recorded(motion, manikin, name=name, load=load, hands=hands, contacts=phases)


def sole_height(performance: Performance) -> float:
    """Return the smallest height of a sole above the floor z = 0 over the motion, m."""
    soles = (
        _foot_heights_and_speeds(performance.motion, performance.manikin, side) for side in SIDES
    )
    return min(float(height.min()) for height, _ in soles)


def _marked_contacts(motion: Motion, manikin: Manikin) -> Iterator[ContactPhase]:
    for name, start, end in _marked(motion, begins="touches", ends="leaves"):
        contact = _contact_named(manikin, name)
        if contact is not None:
            yield ContactPhase(contact, start, end)


def _contact_named(manikin: Manikin, name: str) -> Contact | None:
    if name == "seat":
        return seat(manikin)
    known = [contact(manikin, side) for side in SIDES for contact in (sole, toes, grip, knee)]
    return next((contact for contact in known if contact.name == name), None)


def _marked_loads(
    motion: Motion, *, mass: float | None, hands: tuple[Side, ...] | None
) -> Iterator[LoadPhase]:
    described, first, last = carried_in(motion), float(motion.times[0]), float(motion.times[-1])
    phases = list(_marked(motion, begins="taken", ends="put"))
    for name, start, end in phases or [("load", first, last)]:
        its_mass, its_hands = described.get(name, (0.0, BOTH_HANDS))
        its_mass = its_mass if mass is None else mass
        if its_mass > 0:
            load = Load(name, its_mass, hands or its_hands, Box(np.array(LOAD_SIZE)))
            yield LoadPhase(load, start, end)


def _marked(motion: Motion, *, begins: str, ends: str) -> Iterator[tuple[str, float, float]]:
    """Yield name, start and end of the phases that markers delimit."""
    open_since: dict[str, float] = {}
    # where one phase ends and the next begins at one time, the end comes first
    marks = sorted(motion.markers, key=lambda mark: (mark.time, not mark.label.endswith(ends)))
    for time, label in marks:
        name, _, word = label.rpartition(" ")
        if word == begins:
            open_since.setdefault(name, time)
        elif word == ends and name in open_since:
            yield name, open_since.pop(name), time
    last = float(motion.times[-1])
    yield from ((name, start, last) for name, start in open_since.items())


def _estimated_contacts(motion: Motion, manikin: Manikin) -> Iterator[ContactPhase]:
    """Yield the stance phases of the feet, from heights and speeds."""
    heights, speeds = zip(
        *(_foot_heights_and_speeds(motion, manikin, side) for side in SIDES), strict=True
    )
    floor = min(float(height.min()) for height in heights)
    for side, height, speed in zip(SIDES, heights, speeds, strict=True):
        is_stance = (height - floor < MAX_STANCE_HEIGHT) & (speed < MAX_STANCE_SPEED)
        edges = np.flatnonzero(np.diff(np.r_[False, is_stance, False]))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            times = float(motion.times[start]), float(motion.times[stop - 1])
            yield ContactPhase(sole(manikin, side), *times)


def _foot_heights_and_speeds(motion: Motion, manikin: Manikin, side: Side) -> tuple[Array, Array]:
    """Return the height of the lowest point of a sole, m, and the speed of the foot, m/s."""
    names = (*manikin.support_points(side), *manikin.toe_points(side))
    points = [manikin.model.point(name) for name in names]
    frames = {  # all points of one body from one pass
        body: forward_batch(manikin.model, motion.q, point=ControlPoint(body, Pose()))
        for body in dict.fromkeys(point.body for point in points)
    }
    positions = [
        frames[point.body][0] + frames[point.body][1] @ point.pose.translation for point in points
    ]
    middle = np.mean(positions, axis=0)
    lowest = np.min([position[:, 2] for position in positions], axis=0)
    if len(motion.times) == 1:
        return lowest, np.zeros(1)
    speed = np.linalg.norm(np.gradient(middle, motion.times, axis=0), axis=1)
    return lowest, speed
