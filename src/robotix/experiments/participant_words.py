"""Texts for participants: titles of tasks, and how to drive by the device of the study."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from robotix.experiments.study.plan import TRAINING_PHASES
from robotix.experiments.tasks.library import TASKS, load_task
from robotix.experiments.trial_devices import trial_device

__all__ = ["how_to_drive", "task_title"]

SHARED = {
    "one_bench": "Work at one bench with an arm",
    "walk_past": "Walk past an arm",
    "handover_to_person": "The arm hands you a cup",
    "handover_to_robot": "Hand the arm a cup",
    "carry_together": "Carry a board together with an arm",
}
BY_HAND = "Close a hand at a thing (grip, or pinch): take it. Open it: let go. You can walk about."
WATCHING = "You watch: another person does the work. You can look around with the mouse."
TITLES = {TRAINING_PHASES[0]: "Along the axes", TRAINING_PHASES[1]: "Along a path"}

MOVING: Mapping[str, str] = {
    "keyboard": "Arrow keys: forwards, back, left, right. Page up and page down: up and down.",
    "joystick": "Tilt the stick: forwards, back, left, right. Its buttons 5 and 3: up and down.",
    "gamepad": "Left stick: forwards, back, left, right. Cross up and down: up and down.",
    "spacemouse": "Push or pull the cap: the hand moves that way.",
    "headset": "Hold the grip of the right controller: the robot's hand moves as yours does.",
    "touch": "Drag the pad on the screen; the buttons beside it: up and down.",
    "mouse": "Drag the ball at the robot's hand; the wheel: nearer and farther.",
}
GRIPPING: Mapping[str, str] = {
    "keyboard": "G: grip, or let go. 1: ready posture. C: drive the chair, or the arm. X: stop.",
    "joystick": "Trigger: grip, or let go. Button 6: ready posture. Button 2: chair or arm.",
    "gamepad": "A: grip, or let go. X: ready posture. B: chair or arm; right stick: chair.",
    "spacemouse": "Left button: grip, or let go. Right button: drive the chair, or the arm.",
    "headset": "Trigger: grip, or let go. A: chair or arm; left stick: chair. Menu: left wrist.",
    "touch": "The buttons below: grip, ready posture, stop.",
    "mouse": "The buttons below: grip, ready posture, stop.",
}


@lru_cache
def task_title(name: str) -> str:
    """Return what a task is called in a page."""
    if name in TASKS:
        return load_task(name).title
    return (SHARED | TITLES).get(name, name.replace("_", " ").capitalize())


def how_to_drive(task: str, device: str) -> str:
    """Return how to move the hand, and in tasks how to grip; by keys if the device is unknown."""
    name = trial_device(device) or "keyboard"
    if task in SHARED:
        return BY_HAND if name == "headset" else WATCHING
    return MOVING[name] if task in TRAINING_PHASES else f"{MOVING[name]} {GRIPPING[name]}"
