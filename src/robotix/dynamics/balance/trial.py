"""Trials of standing balance: a motion or a push, with the law or with the ankles held."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from robotix.dynamics.balance.controller import BalanceSensors, StandingBalance
from robotix.dynamics.balance.humanoid import ROOT, feet_of, humanoid
from robotix.dynamics.balance.law import AnkleLaw
from robotix.dynamics.balance.motions import KeyPostures, kick, squat, stand
from robotix.dynamics.simulation import Mechanism, RigidObject, Servo, Simulation, World
from robotix.dynamics.simulation.holding import holding_servos
from robotix.dynamics.simulation.sensors import body_id
from robotix.errors import BadField
from robotix.geometry import Array, Halfspace
from robotix.model import Model

__all__ = ["BalancePush", "BalanceResult", "BalanceTrial", "TrialMotion", "run_balance"]

TrialMotion: TypeAlias = Literal["squat", "kick", "push"]
MOTIONS: Mapping[str, Callable[[Model], KeyPostures]] = {
    "squat": squat,
    "kick": kick,
    "push": stand,
}
CONTROL_STEPS = 2  # simulation steps of 1 ms for each update of the controller
SETTLING_TIME = 2.0  # s, after the motion
PUSH_SETTLING_TIME = 4.5  # s, after the push: long enough for a slow fall
MAX_TILT = math.radians(70.0)  # of the root; more is a fall
ANKLE_SERVO = Servo(damping=0.05, armature=1e-3)  # driven by efforts
FEET_AND_HANDS = ("left_foot", "right_foot", "left_hand_link", "right_hand_link")


@dataclass(frozen=True)
class BalancePush:
    """A horizontal push at the chest: a constant force over a short time."""

    impulse: float = 1.2  # N s
    direction: float = 0.0  # rad; 0 forward, π/2 to the left
    time: float = 0.5  # s, when it begins
    duration: float = 0.1  # s

    def __post_init__(self) -> None:
        if not 0 <= self.impulse <= 1e4:
            raise BadField("impulse", "in 0..10000 N s", self.impulse)
        if not math.isfinite(self.direction):
            raise BadField("direction", "a finite angle", self.direction)
        if not (0 <= self.time <= 1e3 and 1e-3 <= self.duration <= 1e3):
            raise BadField("duration", "at least 1 ms, after the start", self.duration)

    def force(self, time: float) -> Array:
        """Return the force at a time, (3,), N."""
        if not self.time <= time < self.time + self.duration - 1e-9:
            return np.zeros(3)
        size = self.impulse / self.duration
        return size * np.array([math.cos(self.direction), math.sin(self.direction), 0.0])


@dataclass(frozen=True)
class BalanceTrial:
    """What is tried. Without a law the ankles are held at their first angles by servos."""

    motion: TrialMotion
    law: AnkleLaw | None = field(default_factory=AnkleLaw)
    push: BalancePush | None = None  # for the motion `push`: the standard one when None
    sensors: BalanceSensors = field(default_factory=BalanceSensors)
    seed: int = 0  # of the sensors' noise
    ankle_friction: float = 0.0  # N m, of the ankles' joints
    max_seconds: float | None = None  # ends a trial early

    def __post_init__(self) -> None:
        if self.motion not in MOTIONS:
            raise BadField("motion", f"one of {', '.join(MOTIONS)}", self.motion)
        if self.motion == "push" and self.push is None:
            object.__setattr__(self, "push", BalancePush())


@dataclass(frozen=True)
class BalanceResult:
    """What came of a trial. Offsets are horizontal distances of the CoM from the support ankle."""

    fell: bool
    fall_time: float | None  # s
    seconds: float  # simulated
    max_com_offset: float  # m; until the fall
    final_com_offset: float  # m
    max_tilt: float  # rad, of the trunk
    lowest_root: float  # m, height of the hips
    lowest_hand: float  # m, height of the lower hand's palm
    max_moment: float  # N m, the largest ankle moment that the law asked for


def run_balance(
    trial: BalanceTrial, *, watch: Callable[[Simulation], None] | None = None
) -> BalanceResult:
    """Run a trial until its end or a fall; `watch` is called after every update."""
    run = _Run(trial)
    while run.time < run.end and not run.has_fallen:
        run.update()
        if watch is not None:
            watch(run.simulation)
    return run.result()


class _Run:
    """A trial under way."""

    def __init__(self, trial: BalanceTrial) -> None:
        self.trial, model = trial, humanoid()
        self.motion = MOTIONS[trial.motion](model)
        feet = feet_of(model)
        supports = feet[:1] if trial.motion == "kick" else feet
        servos = holding_servos(model)
        for foot in supports:
            for joint in (foot.pitch, foot.roll):
                base = servos[joint] if trial.law is None else ANKLE_SERVO
                servos[joint] = Servo(
                    base.stiffness, base.damping, armature=base.armature,
                    friction=trial.ankle_friction,
                )  # fmt: skip
        part = Mechanism("robot", model, servos=servos)
        floor = RigidObject("floor", (Halfspace(),), mobility="static")
        self.simulation = Simulation(World((floor,), (part,)))
        self.simulation.set_state("robot", self.motion.postures[0])
        self.controller = StandingBalance(
            part, root=ROOT, supports=supports, law=trial.law, sensors=trial.sensors,
            rng=np.random.default_rng(trial.seed),
        )  # fmt: skip
        self._may_touch = [body_id(self.simulation, part.body(name)) for name in FEET_AND_HANDS]
        self._may_touch.append(body_id(self.simulation, "floor"))
        settling = SETTLING_TIME if trial.push is None else PUSH_SETTLING_TIME
        after = trial.push.time + trial.push.duration if trial.push else 0.0
        self.end = max(self.motion.end, after) + settling
        if trial.max_seconds is not None:
            self.end = min(self.end, trial.max_seconds)
        self.time, self.ticks, self.has_fallen = 0.0, 0, False
        self.offsets: list[float] = []
        self.max_tilt, self.max_moment = 0.0, 0.0
        self.lowest_root = self.lowest_hand = math.inf

    def update(self) -> None:
        """Let the controller act, and step."""
        simulation, push = self.simulation, self.trial.push
        efforts = self.controller.efforts(simulation)
        q, dq = self.motion.at(self.time)
        simulation.command("robot", q=q, dq=dq, effort=None if self.trial.law is None else efforts)
        if push is not None:
            simulation.push("robot/chest", push.force(self.time))
        simulation.step(CONTROL_STEPS)
        self.ticks += 1
        self.time = round(simulation.time, 9)
        self._measure()

    def _measure(self) -> None:
        state = self.controller.state
        assert state is not None
        self.offsets.append(float(np.hypot(state.com[0], state.com[1])))
        if self.trial.law is not None:
            self.max_moment = max(self.max_moment, float(np.hypot(*self.controller.wanted)))
        pose = self.simulation.pose(f"robot/{ROOT}")
        tilt = math.acos(min(max(float(pose.rotation[2, 2]), -1.0), 1.0))
        self.max_tilt = max(self.max_tilt, tilt)
        self.lowest_root = min(self.lowest_root, float(pose.translation[2]))
        data = self.simulation.data
        hands = data.xpos[self._may_touch[2:4], 2] + 0.03 * -data.xmat[self._may_touch[2:4], 8]
        self.lowest_hand = min(self.lowest_hand, float(hands.min()))
        touching = self.simulation.model.geom_bodyid[data.contact.geom]
        self.has_fallen = tilt > MAX_TILT or not np.isin(touching, self._may_touch).all()

    def result(self) -> BalanceResult:
        """Return the figures."""
        return BalanceResult(
            fell=self.has_fallen,
            fall_time=self.time if self.has_fallen else None,
            seconds=self.time,
            max_com_offset=max(self.offsets, default=0.0),
            final_com_offset=self.offsets[-1] if self.offsets else 0.0,
            max_tilt=self.max_tilt,
            lowest_root=self.lowest_root,
            lowest_hand=self.lowest_hand,
            max_moment=self.max_moment,
        )
