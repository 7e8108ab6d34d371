"""Robots of a legacy RoboTiX configuration file (.cfg), and the nodes around them.

RoboTiX keeps geometry apart: a script and a `.cfg` only name nodes. They are read from
`SCRIPT.nodes.toml` or `ROBOT.nodes.toml` beside the file (see `robotix.model.legacy.scene_file`).
Without such a file every joint gets a plain stand-in, and a warning says so.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from robotix.geometry import Pose, Shape
from robotix.inputs.problem import Problem
from robotix.model import Model, Visual
from robotix.model.legacy.robot_file import load_robotix
from robotix.model.legacy.scene_file import SceneNodes, load_nodes, nodes_path
from robotix.model.legacy.stand_ins import stand_in_nodes, stand_in_note
from robotix.scene.graph.graph import Node
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["LegacyRoom", "find_nodes"]

LOG = logging.getLogger(__name__)


def find_nodes(*paths: Path) -> tuple[SceneNodes, float] | None:
    """Return the nodes listed beside one of these files, and their unit of length."""
    for path in paths:
        if nodes_path(path).exists():
            return load_nodes(nodes_path(path))
    return None


@dataclass
class LegacyRoom:
    """Fills a room from legacy files; `is_guessed` once a stand-in was needed."""

    scene: Scene
    has_stand_ins: bool = False
    configurations: list[Path] = field(default_factory=list)

    def add_robots(self, path: Path, *, script: Path | None = None) -> list[Robot]:
        """Add the robots of a configuration file, and all nodes listed with them."""
        found = self.scene.files.read(path, lambda: _read_robots(path, script))
        nodes, models = found.nodes, found.models
        if found.is_guessed:
            self._warn_of_stand_ins(path)
        joints = {name for model in models for name in _joint_nodes(model, nodes)}
        movers = nodes.movers(joints)
        placed: dict[str, Node] = {}
        robots = [self._robot(model, nodes, placed=placed) for model in models]
        self._add_plain(nodes, movers, placed=placed)
        self.configurations.append(path)
        return robots

    def warn(self, who: str, what: str) -> None:
        """Tell the author, and all in the room, of something that is not as it should be."""
        LOG.warning("%s: %s", who, what)
        self.scene.send(Problem(who, what))

    # -- robots -----------------------------------------------------------------------------

    def _robot(self, model: Model, nodes: SceneNodes, *, placed: dict[str, Node]) -> Robot:
        """Add one robot; its links take the names of their joints."""
        joints = _joint_nodes(model, nodes)
        base = nodes.by_name[joints[0]].parent
        name = base if base and base not in self.scene.graph else model.name
        robot = self.scene.add_robot(name, model)
        if base is not None:
            placed.setdefault(base, robot.node)
        for joint in joints:
            link = robot.links[joint]
            self.scene.graph.rename(link, joint)
            shapes = nodes.by_name[joint].shapes
            _add_shapes(link, shapes)
            placed[joint] = link
        for link in robot.links.values():
            if link.name not in joints:  # shapes of the base come with the nodes they belong to
                _add_shapes(link, ())
        return robot

    # -- everything else --------------------------------------------------------------------

    def _add_plain(
        self, nodes: SceneNodes, movers: Mapping[str, str | None], *, placed: dict[str, Node]
    ) -> None:
        """Add the nodes that are neither joints nor axes, each below its parent."""
        frames = {node.name: nodes.world_from[name] for name, node in placed.items()}
        for robot in self.scene.robots.values():
            frames[robot.node.name] = Pose()
        for name, world in nodes.world_from.items():  # parents first
            node = nodes.by_name[name]
            if movers[name] == name or node.axis is not None:
                continue
            if name in placed:  # a base: its own shapes, on the robot that stands there
                pose = frames[placed[name].name].inverse() @ world
                _add_shapes(placed[name], (replace(s, pose=pose @ s.pose) for s in node.shapes))
                continue
            parent = placed.get(node.parent) if node.parent else None
            above = frames[parent.name] if parent is not None else Pose()
            placed[name] = self.scene.graph.add(
                name,
                parent=parent,
                pose=above.inverse() @ world,
                solids=node.shapes,
                visuals=map(Visual, node.shapes),
            )
            frames[name] = world

    def _warn_of_stand_ins(self, path: Path) -> None:
        self.warn(path.name, stand_in_note(path))
        self.has_stand_ins = True


@dataclass(frozen=True)
class _RobotsFile:
    """What a configuration file describes."""

    models: tuple[Model, ...]
    nodes: SceneNodes
    is_guessed: bool  # the nodes are stand-ins


def _read_robots(path: Path, script: Path | None) -> _RobotsFile:
    """Read a configuration file, and the nodes listed beside it or the script."""
    found = find_nodes(*(p for p in (script, path) if p is not None))
    nodes, unit = (stand_in_nodes(path), 1.0) if found is None else found
    models = load_robotix(path, nodes=nodes.by_name.values(), length_unit=unit)
    return _RobotsFile(tuple(models), nodes, is_guessed=found is None)


def _add_shapes(node: Node, shapes: Iterable[Shape]) -> None:
    node.solids = tuple(shapes)
    node.visuals = tuple(map(Visual, node.solids))
    node.touch()


def _joint_nodes(model: Model, nodes: SceneNodes) -> list[str]:
    """Return the names of the joints' nodes of a model, base first."""
    return [body.name for body in model.bodies if _is_joint(model, body.name, nodes)]


def _is_joint(model: Model, body: str, nodes: SceneNodes) -> bool:
    """Tell a joint's node from the base and from the massless bodies on axes."""
    if body not in nodes.by_name:
        return False
    joint = model.body(body).joint
    return joint.kind != "fixed" or joint.name == f"{body}.offset"
