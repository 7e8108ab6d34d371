"""The steps that a scene file can make a task of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

import numpy as np

from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion import actions as do
from robotix.human.motion.balance import stance_centre
from robotix.human.motion.curves import translated, yaw_rotations
from robotix.human.motion.furniture import Table
from robotix.human.motion.gait import Footprint, current_footprints
from robotix.human.motion.goals import free_hand, loosen
from robotix.human.motion.performer import BodyAction
from robotix.human.motion.scenario import standing_height
from robotix.human.motion.styles import posture_of
from robotix.human.motion.walking import footprints_along, walk
from robotix.human.tasks.handling import (
    BOTH_HANDS,
    HOLD_HEIGHT_RATIO,
    LADEN_STEP_RATIO,
    pick_up,
    put_down,
)
from robotix.human.tasks.walking import (
    BRISK_GAIT,
    STEP_RATIO,
    standing_half_width,
    walking_half_width,
)
from robotix.scene.graph.field_types import Angle, BadField, NodeName, TaskStepValue, Vector
from robotix.scene.people.task_stage import PositionOrNode, TaskStage

__all__ = ["STEPS"]

Steps: TypeAlias = tuple[Annotated[Any, TaskStepValue()], ...]
LONGEST = 120.0  # s
SMALL_TURN = np.radians(25.0)  # of one step on the spot
STRAIGHT_ON = np.radians(8.0)  # so far off, nobody turns before walking
HEAVIEST = 1000.0  # kg
FARTHEST = 100.0  # m
MOST_TURN = 4 * np.pi  # rad


def _check_seconds(seconds: float) -> None:
    if not 0.05 <= seconds <= LONGEST:
        raise BadField("seconds", f"a step must take 0.05 s to {LONGEST:g} s, got {seconds:g}")


def _check_within(field_: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:
        raise BadField(field_, f"{field_} must be from {low:g} to {high:g}, got {value:g}")


def _check_place(field_: str, *places: PositionOrNode) -> None:
    for place in places:
        if not isinstance(place, str) and not all(abs(part) <= FARTHEST for part in place):
            raise BadField(field_, f"a place must be within {FARTHEST:g} m, got {place}")


def _check_mass(mass: float) -> None:
    if not 0 <= mass <= HEAVIEST:
        raise BadField("mass", f"a mass must be from 0 kg to {HEAVIEST:g} kg, got {mass:g}")


@dataclass(frozen=True)
class WaitStep:
    """Let time pass."""

    seconds: float

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        _check_seconds(self.seconds)

    def play(self, stage: TaskStage) -> BodyAction:
        """Stand still."""
        yield from do.wait(stage.body, self.seconds)


@dataclass(frozen=True)
class WalkStep:
    """Walk to a place, or up to a thing; turn towards it first where it is not ahead."""

    to: PositionOrNode
    short_of: float = 0.0  # m, to stop before it

    def __post_init__(self) -> None:
        """Refuse what is too far."""
        _check_place("to", self.to)
        _check_within("short_of", self.short_of, 0.0, FARTHEST)

    def play(self, stage: TaskStage) -> BodyAction:
        """Turn and walk."""
        body, goal = stage.body, stage.place(self.to)[:2]
        prints = current_footprints(body)
        here = np.mean([each.position for each in prints.values()], axis=0)
        way = goal - here[:2]
        length = float(np.linalg.norm(way)) - self.short_of
        if length < 0.02:
            return
        if length > FARTHEST:
            raise ValueError(f"{self.to!r} is {length:.0f} m away; walk {FARTHEST:g} m at most")
        heading = float(np.arctan2(way[1], way[0]))
        yaw = float(np.mean([each.yaw for each in prints.values()]))
        turn = (heading - yaw + np.pi) % (2 * np.pi) - np.pi
        if abs(turn) > STRAIGHT_ON:
            yield from _turn_on_the_spot(stage, turn)
        ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
        is_laden = bool(body.loads)
        prints_ahead = footprints_along(
            lambda s: (here + s * ahead, heading),
            length=length,
            step_length=(LADEN_STEP_RATIO if is_laden else STEP_RATIO) * body.stature,
            half_width=walking_half_width(body),
            end_half_width=standing_half_width(body),
        )
        yield from walk(body, prints_ahead, gait=None if is_laden else BRISK_GAIT)


@dataclass(frozen=True)
class TurnStep:
    """Turn on the spot, to the left for a positive angle."""

    by: Angle

    def __post_init__(self) -> None:
        """Refuse to turn for ever."""
        _check_within("by", self.by, -MOST_TURN, MOST_TURN)

    def play(self, stage: TaskStage) -> BodyAction:
        """Make small steps."""
        yield from _turn_on_the_spot(stage, self.by)


def _turn_on_the_spot(stage: TaskStage, by: float) -> BodyAction:
    body, prints = stage.body, current_footprints(stage.body)
    here = np.mean([each.position for each in prints.values()], axis=0)
    yaw = float(np.mean([each.yaw for each in prints.values()]))
    count = max(int(np.ceil(abs(by) / SMALL_TURN)), 1)
    order: tuple[Side, Side] = ("left", "right") if by > 0 else ("right", "left")
    steps = []
    for k in range(1, count + 1):
        turned = yaw + by * k / count
        for side in order:
            half = walking_half_width(body) if k < count else standing_half_width(body)
            aside = np.array([0.0, SIDES[side] * half, 0.0])
            steps.append(Footprint(side, here + yaw_rotations(turned) @ aside, turned))
    yield from walk(body, steps)


@dataclass(frozen=True)
class ReachStep:
    """Bring a hand to a place or a thing: look there, lean and shift the weight as it needs."""

    to: PositionOrNode
    side: Side = "right"
    via: tuple[Vector, ...] = ()
    seconds: float = 1.5

    def __post_init__(self) -> None:
        """Refuse a time that is none, and what is nowhere near."""
        _check_seconds(self.seconds)
        _check_place("to", self.to)
        _check_place("via", *self.via)

    def play(self, stage: TaskStage) -> BodyAction:
        """Move hand and trunk together."""
        body, goal = stage.body, stage.place(self.to)
        via = [stage.place(each) for each in self.via]
        if not via and isinstance(self.to, str):  # things are taken from above and before them
            start = body.posture().position(f"{self.side}_hand")
            via = [translated(goal + 0.35 * (start - goal) * (1, 1, 0), z=0.16)]
        heading = body.goal("pelvis_turn").rotation
        ahead, palm = 0.03 * heading[:2, 0], do.Palm(1, heading[:, 1].copy())
        loosen(body)
        yield from do.together(
            do.look_at(body, goal),
            do.reach(body, self.side, to=goal, via=via, seconds=self.seconds, palm=palm),
            do.shift_weight(body, to=stance_centre(body) + ahead, seconds=0.95 * self.seconds),
            do.lean_towards(body, {self.side: goal}, seconds=0.9 * self.seconds),
        )


@dataclass(frozen=True)
class MoveHandStep:
    """Move a hand to a place and nothing else on purpose; what it holds comes along."""

    to: PositionOrNode
    side: Side = "right"
    via: tuple[Vector, ...] = ()
    seconds: float = 1.2

    def __post_init__(self) -> None:
        """Refuse a time that is none, and what is nowhere near."""
        _check_seconds(self.seconds)
        _check_place("to", self.to)
        _check_place("via", *self.via)

    def play(self, stage: TaskStage) -> BodyAction:
        """Move the hand."""
        via = [stage.place(each) for each in self.via]
        to = stage.place(self.to)
        yield from do.reach(stage.body, self.side, to=to, via=via, seconds=self.seconds)


@dataclass(frozen=True)
class GraspStep:
    """Close a hand that has reached a thing, and hold the thing from then on."""

    thing: NodeName
    mass: float = 0.5  # kg
    side: Side = "right"

    def __post_init__(self) -> None:
        """Refuse what weighs nothing sensible."""
        _check_mass(self.mass)

    def play(self, stage: TaskStage) -> BodyAction:
        """Shift the weight, then take it."""
        load = stage.load(self.thing, mass=self.mass, sides=(self.side,))
        at = stage.place(self.thing)
        yield from do.brace(stage.body, load, at=at, seconds=0.3)
        yield from do.grasp(stage.body, load, at=at)


@dataclass(frozen=True)
class ReleaseStep:
    """Let go of a thing, where the hand is; the hand then goes where it likes."""

    thing: NodeName

    def play(self, stage: TaskStage) -> BodyAction:
        """Shift the weight, then let go."""
        load, body = stage.held(self.thing), stage.body
        hands = [body.posture().position(f"{side}_hand") for side in load.hands]
        yield from do.brace(body, load, at=np.mean(hands, axis=0), seconds=0.3)
        yield from do.release(body, self.thing)
        for side in load.hands:
            free_hand(body, side)


@dataclass(frozen=True)
class PickUpStep:
    """Bend to a box with both hands, take it, and straighten up with it."""

    thing: NodeName
    mass: float = 5.0  # kg
    height: float | None = None  # m, of the hands then; as the body likes it when left out

    def __post_init__(self) -> None:
        """Refuse what weighs nothing sensible, and nobody could hold up."""
        _check_mass(self.mass)
        _check_within("height", self.height, 0.2, 3.0)

    def play(self, stage: TaskStage) -> BodyAction:
        """Lift it."""
        stage.check_ahead(f"picking up {self.thing!r}")
        load = stage.load(self.thing, mass=self.mass, sides=BOTH_HANDS)
        low, high = stage.box(self.thing)
        height = HOLD_HEIGHT_RATIO * stage.body.stature if self.height is None else self.height
        yield from pick_up(stage.body, load, at=(low + high) / 2, to=height)


@dataclass(frozen=True)
class PutDownStep:
    """Put a box that both hands hold onto a thing in front, and draw the hands back."""

    thing: NodeName
    on: NodeName

    def play(self, stage: TaskStage) -> BodyAction:
        """Put it at the near edge."""
        stage.check_ahead(f"putting {self.thing!r} down")
        low, high = stage.box(self.on)
        table = Table(float(high[2]), near=float(low[0]))
        yield from put_down(stage.body, stage.held(self.thing), on=table)


@dataclass(frozen=True)
class StandStep:
    """Stand upright at ease again; hands that hold something keep it."""

    seconds: float = 1.2

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        _check_seconds(self.seconds)

    def play(self, stage: TaskStage) -> BodyAction:
        """Straighten up."""
        body, seconds = stage.body, self.seconds
        yield from do.together(
            do.straighten(body, seconds=seconds),
            do.shift_weight(body, seconds=seconds),
            do.adopt(body, body.style.standing, seconds=seconds),
            do.change_height(body, to=standing_height(body), seconds=seconds),
        )


@dataclass(frozen=True)
class LookStep:
    """Turn the trunk towards a place or a thing."""

    at: PositionOrNode
    seconds: float = 0.6

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        _check_seconds(self.seconds)

    def play(self, stage: TaskStage) -> BodyAction:
        """Look."""
        loosen(stage.body)
        yield from do.look_at(stage.body, stage.place(self.at), seconds=self.seconds)


@dataclass(frozen=True)
class PoseStep:
    """Prefer some joint angles, as far as hands, feet and balance leave a choice."""

    joints: Mapping[str, Angle] = field(hash=False)
    seconds: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        _check_seconds(self.seconds)

    def play(self, stage: TaskStage) -> BodyAction:
        """Change what is comfortable."""
        wanted = {name: float(np.degrees(angle)) for name, angle in self.joints.items()}
        goal = posture_of(stage.body.manikin, {**stage.body.style.standing, **wanted})
        loosen(stage.body)
        yield from do.adopt(stage.body, goal, seconds=self.seconds)


@dataclass(frozen=True)
class AvoidStep:
    """Keep clear of things from now on."""

    things: tuple[NodeName, ...]
    distance: float = 0.01  # m

    def __post_init__(self) -> None:
        """Refuse a distance at which nothing can be reached."""
        _check_within("distance", self.distance, 0.0, 0.5)

    def play(self, stage: TaskStage) -> BodyAction:
        """Take note of their shapes."""
        for name in self.things:
            shapes = stage.shapes(name)
            names = [name, *(f"{name} {k}" for k in range(2, len(shapes) + 1))]
            stage.solids.update(zip(names, shapes, strict=True))
        stage.body.avoid(
            {name: solid for name, solid in stage.solids.items() if name != "floor"},
            distance=self.distance,
        )
        yield from ()


@dataclass(frozen=True)
class TogetherStep:
    """Do several steps at the same time."""

    do: Steps

    def play(self, stage: TaskStage) -> BodyAction:
        """Begin all of them."""
        yield from do.together(*(step.play(stage) for step in self.do))


STEPS: Mapping[str, type[Any]] = {
    "wait": WaitStep,
    "walk": WalkStep,
    "turn": TurnStep,
    "look": LookStep,
    "reach": ReachStep,
    "move_hand": MoveHandStep,
    "grasp": GraspStep,
    "release": ReleaseStep,
    "pick_up": PickUpStep,
    "put_down": PutDownStep,
    "stand": StandStep,
    "pose": PoseStep,
    "avoid": AvoidStep,
    "together": TogetherStep,
}
