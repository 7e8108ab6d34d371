"""From a script to a performance: set the stage, let it play, keep what happened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.geometry import Pose
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.balance import stance_centre
from robotix.human.motion.contact_keeping import (
    balance_at,
    face,
    hold_height,
    place_foot,
    stay_upright,
)
from robotix.human.motion.contacts import ContactPhase, sole
from robotix.human.motion.loads import LoadPhase
from robotix.human.motion.motion_body import body_marker, load_markers
from robotix.human.motion.performance import Environment, Performance
from robotix.human.motion.performer import BodyAction, Infeasible, Performer
from robotix.human.motion.styles import Style
from robotix.motion import Marker, Motion

__all__ = ["Scenario", "play", "standing"]

HEIGHT_SHARE = 0.9965  # of the height of straight legs: the knees of who stands are not locked
LONGEST = 600.0  # s; a script that has not ended by then never will


@dataclass(frozen=True, eq=False)
class Scenario:
    """A person at the start, what it will do, and the room around."""

    person: Performer
    script: BodyAction
    room: Environment


def standing(manikin: Manikin, *, style: Style) -> Performer:
    """Return a person who stands at ease."""
    person = Performer(manikin, style=style)
    for side, foot in feet_together(manikin).items():
        place_foot(person, side, foot)
        person.touch(sole(manikin, side))
    face(person, np.eye(3))
    hold_height(person, standing_height(person))
    stay_upright(person)
    balance_at(person, stance_centre(person))
    person.settle()
    return person


def feet_together(manikin: Manikin) -> dict[Side, Pose]:
    """Return where the feet of somebody are who stands at the origin."""
    places = {side: manikin.skeleton[f"{side}_ankle"] * (1, 1, 0) for side in SIDES}
    return {side: Pose(translation=place) for side, place in places.items()}


def standing_height(person: Performer) -> float:
    """Return how high the pelvis is carried while standing on the floor, in m."""
    return HEIGHT_SHARE * person.size("hip_height")


def play(staging: Scenario, *, task: str) -> Performance:
    """Let a script play to its end, or to where the body cannot follow it."""
    person = staging.person
    try:
        for _ in staging.script if not person.shortfalls else ():
            person.tick()
            if person.time > LONGEST:
                raise RuntimeError(f"{task} has not ended after {LONGEST:.0f} s")
    except Infeasible as error:
        person.shortfalls.append(error.shortfall)
        person.go_back()
    finally:
        staging.script.close()
    return _performance(staging, task)


def _performance(staging: Scenario, task: str) -> Performance:
    person = staging.person
    rows, end = np.array(person.rows), person.time
    contacts = [ContactPhase(c, start, end) for c, start in person.contacts.values()]
    loads = [LoadPhase(load, start, end) for load, start in person.loads.values()]
    phases = (*person.contact_phases, *contacts)
    markers = [Marker(phase.start, f"{phase.contact.name} touches") for phase in phases]
    markers += [
        Marker(phase.end, f"{phase.contact.name} leaves") for phase in person.contact_phases
    ]
    held = (*person.load_phases, *loads)
    markers += [Marker(phase.start, f"{phase.load.name} taken") for phase in held]
    markers += [Marker(phase.end, f"{phase.load.name} put") for phase in person.load_phases]
    markers += [body_marker(person.manikin.anthropometry), *load_markers(held)]
    motion = Motion.of(
        person.manikin.model, person.dt * np.arange(len(rows)), q=rows, markers=markers
    )
    return Performance(
        task, person.manikin, motion, phases, held, staging.room, tuple(person.shortfalls),
        person.style.name,
    )  # fmt: skip
