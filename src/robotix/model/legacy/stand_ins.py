"""Stand-ins for the scene nodes of a RoboTiX file that has no list of nodes beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PurePath

import numpy as np

from robotix.files.source_file import read_source
from robotix.geometry import Capsule, Pose, Sphere
from robotix.model.legacy.scene_file import SceneNode, SceneNodes, nodes_path
from robotix.model.legacy.text import LegacyRobot, parse_robotix

__all__ = ["stand_in_nodes", "stand_in_note"]

LINK_LENGTH = 0.25  # m, of a stand-in for a link without a node
LINK_RADIUS = 0.03  # m, its radius
# A stand-in without a telling name turns about these axes, like most arms do.
USUAL_AXES = ("z", "y", "y", "x", "y", "x")
DIRECTIONS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def stand_in_nodes(path: str | os.PathLike[str]) -> SceneNodes:
    """Return nodes for the robots of a file: links of one length, about axes that names suggest."""
    robots = parse_robotix(read_source(path, what="a RoboTiX robot file"), path=os.fspath(path))
    return SceneNodes(node for robot in robots for node in _guessed(robot, len(robots)))


def stand_in_note(path: str | os.PathLike[str]) -> str:
    """Return the warning that belongs to a file with stand-ins."""
    return (
        f"no {PurePath(nodes_path(path)).name} beside it, so every link is {LINK_LENGTH} m long "
        "with a guessed axis; list the scene's nodes there to see the real robot"
    )


def _guessed(robot: LegacyRobot, count: int) -> Iterable[SceneNode]:
    """Yield stand-ins: links end to end, with a small ball at the end of the last."""
    base = "robot" if count == 1 else f"robot_{robot.number}"
    yield SceneNode(base, pose=Pose.at(1.5 * (robot.number - 1), 0, 0))
    parent, up = base, 0.0
    link = Capsule(LINK_RADIUS, LINK_LENGTH - 2 * LINK_RADIUS, Pose.at(0, 0, LINK_LENGTH / 2))
    for index, joint in enumerate(robot.joints):
        letter = joint.axis[-1].lower()
        letter = letter if letter in DIRECTIONS else USUAL_AXES[index % len(USUAL_AXES)]
        place = Pose.at(0, 0, up)
        if joint.axis != joint.name:
            yield SceneNode(joint.axis, parent, place, axis=np.array(DIRECTIONS[letter]))
        yield SceneNode(
            joint.name,
            parent,
            place,
            axis=np.array(DIRECTIONS[letter]) if joint.axis == joint.name else None,
            shapes=(link,),
        )
        parent, up = joint.name, LINK_LENGTH
    tip = "end_effector" if count == 1 else f"end_effector_{robot.number}"
    yield SceneNode(tip, parent, Pose.at(0, 0, LINK_LENGTH), shapes=(Sphere(LINK_RADIUS),))
