"""A simulated operator: sees the room, and moves the stick; the scene knows no difference.

An operator sees the hand and the things of the task with a delay, plans steps, makes submovements
towards a point until what it sees is within the tolerance, and presses buttons. When there is no
progress it tries a way around, then the posture button.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from robotix.experiments.operators.aim import (
    Aim,
    AimedMovement,
    AimProgress,
    GoToButton,
    Press,
    Step,
)
from robotix.experiments.operators.plan import plan_carry, plan_transfer
from robotix.experiments.operators.submovement import Submovement, plan_submovement
from robotix.experiments.operators.switching import PostureChoice
from robotix.experiments.operators.traits import OperatorTraits
from robotix.experiments.tasks.controls import ARM, STICK
from robotix.experiments.tasks.room import GRIP_NODE, WHEELS, TaskRoom
from robotix.geometry import Array
from robotix.inputs.device_kinds import KEYBOARD
from robotix.inputs.readings import Inputs, Reading

__all__ = ["SimulatedOperator"]

PRESS_TIME = 0.1  # s that a button is held down
LOOK_TIME = 0.15  # s after a press until its effect is looked at
RELEASE_TOLERANCE = 0.008  # m, within which a thing is brought before it is let go
PROGRESS = 0.01  # m nearer to the target counts as progress
MAX_DETOURS = 3  # ways around that are tried before the posture button
READY_TIMEOUT = 40.0  # s to wait for a posture
STOPPED_TIME = 1.0  # s at rest after which an arm that is not there yet was stopped
REST_SPEED = 0.02  # m/s; a slower hand is at rest


@dataclass
class SimulatedOperator:
    """One operator in one trial; `act` is called before every tick.

    `movements` are the aimed movements that were finished, `switches` how often a posture button
    was pressed, `detours` how often there was no progress.
    """

    room: TaskRoom
    traits: OperatorTraits
    rng: np.random.Generator
    movements: list[AimedMovement] = field(default_factory=list)
    submovements: int = 0
    switches: int = 0
    detours: int = 0

    def __post_init__(self) -> None:
        scene = self.room.scene
        self._dt = scene.dt
        ticks = max(round(self.traits.sight_delay / self._dt), 0)
        self._sight: deque[Array] = deque(maxlen=ticks + 1)
        self._steps: list[Step] = []
        self._progress: AimProgress | None = None
        self._move: Submovement | None = None
        self._move_began = 0.0
        self._free_at = 0.0  # s of the scene; before, the operator thinks or waits
        self._pressed_at: float | None = None
        self._tries = 0  # detours since the last success
        self._state: Literal["engage", "drive", "ready"] = "engage"
        self._choice = PostureChoice.of(self.room)
        self._posture = 0  # whose button was pressed last
        self._moved_at = 0.0  # s of the scene at which the arm was last seen to move
        self._hand = self._true_hand()
        self._hand_speed = 0.0

    # -- what the scene sees ----------------------------------------------------------------

    def act(self) -> Inputs:
        """Return the readings of the devices for the next tick."""
        now = self.room.scene.time
        self._look()
        axes, buttons, keys = np.zeros(3), frozenset[str](), frozenset[str]()
        if self._state == "engage":
            keys = self._engage(now)
        elif self._state == "ready":
            self._await_ready(now)
        elif self._pressed_at is not None:
            buttons = self._hold_button(now)
        elif now >= self._free_at:
            axes, buttons, keys = self._drive(now)
        reading = Reading(axes=tuple(float(each) for each in axes), buttons=buttons)
        return Inputs(
            devices={
                STICK: reading,
                WHEELS: Reading(axes=(0.0, 0.0)),
                KEYBOARD: Reading(buttons=keys),
            }
        )

    # -- seeing -----------------------------------------------------------------------------

    def _true_hand(self) -> Array:
        return np.array(self.room.scene.graph[GRIP_NODE].world_position)

    def _look(self) -> None:
        self._sight.append(self._true_hand())
        seen = self._sight[0]
        self._hand_speed = float(np.linalg.norm(seen - self._hand)) / self._dt
        self._hand = seen

    @property
    def _skill(self) -> OperatorTraits:
        return self.traits.practised(len(self.movements))

    def _think(self, now: float) -> None:
        """Let a reaction time pass."""
        self._free_at = now + self._skill.reaction_time

    # -- doing ------------------------------------------------------------------------------

    def _engage(self, now: float) -> frozenset[str]:
        """Press the key that lets the stick steer, once; then begin."""
        arm = self.room.scene.robots[ARM]
        if arm.tracking is not None and arm.tracking.is_engaged(arm):
            self._state = "drive"
            self._think(now)
            return frozenset()
        is_down = round(now / PRESS_TIME) % 2 == 0
        return frozenset({"T"}) if is_down else frozenset()

    def _hold_button(self, now: float) -> frozenset[str]:
        assert self._pressed_at is not None
        if now - self._pressed_at < PRESS_TIME:
            return frozenset({"a"})
        if now - self._pressed_at >= PRESS_TIME + LOOK_TIME:
            self._pressed_at = None
            self._judge_press(now)
        return frozenset()

    def _judge_press(self, now: float) -> None:
        """See whether a press did what it was for; if not, begin again from what is seen."""
        press = self._steps.pop(0)
        assert isinstance(press, Press)
        is_held = bool(self.room.watcher.held)
        if (press.purpose == "grip") != is_held:
            self._steps.clear()
        self._think(now)

    def _drive(self, now: float) -> tuple[Array, frozenset[str], frozenset[str]]:
        nothing = frozenset[str]()
        if not self._steps:
            self._plan()
            self._think(now)
            return np.zeros(3), nothing, nothing
        step = self._steps[0]
        if isinstance(step, GoToButton):
            self._steps.pop(0)
            self._state, self._free_at, self._moved_at = "ready", now + 0.5, now
            self._posture = step.posture
            self.switches += 1
            return np.zeros(3), nothing, frozenset({str(step.posture + 1)})
        if isinstance(step, Press):
            self._pressed_at = now
            return np.zeros(3), frozenset({"a"}), nothing
        return self._aim(step, now), nothing, nothing

    def _plan(self) -> None:
        """Decide what to do next from what is held and what is left."""
        watcher = self.room.watcher
        if watcher.held:
            self._steps = plan_carry(watcher, self._hand, self._choice, tolerance=RELEASE_TOLERANCE)
        else:
            self._steps = plan_transfer(watcher, self._hand, self._choice)
        self._progress = self._move = None

    def _aim(self, aim: Aim, now: float) -> Array:
        """Return the deflection of the stick that brings the hand nearer to a point."""
        progress = self._progress
        if progress is None or progress.aim is not aim:
            noise = self.rng.standard_normal(3) * self._skill.sight_noise
            seen = aim.point + noise * min(1.0, aim.tolerance / 0.008)
            progress = self._progress = AimProgress(aim, self._hand, now, best_at=now, seen=seen)
            self._move = None
        if self._move is not None and now - self._move_began < self._move.duration:
            velocity = self._move.velocity(now - self._move_began)
            return np.clip(velocity / self.room.setup.speed, -1.0, 1.0)
        error = progress.seen - self._hand
        distance = float(np.linalg.norm(error))
        if distance <= aim.tolerance and self._hand_speed <= REST_SPEED + aim.tolerance:
            self._arrive(progress, now)
            return np.zeros(3)
        if self._move is not None:  # one submovement is over: see what is left
            self._move = None
            self._free_at = now + self._skill.pause_time
            return np.zeros(3)
        self._notice_progress(progress, distance, now)
        if self._progress is not None:
            self._begin_submovement(progress, error, now)
        return np.zeros(3)

    def _arrive(self, progress: AimProgress, now: float) -> None:
        aim = progress.aim
        if aim.is_measured and progress.submovements:
            distance = float(np.linalg.norm(aim.point - progress.start))
            time = now - progress.began
            width = 2 * aim.tolerance
            self.movements.append(AimedMovement(distance, width, time, progress.submovements))
            self._think(now)
        self._steps.pop(0)
        self._progress = self._move = None
        self._tries = 0

    def _begin_submovement(self, progress: AimProgress, error: Array, now: float) -> None:
        traits = self._skill
        way = error
        if self.rng.random() < traits.one_axis and progress.submovements < 3:
            axis = int(np.argmax(abs(error)))
            way = np.zeros(3)
            way[axis] = error[axis]
        width = 2 * progress.aim.tolerance
        speed = self.room.setup.speed
        self._move = plan_submovement(way, width=width, speed=speed, traits=traits, rng=self.rng)
        self._move_began = now
        progress.submovements += 1
        self.submovements += 1

    # -- when there is no progress ----------------------------------------------------------

    def _notice_progress(self, progress: AimProgress, distance: float, now: float) -> None:
        if distance < progress.best - min(PROGRESS, 0.2 * progress.aim.tolerance):
            progress.best, progress.best_at = distance, now
        elif now - progress.best_at > self.traits.patience + 0.5:
            self._switch_strategy()

    def _switch_strategy(self) -> None:
        """Try a way around; after some, press the posture button and plan again."""
        self.detours += 1
        self._tries += 1
        self._progress = self._move = None
        if self._tries > MAX_DETOURS:
            self._tries = 0
            self._steps = [GoToButton(self._choice.current)]
            return
        task = self.room.task
        aside = self.rng.standard_normal(3) * 0.03
        back = self._hand + task.approach_offset * 0.5 * self._tries + aside
        self._steps = [Aim(back, 0.04)]

    def _await_ready(self, now: float) -> None:
        """Wait until the posture is reached or the arm was stopped, then engage the stick again."""
        if self._hand_speed > REST_SPEED or self.room.scene.robots[ARM].is_moving:
            self._moved_at = now
        is_there = self._choice.is_at(self._posture)
        is_stopped = now - self._moved_at > STOPPED_TIME or now > self._free_at + READY_TIMEOUT
        if now >= self._free_at and (is_there or is_stopped):
            self._state = "engage"
            self.detours += not is_there
