"""The steps that a scene file can compose a task of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

import numpy as np

from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import Footprint, Gait, current_footprints
from robotix.human.gait.walking import Path, footprints_along, walk
from robotix.human.motion import actions as do
from robotix.human.motion.balance import stance_centre
from robotix.human.motion.curves import translated, yaw_rotations
from robotix.human.motion.furniture import Table
from robotix.human.motion.goals import free_hand, loosen
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import standing_height
from robotix.human.motion.styles import posture_of
from robotix.human.tasks.boxes import BOTH_HANDS, HOLD_HEIGHT_RATIO, pick_up, put_down
from robotix.human.tasks.lifting import LADEN_STEP_RATIO
from robotix.human.tasks.walking import (
    BRISK_GAIT,
    STEP_RATIO,
    standing_half_width,
    striding,
    walking_half_width,
)
from robotix.scene.graph.field_types import Angle, NodeName, TaskStepValue, Vector
from robotix.scene.people.step_checks import (
    MAX_COORDINATE,
    check_mass,
    check_position,
    check_seconds,
    check_within,
)
from robotix.scene.people.task_stage import PositionOrNode, TaskStage

__all__ = ["STEPS"]

Steps: TypeAlias = tuple[Annotated[Any, TaskStepValue()], ...]
TURN_SPREAD = 0.015  # m, of a foot, so that none meets another
MAX_TURN_PER_STEP = np.radians(25.0)  # rad, when turning in place
HEADING_TOLERANCE = np.radians(8.0)  # rad off the heading; no turn before walking
MAX_ANGLE = 4 * np.pi  # rad


@dataclass(frozen=True)
class WaitStep:
    """Wait."""

    seconds: float

    def __post_init__(self) -> None:
        """Raise ValueError unless the time is in range."""
        check_seconds(self.seconds)

    def play(self, stage: TaskStage) -> BodyAction:
        """Stand still."""
        yield from do.wait(stage.body, self.seconds)


@dataclass(frozen=True)
class WalkStep:
    """Walk to a position or a node; turn towards it first if it is not ahead."""

    to: PositionOrNode
    short_of: float = 0.0  # m before the goal

    def __post_init__(self) -> None:
        """Raise ValueError for a goal that is too far away."""
        check_position("to", self.to)
        check_within("short_of", self.short_of, 0.0, MAX_COORDINATE)

    def play(self, stage: TaskStage) -> BodyAction:
        """Turn and walk."""
        body, goal = stage.body, stage.position(self.to)[:2]
        prints = current_footprints(body)
        here = np.mean([each.position for each in prints.values()], axis=0)
        offset = goal - here[:2]
        length = float(np.linalg.norm(offset)) - self.short_of
        if length < 0.02:
            return
        if length > MAX_COORDINATE:
            raise ValueError(
                f"{self.to!r} is {length:.0f} m away; walk {MAX_COORDINATE:g} m at most"
            )
        heading = float(np.arctan2(offset[1], offset[0]))
        yaw = float(np.mean([each.yaw for each in prints.values()]))
        turn = (heading - yaw + np.pi) % (2 * np.pi) - np.pi
        if abs(turn) > HEADING_TOLERANCE:
            yield from _turn_in_place(stage, turn)
        ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
        gait, ahead_prints = _gait_along(body, lambda s: (here + s * ahead, heading), length=length)
        yield from walk(body, ahead_prints, gait=gait)


def _gait_along(
    body: Performer, path: Path, *, length: float
) -> tuple[Gait | None, list[Footprint]]:
    """Return gait and footprints: strides, or slow steps with a load and in the slow style."""
    if not body.loads and not body.style.is_static:
        return striding(body, path, length=length)
    prints = footprints_along(
        path,
        length=length,
        step_length=(LADEN_STEP_RATIO if body.loads else STEP_RATIO) * body.stature,
        half_width=walking_half_width(body),
        end_half_width=standing_half_width(body),
    )
    return (None if body.loads else BRISK_GAIT), prints


@dataclass(frozen=True)
class TurnStep:
    """Turn in place, to the left for a positive angle."""

    by: Angle

    def __post_init__(self) -> None:
        """Raise ValueError unless the angle is in range."""
        check_within("by", self.by, -MAX_ANGLE, MAX_ANGLE)

    def play(self, stage: TaskStage) -> BodyAction:
        """Turn by small steps."""
        yield from _turn_in_place(stage, self.by)


def _turn_in_place(stage: TaskStage, by: float) -> BodyAction:
    body, prints = stage.body, current_footprints(stage.body)
    here = np.mean([each.position for each in prints.values()], axis=0)
    yaw = float(np.mean([each.yaw for each in prints.values()]))
    count = max(int(np.ceil(abs(by) / MAX_TURN_PER_STEP)), 1)
    order: tuple[Side, Side] = ("left", "right") if by > 0 else ("right", "left")
    steps = []
    for k in range(1, count + 1):
        turned = yaw + by * k / count
        for side in order:
            half = (
                TURN_SPREAD + walking_half_width(body) if k < count else standing_half_width(body)
            )
            aside = np.array([0.0, SIDES[side] * half, 0.0])
            steps.append(Footprint(side, here + yaw_rotations(turned) @ aside, turned))
    yield from walk(body, steps)


@dataclass(frozen=True)
class ReachStep:
    """Move a hand to a position or a node; look there, lean and shift the weight as needed."""

    to: PositionOrNode
    side: Side = "right"
    via: tuple[Vector, ...] = ()
    seconds: float = 1.8

    def __post_init__(self) -> None:
        """Raise ValueError for a time or positions out of range."""
        check_seconds(self.seconds)
        check_position("to", self.to)
        check_position("via", *self.via)

    def play(self, stage: TaskStage) -> BodyAction:
        """Move hand and trunk together."""
        body, goal = stage.body, stage.position(self.to)
        via = [stage.position(each) for each in self.via]
        if not via and isinstance(self.to, str):  # approach from above and in front
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
    """Move only a hand to a position, with what it holds."""

    to: PositionOrNode
    side: Side = "right"
    via: tuple[Vector, ...] = ()
    seconds: float = 1.2

    def __post_init__(self) -> None:
        """Raise ValueError for a time or positions out of range."""
        check_seconds(self.seconds)
        check_position("to", self.to)
        check_position("via", *self.via)

    def play(self, stage: TaskStage) -> BodyAction:
        """Move the hand."""
        via = [stage.position(each) for each in self.via]
        to = stage.position(self.to)
        yield from do.reach(stage.body, self.side, to=to, via=via, seconds=self.seconds)


@dataclass(frozen=True)
class GraspStep:
    """Grasp a node that the hand has reached, and hold it from then on."""

    thing: NodeName
    mass: float = 0.5  # kg
    side: Side = "right"

    def __post_init__(self) -> None:
        """Raise ValueError unless the mass is in range."""
        check_mass(self.mass)

    def play(self, stage: TaskStage) -> BodyAction:
        """Shift the weight, then grasp."""
        load = stage.load(self.thing, mass=self.mass, sides=(self.side,))
        at = stage.position(self.thing)
        yield from do.brace(stage.body, load, at=at, seconds=0.3)
        yield from do.grasp(stage.body, load, at=at)


@dataclass(frozen=True)
class ReleaseStep:
    """Release a node where the hand is; the hand is free from then on."""

    thing: NodeName

    def play(self, stage: TaskStage) -> BodyAction:
        """Shift the weight, then release."""
        load, body = stage.held(self.thing), stage.body
        hands = [body.posture().position(f"{side}_hand") for side in load.hands]
        yield from do.brace(body, load, at=np.mean(hands, axis=0), seconds=0.3)
        yield from do.release(body, self.thing)
        for side in load.hands:
            free_hand(body, side)


@dataclass(frozen=True)
class PickUpStep:
    """Bend down, grasp a box with both hands, and straighten up with it."""

    thing: NodeName
    mass: float = 5.0  # kg
    height: float | None = None  # m, of the hands at the end; None: depends on the stature

    def __post_init__(self) -> None:
        """Raise ValueError unless mass and height are in range."""
        check_mass(self.mass)
        check_within("height", self.height, 0.2, 3.0)

    def play(self, stage: TaskStage) -> BodyAction:
        """Pick it up."""
        stage.check_ahead(f"picking up {self.thing!r}")
        load = stage.load(self.thing, mass=self.mass, sides=BOTH_HANDS)
        low, high = stage.box(self.thing)
        height = HOLD_HEIGHT_RATIO * stage.body.stature if self.height is None else self.height
        yield from pick_up(stage.body, load, at=(low + high) / 2, to=height)


@dataclass(frozen=True)
class PutDownStep:
    """Put a box that both hands hold onto a node in front, and draw the hands back."""

    thing: NodeName
    on: NodeName

    def play(self, stage: TaskStage) -> BodyAction:
        """Put it down at the near edge."""
        stage.check_ahead(f"putting {self.thing!r} down")
        low, high = stage.box(self.on)
        table = Table(float(high[2]), near=float(low[0]))
        yield from put_down(stage.body, stage.held(self.thing), on=table)


@dataclass(frozen=True)
class StandStep:
    """Stand upright again; hands keep what they hold."""

    seconds: float = 1.2

    def __post_init__(self) -> None:
        """Raise ValueError unless the time is in range."""
        check_seconds(self.seconds)

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
    """Turn the trunk towards a position or a node."""

    at: PositionOrNode
    seconds: float = 0.6

    def __post_init__(self) -> None:
        """Raise ValueError unless the time is in range."""
        check_seconds(self.seconds)

    def play(self, stage: TaskStage) -> BodyAction:
        """Turn the trunk."""
        loosen(stage.body)
        yield from do.look_at(stage.body, stage.position(self.at), seconds=self.seconds)


@dataclass(frozen=True)
class PoseStep:
    """Prefer some joint angles, as far as hands, feet and balance allow."""

    joints: Mapping[str, Angle] = field(hash=False)
    seconds: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError unless the time is in range."""
        check_seconds(self.seconds)

    def play(self, stage: TaskStage) -> BodyAction:
        """Change the preferred posture."""
        wanted = {name: float(np.degrees(angle)) for name, angle in self.joints.items()}
        goal = posture_of(stage.body.manikin, {**stage.body.style.standing, **wanted})
        loosen(stage.body)
        yield from do.adopt(stage.body, goal, seconds=self.seconds)


@dataclass(frozen=True)
class AvoidStep:
    """Avoid nodes from now on."""

    things: tuple[NodeName, ...]
    distance: float = 0.01  # m

    def __post_init__(self) -> None:
        """Raise ValueError unless the distance is in range."""
        check_within("distance", self.distance, 0.0, 0.5)

    def play(self, stage: TaskStage) -> BodyAction:
        """Add their shapes as obstacles."""
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
    """Perform several steps at the same time."""

    do: Steps

    def play(self, stage: TaskStage) -> BodyAction:
        """Start all of them."""
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
