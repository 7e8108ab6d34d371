"""Small rooms of solids, to ask which of them touch."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Box, Pose, Shape
from robotix.scene.contact.contacts import Contacts
from robotix.scene.graph.graph import Graph


def cuboid(x: float, y: float, z: float, pose: Pose | None = None) -> Box:
    return Box(np.array([x, y, z]), pose if pose is not None else Pose())


def room(**solids: Shape) -> tuple[Graph, Contacts]:
    graph = Graph()
    for name, solid in solids.items():
        graph.add(name, solids=[solid])
    return graph, Contacts(graph)


def random_pose(rng: np.random.Generator, spread: float) -> Pose:
    return Pose.from_quaternion(rng.uniform(-spread, spread, 3), rng.normal(size=4))
