"""What can be assessed besides a task: a recorded motion, a posture that is held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from robotix.geometry import Array, Box
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.contacts import Contact, ContactPhase, grip, seat, sole, toes
from robotix.human.motion.furniture import FLOOR
from robotix.human.motion.loads import Load, LoadPhase
from robotix.human.motion.motion_body import carried_in
from robotix.human.motion.performance import Environment, Performance
from robotix.kinematics import Posture
from robotix.kinematics.batch import forward_batch
from robotix.motion import Motion, model_dofs

__all__ = ["OFF_FLOOR", "held", "recorded", "sole_height"]

BOTH: tuple[Side, ...] = ("right", "left")
CRATE = (0.3, 0.35, 0.28)  # m
NEAR_FLOOR = 0.04  # m: a foot lower than that over its lowest place may bear
SLOW = 0.4  # m/s: one that moves faster does not
OFF_FLOOR = 0.05  # m between sole and floor that another body would explain


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
    (`right_foot touches`, `box taken`, `box weighs 8 kg in both hands`, …). Where there are none,
    a foot bears while it is low and slow, and the load is held all the time. Whose motion it was,
    `body_in` of `robotix.human.motion.motion_body` tells.

    Args:
        motion: Of the 39 coordinates of a manikin.
        manikin: The body that moved.
        name: For the report.
        load: Mass in the hands, kg; as the motion says when None, or nothing.
        hands: Which hands carry it; as the motion says when None, or both.
        contacts: What bore when, if that is known better.
    """
    motion.check_model(manikin.model)
    if load is not None and not 0 <= load < np.inf:
        raise ValueError(f"load must be 0 kg or more, got {load:g}")
    phases = tuple(_marked_contacts(motion, manikin) if contacts is None else contacts)
    loads = tuple(_marked_loads(motion, mass=load, hands=None if hands is None else tuple(hands)))
    phases = phases or tuple(_seen_contacts(motion, manikin))
    return Performance(
        name, manikin, motion, phases, loads, Environment(FLOOR), (), style="as recorded"
    )


def held(
    posture: Posture,
    manikin: Manikin,
    *,
    name: str = "posture",
    load: float = 0.0,
    hands: Sequence[Side] = BOTH,
    contacts: Sequence[Contact] | None = None,
) -> Performance:
    """Return a posture that is held as a performance of one instant; on both feet unless told."""
    motion = Motion(model_dofs(posture.model), np.zeros(1), posture.q[None])
    bearing = [sole(manikin, side) for side in BOTH] if contacts is None else contacts
    phases = [ContactPhase(contact, 0.0, 0.0) for contact in bearing]
    return recorded(motion, manikin, name=name, load=load, hands=hands, contacts=phases)


def sole_height(performance: Performance) -> float:
    """Return how high the lowest sole is over the floor z = 0 in its lowest instant, m."""
    courses = (_foot_course(performance.motion, performance.manikin, side) for side in SIDES)
    return min(float(height.min()) for height, _ in courses)


def _marked_contacts(motion: Motion, manikin: Manikin) -> Iterator[ContactPhase]:
    for name, start, end in _marked(motion, begins="touches", ends="leaves"):
        contact = _contact_named(manikin, name)
        if contact is not None:
            yield ContactPhase(contact, start, end)


def _contact_named(manikin: Manikin, name: str) -> Contact | None:
    if name == "seat":
        return seat(manikin)
    known = [contact(manikin, side) for side in BOTH for contact in (sole, toes, grip)]
    return next((contact for contact in known if contact.name == name), None)


def _marked_loads(
    motion: Motion, *, mass: float | None, hands: tuple[Side, ...] | None
) -> Iterator[LoadPhase]:
    told, first, last = carried_in(motion), float(motion.times[0]), float(motion.times[-1])
    phases = list(_marked(motion, begins="taken", ends="put"))
    for name, start, end in phases or [("load", first, last)]:
        its_mass, its_hands = told.get(name, (0.0, BOTH))
        its_mass = its_mass if mass is None else mass
        if its_mass > 0:
            load = Load(name, its_mass, hands or its_hands, Box(np.array(CRATE)))
            yield LoadPhase(load, start, end)


def _marked(motion: Motion, *, begins: str, ends: str) -> Iterator[tuple[str, float, float]]:
    """Yield what begins and ends by the markers: name, start and end; to the last row at most."""
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


def _seen_contacts(motion: Motion, manikin: Manikin) -> Iterator[ContactPhase]:
    """Yield when feet bear, as far as heights and speeds tell."""
    heights, speeds = zip(*(_foot_course(motion, manikin, side) for side in SIDES), strict=True)
    floor = min(float(height.min()) for height in heights)
    for side, height, speed in zip(SIDES, heights, speeds, strict=True):
        bears = (height - floor < NEAR_FLOOR) & (speed < SLOW)
        edges = np.flatnonzero(np.diff(np.r_[False, bears, False]))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            times = float(motion.times[start]), float(motion.times[stop - 1])
            yield ContactPhase(sole(manikin, side), *times)


def _foot_course(motion: Motion, manikin: Manikin, side: Side) -> tuple[Array, Array]:
    """Return the height of a sole's lowest point, and how fast the foot moves."""
    names = (*manikin.support_points(side), *manikin.toe_points(side))
    places = [forward_batch(manikin.model, motion.q, point=name)[0] for name in names]
    middle = np.mean(places, axis=0)
    lowest = np.min([place[:, 2] for place in places], axis=0)
    if len(motion.times) == 1:
        return lowest, np.zeros(1)
    speed = np.linalg.norm(np.gradient(middle, motion.times, axis=0), axis=1)
    return lowest, speed
