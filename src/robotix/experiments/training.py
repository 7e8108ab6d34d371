"""Rooms for training, and their watcher: reach targets along the axes, then along a path.

The hand starts in the middle of the arm's reach. A ball shows where it is to go; when it is near
enough, the ball moves on. In the second phase an error is counted whenever the hand leaves the
corridor along the path.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from robotix.authoring.load.load import read_native
from robotix.errors import UnknownName
from robotix.experiments.study.plan import TRAINING_PHASES
from robotix.geometry import Array, Pose
from robotix.kinematics import Posture, solve
from robotix.model import Model
from robotix.model.rates import with_default_rates
from robotix.model.robots import load
from robotix.scene.scene import Scene
from robotix.scene.task_display import TaskDisplay

__all__ = ["TrainingRoom", "TrainingStatus", "open_training_room"]

ARM, STICK, TARGET = "arm", "stick", "target"
REACH_SHARE = 0.55  # of the arm's reach, forwards and up, where the hand starts
STEP = 0.12  # m from the middle to each target
TOLERANCE = 0.045  # m
CORRIDOR = 0.10  # m from the line between two targets of the path
PATH_POINTS = 8
SPEED = 0.25  # m/s at full deflection
TITLES = {TRAINING_PHASES[0]: "Training: along the axes", TRAINING_PHASES[1]: "Training: a path"}
WORDS = {
    TRAINING_PHASES[0]: "Move the hand to the ball: forwards and back, sideways, up and down.",
    TRAINING_PHASES[1]: "Follow the ball with the hand, along its path.",
}


@dataclass(frozen=True)
class TrainingStatus:
    """What a page shows: what to do now, what was wrong, what is left."""

    state: str  # waiting, running or finished
    instruction: str
    left: int
    errors: tuple[str, ...]
    duration: float  # s since the first movement
    total: int = 0

    @property
    def last_error(self) -> str:
        """What was wrong last."""
        return self.errors[-1] if self.errors else ""


@dataclass(eq=False)
class TrainingWatcher:
    """The state of a training in a scene; `step` is called in every tick."""

    scene: Scene
    phase: str
    targets: Array  # (n, 3)
    started_at: float | None = None
    finished_at: float | None = None
    reached: int = 0
    errors: list[str] = field(default_factory=list)
    _first: Array | None = None
    _is_off: bool = False

    @property
    def hand(self) -> Array:
        """Where the hand is, (3,)."""
        robot = self.scene.robots[ARM]
        return np.array(Posture(robot.model, robot.q).pose(robot.model.tip).translation)

    @property
    def duration(self) -> float:
        """Seconds from the first movement to the end, or until now."""
        if self.started_at is None:
            return 0.0
        end = self.scene.time if self.finished_at is None else self.finished_at
        return end - self.started_at

    @property
    def status(self) -> TrainingStatus:
        """What to do now, what was wrong, what is left."""
        is_done = self.finished_at is not None
        state = "finished" if is_done else "waiting" if self.started_at is None else "running"
        words = "Done." if is_done else WORDS[self.phase]
        left = len(self.targets) - self.reached
        errors, total = tuple(self.errors), len(self.targets)
        return TrainingStatus(state, words, left, errors, self.duration, total)

    def step(self, dt: float) -> None:
        """Look at the hand once more."""
        if self.finished_at is not None:
            return
        self._look()
        found = self.status
        wrong = found.last_error if self._is_off else ""
        self.scene.task_display = TaskDisplay(found.instruction, wrong, found.left, found.total)

    def _look(self) -> None:
        hand = self.hand
        if self._first is None:
            self._first = hand
        if self.started_at is None and np.linalg.norm(hand - self._first) > 0.005:
            self.started_at = self.scene.time
        self._check_corridor(hand)
        if np.linalg.norm(hand - self.targets[self.reached]) > TOLERANCE:
            return
        self.reached += 1
        if self.reached == len(self.targets):
            self.finished_at = self.scene.time
            return
        self.scene.graph[TARGET].pose = Pose.at(*self.targets[self.reached])

    def _check_corridor(self, hand: Array) -> None:
        if self.phase != TRAINING_PHASES[1] or self.reached == 0:
            return
        a, b = self.targets[self.reached - 1], self.targets[self.reached]
        along = np.clip((hand - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
        is_off = bool(np.linalg.norm(hand - (a + along * (b - a))) > CORRIDOR)
        if is_off and not self._is_off:
            self.errors.append("The hand left the path.")
        self._is_off = is_off


@dataclass(eq=False)
class TrainingRoom:
    """A room for training, ready to run."""

    scene: Scene
    watcher: TrainingWatcher


def open_training_room(
    phase: str, arm: str, *, appearance: str = "own", rate: float = 60.0, seed: int = 0
) -> TrainingRoom:
    """Return the room of a phase of training, with an arm of the library."""
    if phase not in TRAINING_PHASES:
        raise UnknownName("phase of training", phase, TRAINING_PHASES)
    model = with_default_rates(load(arm))
    middle, q = _start(model)
    targets = _targets(phase, middle)
    path = Path("training.yaml").absolute()
    robot = {"model": arm, "q": q.tolist(), "appearance": appearance}
    text = _room_text(phase, robot, targets[0])
    native, problems = read_native(path, is_check=False, changed={path: text}, rate=rate, seed=seed)
    if problems or native is None:
        raise problems[0]
    watcher = TrainingWatcher(native.scene, phase, targets)
    native.scene.add_hook("training", watcher.step)
    return TrainingRoom(native.scene, watcher)


def _start(model: Model) -> tuple[Array, Array]:
    """Return where the hand starts, and the posture."""
    straight = Posture(model, np.clip(np.zeros(model.n_dof), model.lower, model.upper))
    reach = max(float(np.linalg.norm(straight.pose(model.tip).translation)), 0.4)
    aim = np.array([REACH_SHARE * reach, 0.0, 0.45 * reach])
    found = solve(model, tuple(aim), seed=1)
    return np.array(Posture(model, found.q).pose(model.tip).translation), np.asarray(found.q)


def _targets(phase: str, middle: Array) -> Array:
    if phase == TRAINING_PHASES[0]:
        axes = np.vstack([np.eye(3), -np.eye(3)])[[0, 3, 1, 4, 2, 5]]
        return np.asarray(middle + STEP * axes)
    angles = 2 * np.pi * np.arange(1, PATH_POINTS + 1) / PATH_POINTS
    circle = np.column_stack([np.zeros(PATH_POINTS), np.sin(angles), 1 - np.cos(angles)])
    return np.asarray(middle + STEP * circle)


def _room_text(phase: str, robot: dict[str, object], target: Array) -> str:
    ball = {"sphere": 0.03, "at": target.tolist(), "collidable": False, "pickable": False}
    lines = [
        "robotix: 1",
        f"name: {json.dumps(TITLES[phase])}",
        f"robots: {json.dumps({ARM: robot})}",
        "objects:",
        "  floor: {plane: true}",
        f"  {TARGET}: {json.dumps(ball | {'material': {'colour': 'red'}})}",
        f"devices: {{{STICK}: translate3}}",
        "rules:",
        f"  - {{name: steer the hand, when: {{key: T}}, do: {{track_toggle: {ARM}}}}}",
        "start:",
        f"  - track_init: {{device: {STICK}, robot: {ARM}, scale: {SPEED}}}",
    ]
    return "\n".join(lines) + "\n"
