"""Rooms with physics for tests: a floor, a table, and what is free there."""

import numpy as np
from support.hands import problems

from robotix.geometry import Box, Cylinder, Halfspace, Pose, Shape
from robotix.scene.events.messages import Announcement
from robotix.scene.graph.body import BodyProperties
from robotix.scene.scene import Scene

TABLE_TOP = 0.74


def room() -> Scene:
    """Return a floor and a table, with physics."""
    scene = Scene()
    scene.graph.add("floor", solids=[Halfspace()])
    scene.graph.add(
        "table", solids=[Box(np.array([1.0, 1.0, 0.04]))], pose=Pose.at(0, 0, TABLE_TOP - 0.02)
    )
    scene.physics.start()
    return scene


def free(scene: Scene, name: str, solid: Shape, *at: float, mass: float = 0.2) -> None:
    """Add something free."""
    scene.graph.add(name, solids=[solid], pose=Pose.at(*at), body=BodyProperties(mass=mass))


def glass(scene: Scene, *, x: float = 0.3) -> None:
    """Put a glass on the table."""
    free(scene, "glass", Cylinder(0.035, 0.12), x, 0.0, TABLE_TOP + 0.06)


def run(scene: Scene, seconds: float) -> list[str]:
    """Run; return what was said. A problem is an error."""
    said: list[str] = []
    for _ in range(round(seconds / scene.dt)):
        scene.step()
        assert not problems(scene)
        said += [each.text for each in scene.messages if isinstance(each, Announcement)]
    return said


def tilt(scene: Scene, name: str) -> float:
    """Return the angle of the z axis of a node to the vertical, rad."""
    return float(np.arccos(np.clip(scene.graph[name].world_pose.rotation[2, 2], -1, 1)))
