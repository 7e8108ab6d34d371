"""A tracked hand as tests move it, and the things that it meets in the room."""

from collections.abc import Iterable

import numpy as np

from robotix.geometry import Array, Box, Pose, Shape
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

STILL = (1.0, 0.0, 0.0, 0.0)


def hand(
    place: Iterable[float] | None = (0.0, 0.0, 0.0),
    *,
    turn: Iterable[float] = STILL,
    live: bool = True,
    held: bool = False,
) -> Inputs:
    """Return the inputs of a tick in which the device `hand` is there, `held` or open."""
    x, y, z = place if place is not None else (0.0, 0.0, 0.0)
    w, a, b, c = turn
    reading = Reading(
        position=(float(x), float(y), float(z)) if place is not None else None,
        quaternion=(float(w), float(a), float(b), float(c)),
        buttons=frozenset({"grip"} if held else ()),
        live=live,
    )
    return Inputs(devices={"hand": reading})


def thing(scene: Scene, name: str, *, at: Iterable[float], solid: Shape | None = None) -> Node:
    """Add a small box, or another solid, to the room."""
    x, y, z = at
    return scene.graph.add(
        name, pose=Pose.at(x, y, z), solids=[solid or Box(np.array([0.1, 0.1, 0.1]))]
    )


def problems(scene: Scene) -> list[str]:
    """Return what went wrong in this tick."""
    return [each.what for each in scene.messages if isinstance(each, Problem)]


def place_of(scene: Scene, name: str) -> Array:
    """Return where a node is in the world."""
    return scene.graph[name].world_position
