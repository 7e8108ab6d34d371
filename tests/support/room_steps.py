"""Running a room with keys and devices."""

from __future__ import annotations

from robotix.inputs.problem import Problem
from robotix.scene import Inputs, Reading, Scene
from robotix.scene.events.messages import Announcement

__all__ = ["step"]


def step(scene: Scene, ticks: int, *, keys: tuple[str, ...] = (), **devices: Reading) -> list[str]:
    """Run with keys held down, and return what was said; a problem is an error."""
    said = []
    pressed = Reading(buttons=frozenset(keys))
    for _ in range(ticks):
        scene.step(Inputs(devices={"keyboard": pressed, **devices}))
        said += [message.text for message in scene.messages if isinstance(message, Announcement)]
        assert not [message for message in scene.messages if isinstance(message, Problem)]
    return said
