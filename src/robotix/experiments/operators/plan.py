"""What to do next in a task: which thing, where to, and the steps on the way."""

from __future__ import annotations

import numpy as np

from robotix.experiments.operators.aim import Aim, GoToButton, Press, Step
from robotix.experiments.operators.switching import PostureChoice
from robotix.experiments.tasks.geometry import raised
from robotix.experiments.tasks.task import LabTask, TaskGoal
from robotix.experiments.tasks.watcher import TaskWatcher
from robotix.geometry import Array

__all__ = ["plan_carry", "plan_transfer"]

PASS_TOLERANCE = 0.02  # m, of points that are only passed
GRIP_TOLERANCE = 0.010  # m
RELEASE_HEIGHT = 0.003  # m above where a thing rests
HOME_RADIUS = 0.03  # m, within which a thing that is held is still where it stood
FREE_GAP = 0.06  # m between a target and other things, to count as free


def plan_transfer(watcher: TaskWatcher, hand: Array, choice: PostureChoice) -> list[Step]:
    """Return the steps that take the nearest thing of the open goals; empty if none can be taken.

    The hand is brought back to free space first, then before the thing, then to it. A thing that
    needs another posture comes last, and its button first.
    """
    task = watcher.task
    goals = [goal for goal in watcher.open_goals() if not watcher.is_waiting_for(goal.thing)]
    if not goals:
        return []

    def grip_of(goal: TaskGoal) -> Array:
        return np.asarray(watcher.place_of(goal.thing) + task.grip_offset)

    def target_of(goal: TaskGoal) -> Array:
        here = watcher.place_of(goal.thing)
        return np.asarray(free_target(goal, watcher, here) + task.grip_offset)

    def posture_of(goal: TaskGoal) -> int:
        return choice.needed(grip_of(goal), target_of(goal))

    now = choice.current
    goal = min(
        goals,
        key=lambda each: (posture_of(each) != now, float(np.linalg.norm(grip_of(each) - hand))),
    )
    if (posture := posture_of(goal)) != now:
        return [GoToButton(posture)]
    grip = grip_of(goal)
    before = grip + task.approach_offset
    return [
        *_around(task, hand, before),
        Aim(before, PASS_TOLERANCE),
        Aim(grip, GRIP_TOLERANCE, is_measured=True),
        Press("grip"),
    ]


def plan_carry(
    watcher: TaskWatcher, hand: Array, choice: PostureChoice, *, tolerance: float
) -> list[Step]:
    """Return the steps that bring what is held to its place, let it go, and draw back.

    If its place is on the other side, the steps end with the button of a posture.
    """
    task, held = watcher.task, watcher.held
    goal = next((each for each in watcher.open_goals() if each.thing == held), None)
    here = watcher.place_of(held)
    offset = hand - here  # where it was gripped
    if goal is None:  # nothing to be done with it: put it back
        return [Press("release")]
    target = free_target(goal, watcher, here)
    is_home = float(np.linalg.norm(here - watcher.home_of(held))) < HOME_RADIUS
    away = [Aim(hand + each, PASS_TOLERANCE) for each in task.carry_offsets if is_home]
    posture = choice.needed(target + task.grip_offset)
    if posture != choice.current:
        out = away[-1].point if away else hand
        return [*away, Aim(out + task.approach_offset, PASS_TOLERANCE), GoToButton(posture)]
    rest = raised(target + offset, RELEASE_HEIGHT)
    back = [Aim(rest + each, PASS_TOLERANCE) for each in reversed(task.carry_offsets)]
    return [
        *away,
        *back,
        Aim(rest, tolerance, is_measured=True),
        Press("release"),
        Aim(rest + task.approach_offset, PASS_TOLERANCE),
    ]


def free_target(goal: TaskGoal, watcher: TaskWatcher, here: Array) -> Array:
    """Return the nearest point to aim at where nothing is; the nearest one if all are taken."""
    others = [watcher.place_of(name) for name in watcher.task.things if name != goal.thing]
    ordered = sorted(goal.targets, key=lambda point: float(np.linalg.norm(point - here)))
    for point in ordered:
        gaps = [float(np.linalg.norm(point - other)) for other in others]
        if min(gaps, default=np.inf) > FREE_GAP:
            return point
    return ordered[0]


def _around(task: LabTask, hand: Array, goal: Array) -> list[Step]:
    """Return a point to pass, so that the hand does not move through what stands between."""
    back = task.approach_offset / np.linalg.norm(task.approach_offset)
    depth = float((goal - hand) @ back)
    if depth <= PASS_TOLERANCE or float(np.linalg.norm(goal - hand)) < 2 * PASS_TOLERANCE:
        return []
    return [Aim(hand + depth * back, PASS_TOLERANCE)]
