"""Scenarios: a person, a script of actions and an environment, run to a performance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.geometry import Pose
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.balance import stance_centre
from robotix.human.motion.contacts import ContactPhase, sole
from robotix.human.motion.goals import (
    balance_at,
    face,
    hold_height,
    place_foot,
    stay_upright,
)
from robotix.human.motion.loads import LoadPhase
from robotix.human.motion.motion_body import body_marker, load_markers
from robotix.human.motion.performance import Environment, Performance
from robotix.human.motion.performer import BodyAction, Infeasible, Performer
from robotix.human.motion.styles import Style
from robotix.motion import Marker, Motion

__all__ = ["Scenario", "run_scenario", "standing"]

# Height of the pelvis while standing, of that with straight legs: the knees are not locked.
STANDING_HEIGHT_RATIO = 0.9965
MAX_DURATION = 600.0  # s, of a scenario; a longer one is an error of its script


@dataclass(frozen=True, eq=False)
class Scenario:
    """A person in the start posture, the script of actions, and the environment."""

    person: Performer
    script: BodyAction
    environment: Environment


def standing(
    manikin: Manikin, *, style: Style, half_width: float | None = None, stagger: float = 0.0
) -> Performer:
    """Return a person standing at the origin, facing x.

    `half_width` is that of the stance, `stagger` the distance of the left foot ahead of the right
    one, m.
    """
    person = Performer(manikin, style=style)
    for side, foot in feet_together(manikin, half_width=half_width).items():
        place_foot(person, side, Pose.at(SIDES[side] * stagger / 2, 0.0, 0.0) @ foot)
        person.add_contact(sole(manikin, side))
    face(person, np.eye(3))
    hold_height(person, standing_height(person))
    stay_upright(person)
    balance_at(person, stance_centre(person))
    person.settle()
    return person


def feet_together(manikin: Manikin, *, half_width: float | None = None) -> dict[Side, Pose]:
    """Return the poses of the soles of a person standing at the origin.

    `half_width` is the distance of each ankle from the middle, m; None: below the hips.
    """
    positions = {side: manikin.skeleton[f"{side}_ankle"] * (1, 1, 0) for side in SIDES}
    if half_width is not None:
        for side, sign in SIDES.items():
            positions[side][1] = sign * half_width
    return {side: Pose(translation=position) for side, position in positions.items()}


def standing_height(person: Performer) -> float:
    """Return the height of the pelvis while standing on the floor, m."""
    return STANDING_HEIGHT_RATIO * person.size("hip_height")


def run_scenario(scenario: Scenario, *, task: str) -> Performance:
    """Run a script to its end, or to the last posture in which all goals were met."""
    person = scenario.person
    try:
        for _ in scenario.script if not person.shortfalls else ():
            person.tick()
            if person.time > MAX_DURATION:
                raise RuntimeError(f"{task} has not ended after {MAX_DURATION:.0f} s")
    except Infeasible as error:
        person.shortfalls.append(error.shortfall)
        person.rewind()
    finally:
        scenario.script.close()
    return _performance(scenario, task)


def _performance(scenario: Scenario, task: str) -> Performance:
    person = scenario.person
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
        task, person.manikin, motion, phases, held, scenario.environment, tuple(person.shortfalls),
        person.style.name, hand_forces=tuple(person.hand_forces),
    )  # fmt: skip
