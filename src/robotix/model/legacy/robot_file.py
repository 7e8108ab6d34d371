"""Robots from a legacy RoboTiX file and the scene nodes that it names.

The body that a joint moves carries the joint's name and has the frame of its node. When the axis of
a revolute joint misses the origin of the node, a massless body `JOINT.axis` that turns about the
axis goes before it. The nodes above the first joint make a fixed base, called after the outermost.
All other nodes (but the axes) are control points; the tip is the last of them on the last link that
has no shape, else the last joint's own frame. Masses and rates are not in the format.
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import NoReturn

import numpy as np

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.geometry import Array, Pose, Shape
from robotix.model.body import Body, Visual
from robotix.model.joint import Joint, JointKind
from robotix.model.legacy.scene_file import SceneNode, SceneNodes, load_nodes, nodes_path
from robotix.model.legacy.text import JointText, LegacyRobot, TextPosition, parse_robotix
from robotix.model.mesh_files import find_meshes
from robotix.model.tree import ControlPoint, Model
from robotix.model.unlimited import infinite

__all__ = ["load_robotix"]

AXIS_TOLERANCE = 1e-9  # m, how far from its axis a node may lie and still count as on it


def load_robotix(
    path: str | os.PathLike[str],
    *,
    nodes: Iterable[SceneNode] | None = None,
    length_unit: float | None = None,
) -> tuple[Model, ...]:
    """Read the robots of a RoboTiX file.

    Args:
        path: The file.
        nodes: The scene's nodes; None reads them from `NAME.nodes.toml` beside the file.
        length_unit: Metres in the file's unit of length; None: as the nodes' file says, else 1.
    """
    name = os.fspath(path)
    robots = parse_robotix(read_source(path, what="a RoboTiX robot file"), path=name)
    if length_unit is not None and not (math.isfinite(length_unit) and length_unit > 0):
        raise ValueError(f"length_unit must be a positive number of metres, got {length_unit}")
    if nodes is not None:
        scene, unit = SceneNodes(nodes), 1.0 if length_unit is None else length_unit
    else:
        if not nodes_path(path).exists():
            joint = robots[0].joints[0]
            raise BadFile(
                name,
                f"joint {joint.name!r}, but no scene to find it in",
                f"a file {nodes_path(path).name} beside this one that lists the scene's nodes",
                line=joint.place.line,
                column=joint.place.column,
            )
        scene, unit = load_nodes(nodes_path(path), length_unit=length_unit)
    movers = scene.movers({joint.name for robot in robots for joint in robot.joints})
    return tuple(
        find_meshes(
            _Builder(name, scene, unit, movers, robot).model(is_only=len(robots) == 1), path
        )
        for robot in robots
    )


@dataclass(frozen=True, eq=False)
class _Builder:
    path: str
    scene: SceneNodes
    unit: float
    movers: dict[str, str | None]  # by node, the joint that moves it
    robot: LegacyRobot

    def refuse(self, found: str, expected: str, *, place: TextPosition) -> NoReturn:
        raise BadFile(self.path, found, expected, line=place.line, column=place.column)

    def model(self, *, is_only: bool) -> Model:
        self.check_nodes()
        bodies = self.base()
        points = self.points(bodies[0].name, None) if bodies else {}
        parent = bodies[0].name if bodies else None
        for joint in self.robot.joints:
            bodies += self.link(joint, parent)
            points |= self.points(joint.name, joint.name)
            parent = joint.name
        stem = Path(self.path).stem
        try:
            return Model(
                stem if is_only else f"{stem}_{self.robot.number}",
                tuple(bodies),
                points=points,
                tip=self.tip(points),
                source=f"RoboTiX {PurePath(self.path).name}",
            )
        except ValueError as error:
            self.refuse(str(error), "a sound robot", place=self.robot.place)

    # -- the names of the file against the scene --------------------------------------------

    def check_nodes(self) -> None:
        before: str | None = None
        for joint in self.robot.joints:
            self.check_known(joint.name, joint.place)
            self.check_known(joint.axis, joint.axis_place)
            if self.scene.by_name[joint.axis].axis is None:
                found = f"node {joint.axis!r}, which is no axis"
                self.refuse(found, "a node with a direction (axis = …)", place=joint.axis_place)
            parent = self.scene.by_name[joint.name].parent
            above = None if parent is None else self.movers[parent]
            if above != before:
                found = f"joint {joint.name!r}, whose node hangs on {above or 'no joint'!r}"
                expected = f"a node inside {before!r}" if before else "a node outside all joints"
                self.refuse(found, f"{expected}: joints go from base to tip", place=joint.place)
            if self.movers[joint.axis] not in (before, joint.name):
                found = f"axis {joint.axis!r}, which is on another link"
                self.refuse(found, f"an axis beside joint {joint.name!r}", place=joint.axis_place)
            before = joint.name

    def check_known(self, name: str, place: TextPosition) -> None:
        if name not in self.scene.by_name:
            near = difflib.get_close_matches(name, list(self.scene.by_name), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            self.refuse(
                f"{name!r}, which the scene does not have", f"a scene node{hint}", place=place
            )

    # -- bodies -----------------------------------------------------------------------------

    @cached_property
    def root(self) -> str:
        """The outermost node above the robot."""
        return self.scene.root_of[self.robot.joints[0].name]

    @cached_property
    def riders(self) -> dict[str | None, list[SceneNode]]:
        """The nodes that each joint moves, and under None those of the robot's own base."""
        riders: dict[str | None, list[SceneNode]] = {}
        for name, node in self.scene.by_name.items():
            if self.scene.root_of[name] == self.root:
                riders.setdefault(self.movers[name], []).append(node)
        return riders

    def base(self) -> list[Body]:
        if self.movers[self.root] is not None:  # the first joint stands in the world
            return []
        taken = {joint.name for joint in self.robot.joints}
        name = f"{self.root}_fixed"
        while name in taken:
            name += "_"
        body = Body(self.root, Joint(name), placement=self.scene.world_from[self.root])
        return [self.with_shapes(body, None)]

    def link(self, joint: JointText, parent: str | None) -> list[Body]:
        """Return the body of a joint, after one that lies on the axis if need be."""
        here = self.scene.world_from[joint.name]
        above = Pose() if parent is None else self.scene.world_from[parent]
        axis = self.scene.by_name[joint.axis].axis
        assert axis is not None
        line = self.scene.world_from[joint.axis]
        direction = here.rotation.T @ line.rotation @ axis
        to_line = here.inverse().apply(line.translation)
        offset = to_line - direction * (direction @ to_line)  # from the node to the nearest point
        body = Body(joint.name, self.make_joint(joint, direction), parent, above.inverse() @ here)
        if not joint.is_revolute or np.linalg.norm(offset) < AXIS_TOLERANCE:
            return [self.with_shapes(body, joint.name)]
        turning = replace(
            body, name=f"{joint.name}.axis", placement=body.placement @ Pose(translation=offset)
        )
        body = Body(
            joint.name, Joint(f"{joint.name}.offset"), turning.name, Pose(translation=-offset)
        )
        return [turning, self.with_shapes(body, joint.name)]

    def make_joint(self, joint: JointText, axis: Array) -> Joint:
        scale = math.radians(1.0) if joint.is_revolute else self.unit
        lower, upper = infinite(joint.lower) * scale, infinite(joint.upper) * scale
        kind: JointKind = "revolute" if joint.is_revolute else "prismatic"
        return Joint(joint.name, kind, axis=axis, lower=lower, upper=upper)

    def seen_from(self, body: str, node: str) -> Pose:
        return self.scene.world_from[body].inverse() @ self.scene.world_from[node]

    def with_shapes(self, body: Body, mover: str | None) -> Body:
        """Give a body the shapes of all nodes that move with it."""
        shapes: list[Shape] = []
        for node in self.riders[mover]:
            pose = self.seen_from(body.name, node.name)
            shapes += [replace(shape, pose=pose @ shape.pose) for shape in node.shapes]
        visuals = tuple(Visual(shape) for shape in shapes)
        return replace(body, collision=tuple(shapes), visuals=visuals)

    def points(self, body: str, mover: str | None) -> dict[str, ControlPoint]:
        return {
            node.name: ControlPoint(body, self.seen_from(body, node.name))
            for node in self.riders[mover]
            if node.axis is None and node.name != body
        }

    def tip(self, points: dict[str, ControlPoint]) -> str:
        last = self.robot.joints[-1].name
        plain = [
            name
            for name, point in points.items()
            if point.body == last and not self.scene.by_name[name].shapes
        ]
        return plain[-1] if plain else last
