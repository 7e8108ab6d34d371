"""Rooms in which a person and an arm share work, as scene files.

The person stands at the origin and looks along x; the arm stands at the far side of a bench, or on
a stand, and faces the person. Each room emits `done` when its work is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from robotix.errors import UnknownName
from robotix.experiments.sharing.tracked import PERFORM, PERSON, begin_later, track_person
from robotix.safety.protection import ProtectionSettings

__all__ = ["ARM", "DONE", "SHARED_TASKS", "SharedSetup", "draw_setup", "shared_room"]

ARM, DONE = "arm", "done"  # names in the rooms
RATE = 60  # ticks per second
BENCH = 0.9  # m
FIRST = {"ur5": "[180, -70, 95, -115, -90, 0]", "kuka_lwr": "[0, -20, 0, 70, 0, 0, 0]"}  # degrees


@dataclass(frozen=True)
class SharedSetup:
    """What differs between two runs of the same task."""

    sex: str = "f"
    percentile: float = 50.0  # of stature and mass
    arm: str = "ur5"
    delay: float = 0.5  # s before the person begins
    speed: float = 0.6  # m/s, at which the arm moves between points if it may
    seed: int = 0
    motion: str = ""  # a recorded motion that the person repeats; empty: the manikin acts itself
    is_tracked: bool = False  # the person follows a headset and what is in the hands
    samples: str = ""  # recorded samples of these devices; empty: live ones
    stature: float | None = None  # m, instead of the percentile
    begins_later: bool = False  # with the signal `begin`, when somebody is there

    def steps(self, metres: float) -> int:
        """Return the ticks in which the arm moves so far."""
        return max(round(metres / self.speed * RATE), 10)


def draw_setup(seed: int, *, arm: str = "ur5", speed: float = 0.6) -> SharedSetup:
    """Return who works when, drawn from a seed: sex, percentile, and when the person begins."""
    rng = np.random.default_rng(seed)
    return SharedSetup(
        sex="fm"[int(rng.integers(2))],
        percentile=float(np.round(rng.uniform(5.0, 95.0), 1)),
        arm=arm,
        delay=float(np.round(rng.uniform(0.0, 2.0), 2)),
        speed=speed,
        seed=seed % 1_000_000_000,  # as large as files may have it
    )


def shared_room(task: str, setup: SharedSetup, protection: ProtectionSettings) -> str:
    """Return the scene file of a shared task."""
    if task not in SHARED_TASKS:
        raise UnknownName("shared task", task, SHARED_TASKS)
    text = SHARED_TASKS[task](setup)
    both = f"strategy: {protection.strategy}, reaction: {protection.reaction}"
    mass = f"payload: {protection.payload:g}, robot_mass: {protection.robot_mass}"
    s = protection.separation
    rest = (
        f"reaction_time: {s.reaction_time:g}, deceleration: {s.deceleration:g}, "
        f"intrusion: {s.intrusion:g}, person_speed: {s.person_speed or 0:g}"
    )
    if setup.motion:
        play = f"play: {{file: {json.dumps(setup.motion)}, robot: {PERSON}, timed: true}}"
        text = re.sub(PERFORM, play, text)
    if setup.is_tracked:
        text = track_person(task, text)
    text = text.replace("PROTECT", f"protect: {{robot: {ARM}, {both}, {mass}, {rest}}}")
    return begin_later(text) if setup.begins_later else text


def _head(title: str, setup: SharedSetup) -> str:
    size = f"percentile: {setup.percentile:g}"
    if setup.stature is not None:
        size = f"stature: {setup.stature:g}"
    person = f"{{sex: {setup.sex}, {size}, at: [0, 0, 0]}}"
    return f"""\
# A person and an arm share work; `robotix lab shared` measures it.
robotix: 1
name: {title}
rate: {RATE}
seed: {setup.seed}
materials:
  oak: {{colour: "#b08050", roughness: 0.8}}
  part: {{colour: orange}}
people:
  {PERSON}: {person}
"""


def _robot(setup: SharedSetup, *, at: str, yaw: int) -> str:
    """Return the arm at its first posture; one that is not known begins as its model does."""
    q = f"\n    q_deg: {FIRST[setup.arm]}" if setup.arm in FIRST else ""
    return f"""\
robots:
  {ARM}:
    model: {setup.arm}
    at: {at}
    rpy_deg: [0, 0, {yaw}]{q}
"""


def _bench(setup: SharedSetup) -> str:
    return f"""\
{_robot(setup, at=f"[1.25, 0, {BENCH}]", yaw=180).rstrip()}
objects:
  floor: {{plane: true}}
  bench: {{box: [1.1, 1.6, 0.04], at: [0.95, 0, {BENCH - 0.02:g}], material: oak}}
  bench_legs:
    box: [0.9, 0.1, {BENCH - 0.04:g}]
    at: [0.95, 0, {(BENCH - 0.04) / 2:g}]
    material: oak
  view: {{viewpoint: {{field_of_view_deg: 48}}, at: [0.6, -3.3, 1.8], rpy_deg: [0, 12, 90]}}
"""


def _rules(*more: str) -> str:
    """Return the rules: done when both are, whoever is first."""
    return f"""\
rules:
  - when: {{client: any}}
    do: {{say: "{PERSON.title()} and the arm share this work. The arm watches out. X: stop it."}}
  - {{name: stop the arm, when: {{key: X}}, do: {{stop: {ARM}}}}}
{"".join(more)}"""


def _done(after: str) -> str:
    return f"  - {{when: {{event: {after}}}, do: {{emit: {DONE}}}}}\n"


def _to(setup: SharedSetup, x: float, y: float, z: float, metres: float) -> str:
    return f"move_xyz: {{robot: {ARM}, to: [{x:g}, {y:g}, {z:g}], steps: {setup.steps(metres)}}}"


def _one_bench(setup: SharedSetup) -> str:
    """Both take parts from their side and put them down in the middle."""
    cycle = "\n".join(
        f"            - {_to(setup, *goal)}"
        for goal in ((0.85, 0.4, 1.12, 0.5), (0.7, 0.0, 1.12, 0.45), (0.7, 0.0, 1.2, 0.1))
    )
    return (
        _head("One bench", setup)
        + _bench(setup)
        + f"""\
  bin: {{box: [0.2, 0.3, 0.06], at: [0.85, 0.4, {BENCH + 0.03:g}], material: oak}}
  part: {{cylinder: [0.025, 0.1], at: [0.5, -0.3, {BENCH + 0.05:g}], material: part}}
  place: {{cylinder: [0.06, 0.004], at: [0.52, 0.05, {BENCH + 0.002:g}]}}
tasks:
  sort:
    - wait: {max(setup.delay, 0.05):g}
    - reach: part
    - grasp: {{thing: part, mass: 0.8}}
    - move_hand:
        to: [0.52, 0.05, {BENCH + 0.07:g}]
        via: [[0.5, -0.12, {BENCH + 0.2:g}]]
        seconds: 1.4
    - wait: 0.6
    - release: part
    - stand
    - wait: 1.5
    - reach: [0.52, 0.05, {BENCH + 0.12:g}]
    - wait: 0.8
    - stand
    - turn: {{by_deg: 180}}
    - walk: {{to: [-1.5, 0, 0]}}
"""
        + _rules(_done("robot_done"))
        + f"""\
start:
  - PROTECT
  - perform: {{person: {PERSON}, task: sort}}
  - in_turn:
      - repeat:
          times: 4
          do:
{cycle}
      - emit: robot_done
"""
    )


def _walk_past(setup: SharedSetup) -> str:
    """An arm sorts on a stand beside a way; a person walks past it."""
    goals = ((0.35, 0.75, 1.15, 0.6), (-0.35, 0.75, 1.15, 0.7))
    cycle = "\n".join(f"            - {_to(setup, *goal)}" for goal in goals)
    return (
        _head("Walking past", setup).replace("at: [0, 0, 0]", "at: [-2.2, 0, 0]")
        + _robot(setup, at="[0, 1.35, 0.8]", yaw=-90)
        + """\
objects:
  floor: {plane: true}
  stand: {box: [0.4, 0.4, 0.8], at: [0, 1.35, 0.4], material: oak}
  view: {viewpoint: {field_of_view_deg: 50}, at: [3.2, -2.6, 2.2], rpy_deg: [0, 16, 138]}
"""
        + f"""\
tasks:
  pass:
    - wait: {max(setup.delay, 0.05):g}
    - walk: {{to: [4.4, 0, 0]}}
"""
        + _rules(_done("robot_done"))
        + f"""\
start:
  - PROTECT
  - perform: {{person: {PERSON}, task: pass}}
  - in_turn:
      - repeat:
          times: 5
          do:
{cycle}
      - emit: robot_done
"""
    )


def _handover_to_person(setup: SharedSetup) -> str:
    """The arm brings a cup to the middle and holds it; the person takes it; the arm goes home.

    The hand closes around an invisible handle at the meeting point, and the cup changes hands when
    the handle begins to move.
    """
    return (
        _head("Handover to a person", setup)
        + _bench(setup)
        + f"""\
  cup: {{cylinder: [0.035, 0.1], at: [0, 0, 0.1], on: {ARM}/flange, material: part}}
  handle: {{sphere: 0.02, at: [0.52, -0.12, 1.12], visible: false, collidable: false}}
  meeting: {{box: [0.03, 0.03, 0.03], at: [0.52, -0.12, 1.12], region: true, visible: false}}
tasks:
  take:
    - wait: {max(setup.delay, 0.05):g}
    - reach: handle
    - grasp: {{thing: handle, mass: 0.8}}
    - move_hand: {{to: [0.3, -0.2, 1.15], seconds: 1.2}}
    - stand
    - turn: {{by_deg: 180}}
    - walk: {{to: [-1.5, 0, 0]}}
"""
        + _rules(
            f"""\
  - when: {{region: [meeting, handle]}}
    mode: off
    do: [{{attach: {{node: cup, to: handle}}}}, {{emit: taken}}]
  - when: {{event: taken}}
    do:
      - {_to(setup, 0.85, 0.35, 1.3, 0.5)}
      - emit: robot_done
  - when: {{event: offered}}
    do: {{perform: {{person: {PERSON}, task: take}}}}
""",
            _done("robot_done"),
        )
        + f"""\
start:
  - PROTECT
  - in_turn:
      - {_to(setup, 0.9, 0.35, 1.2, 0.4)}
      - {_to(setup, 0.66, -0.12, 1.16, 0.5)}
      - emit: offered
"""
    )


def _handover_to_robot(setup: SharedSetup) -> str:
    """The person brings a cup to the middle and lets go there; the arm fetches it."""
    return (
        _head("Handover to a robot", setup)
        + _bench(setup)
        + f"""\
  cup: {{cylinder: [0.035, 0.1], at: [0.5, -0.35, {BENCH + 0.05:g}], material: part}}
  post: {{box: [0.08, 0.08, 0.16], at: [0.6, 0, {BENCH + 0.08:g}], material: oak}}
  meeting: {{box: [0.16, 0.16, 0.3], at: [0.6, 0, {BENCH + 0.2:g}], region: true, visible: false}}
tasks:
  give:
    - wait: {max(setup.delay, 0.05):g}
    - reach: cup
    - grasp: {{thing: cup, mass: 0.8}}
    - move_hand:
        to: [0.57, 0, {BENCH + 0.24:g}]
        via: [[0.5, -0.15, {BENCH + 0.3:g}]]
        seconds: 1.6
    - wait: 1.0
    - release: cup
    - stand
"""
        + _rules(
            f"""\
  - when: {{region: [meeting, cup]}}
    do:
      - {_to(setup, 0.78, 0.0, 1.2, 0.4)}
      - emit: near
  - when: {{event: given}}
    do:
      - {_to(setup, 0.66, 0.0, 1.17, 0.15)}
      - attach: {{node: cup, to: {ARM}/flange}}
      - {_to(setup, 0.9, 0.4, 1.25, 0.5)}
      - emit: robot_done
""",
            _done("robot_done"),
        )
        + f"""\
start:
  - PROTECT
  - {_to(setup, 0.95, 0.3, 1.3, 0.4)}
  - in_turn:
      - perform: {{person: {PERSON}, task: give}}
      - emit: given
"""
    )


def _carry_together(setup: SharedSetup) -> str:
    """Both hold a board at its ends; the person lifts her end, the arm keeps up with its own."""
    return (
        _head("Carrying together", setup)
        + _bench(setup)
        + f"""\
  board: {{box: [0.3, 0.36, 0.06], at: [0.52, 0, {BENCH + 0.03:g}], material: part}}
  board_end:
    box: [0.45, 0.2, 0.03]
    at: [0.35, 0, 0]
    on: board
    material: part
    collidable: false
tasks:
  hold_up:
    - wait: {max(setup.delay, 0.05):g}
    - pick_up: {{thing: board, mass: 6, height: 1.25}}
    - wait: 0.5
    - put_down: {{thing: board, on: bench}}
    - wait: 0.5
"""
        + _rules(
            f"  - {{when: {{event: held}}, do: {{follow: {{node: board_end, robot: {ARM}}}}}}}\n",
            _done("person_done"),
        )
        + f"""\
start:
  - PROTECT
  - in_turn:
      - {_to(setup, 1.0, 0.0, BENCH + 0.14, 0.4)}
      - emit: held
  - in_turn:
      - perform: {{person: {PERSON}, task: hold_up}}
      - emit: person_done
"""
    )


SHARED_TASKS: Mapping[str, Callable[[SharedSetup], str]] = {
    "one_bench": _one_bench,
    "walk_past": _walk_past,
    "handover_to_person": _handover_to_person,
    "handover_to_robot": _handover_to_robot,
    "carry_together": _carry_together,
}
