"""The scene nodes that a RoboTiX robot is hung on, and the file that can list them.

A scene graph holds, in the node of each joint, the geometry of its link, the node of the next joint
and the axis of the next joint. Here a node has a pose in its parent; one that is an axis has a
direction too, along a line through its origin.

Without a scene, the nodes are read from a file `NAME.nodes.toml` beside `NAME.cfg`:

    length_unit = 0.001          # m; for this file and the .cfg; 1 when left out

    [[node]]
    name = "axis_1"
    parent = "base"              # left out: the node stands in the world
    xyz = [0.0, 0.0, 300.0]
    rpy_deg = [0.0, 0.0, 90.0]
    axis = [0.0, 0.0, 1.0]       # only for axes

    [[node.shape]]               # box, sphere, cylinder, capsule, mesh or halfspace
    kind = "box"
    size = [100.0, 100.0, 300.0]
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from robotix.errors import BadFile, BadModel
from robotix.files.source_file import read_text
from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.model.tree import MAX_BODIES

__all__ = ["SceneNode", "SceneNodes", "load_nodes", "nodes_path"]

MAX_NUMBER = 1e6  # of any number in the file: a kilometre in mm
MAX_NODES = 10 * MAX_BODIES
SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh", "halfspace")


@dataclass(frozen=True, eq=False)
class SceneNode:
    """A node of a scene graph, as far as a robot is concerned; lengths in m."""

    name: str
    parent: str | None = None  # None: stands in the world
    pose: Pose = field(default_factory=Pose)  # parent_from_node, with all joints at zero
    axis: Array | None = None  # direction of the line through the origin; None: not an axis
    shapes: tuple[Shape, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            raise BadModel("scene node", "has an empty name")
        if self.axis is None:
            return
        axis = np.array(self.axis, dtype=float)
        if axis.shape != (3,) or not np.isfinite(axis).all():
            raise BadModel(f"scene node {self.name!r}", f"axis {self.axis!r} is not three numbers")
        if not 1e-9 < np.linalg.norm(axis) < 1e9:
            raise BadModel(f"scene node {self.name!r}", "has an axis without direction")
        object.__setattr__(self, "axis", axis / np.linalg.norm(axis))


class SceneNodes:
    """Nodes by name; they form trees."""

    def __init__(self, nodes: Iterable[SceneNode]) -> None:
        listed = list(nodes)
        _check_trees(listed, _refuse_node)
        self.by_name: Mapping[str, SceneNode] = {node.name: node for node in listed}
        self.world_from: dict[str, Pose] = {}  # with all joints at zero
        self.root_of: dict[str, str] = {}
        for node in _parents_first(listed):
            above = Pose() if node.parent is None else self.world_from[node.parent]
            self.world_from[node.name] = above @ node.pose
            self.root_of[node.name] = (
                node.name if node.parent is None else self.root_of[node.parent]
            )

    def movers(self, joints: Collection[str]) -> dict[str, str | None]:
        """Return what moves each node: the nearest upwards among `joints`, None on a base."""
        movers: dict[str, str | None] = {}
        for name in self.world_from:  # parents first
            parent = self.by_name[name].parent
            movers[name] = name if name in joints else movers[parent] if parent else None
        return movers


def _parents_first(nodes: list[SceneNode]) -> Iterator[SceneNode]:
    children: dict[str | None, list[SceneNode]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node)
    waiting = list(reversed(children.get(None, [])))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(children.get(node.name, [])))


def _refuse_node(index: int, key: str, found: str, expected: str) -> NoReturn:
    raise BadModel(f"scene node {index + 1}", f"{found}; expected {expected}")


def _check_trees(nodes: list[SceneNode], refuse: Callable[[int, str, str, str], NoReturn]) -> None:
    first = {node.name: i for i, node in reversed(list(enumerate(nodes)))}
    for i, node in enumerate(nodes):
        if first[node.name] != i:
            refuse(i, "name", f"a second node {node.name!r}", "another name")
        if node.parent is not None and node.parent not in first:
            near = difflib.get_close_matches(node.parent, list(first), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            refuse(i, "parent", f"unknown parent {node.parent!r}", f"the name of a node{hint}")
    sound: set[str] = set()
    for i, node in enumerate(nodes):
        row, step = {node.name}, node
        while step.parent is not None and step.name not in sound:
            step = nodes[first[step.parent]]
            if step.name in row:
                refuse(i, "parent", f"a closed loop through {step.name!r}", "a tree of nodes")
            row.add(step.name)
        sound |= row


# -- the file -------------------------------------------------------------------------------


def nodes_path(path: str | os.PathLike[str]) -> Path:
    """Return where the nodes of a robot file are looked for."""
    return Path(path).with_suffix(".nodes.toml")


def load_nodes(
    path: str | os.PathLike[str], *, length_unit: float | None = None
) -> tuple[SceneNodes, float]:
    """Read a file of nodes; return them and the unit of length, which `length_unit` overrides."""
    text = read_text(path, what="a list of scene nodes")
    top = parse_toml(text, path=os.fspath(path))
    top.only("length_unit", "node")
    unit = top.number("length_unit", 1.0, low=1e-6, high=1e3)
    unit = unit if length_unit is None else length_unit
    tables = top.tables("node", most=MAX_NODES)
    nodes = [_read_node(table, unit) for table in tables]
    _check_trees(nodes, lambda i, key, found, expected: tables[i].refuse(key, found, expected))
    return SceneNodes(nodes), unit


def _read_node(table: TomlTable, unit: float) -> SceneNode:
    table.only("name", "parent", "xyz", "rpy_deg", "axis", "shape")
    shapes = table.tables("shape", most=100) if "shape" in table else []
    axis = table.numbers("axis", (3,))
    try:
        return SceneNode(
            table.text_of("name"),
            table.text_of("parent") if "parent" in table else None,
            _read_pose(table, unit),
            None if axis is None else np.array(axis),
            tuple(_read_shape(shape, unit) for shape in shapes),
        )
    except BadModel as error:
        table.refuse("axis", str(error), "three numbers, not all zero")


def _read_pose(table: TomlTable, unit: float) -> Pose:
    xyz = table.numbers("xyz", (3,), low=-MAX_NUMBER, high=MAX_NUMBER) or (0.0, 0.0, 0.0)
    angles = table.numbers("rpy_deg", (3,)) or (0.0, 0.0, 0.0)
    x, y, z = (unit * value for value in xyz)
    return Pose.at(x, y, z, rpy=[math.radians(angle) for angle in angles])


def _read_shape(table: TomlTable, unit: float) -> Shape:
    kind = table.choice("kind", SHAPES, "")
    pose = _read_pose(table, unit)
    place = ("kind", "xyz", "rpy_deg")
    if kind == "halfspace":
        table.only(*place)
        return Halfspace(pose)
    try:
        if kind == "mesh":
            table.only(*place, "file", "scale")
            x, y, z = table.numbers("scale", (3,), low=-MAX_NUMBER, high=MAX_NUMBER) or (
                1.0,
                1.0,
                1.0,
            )
            return Mesh(table.text_of("file"), (unit * x, unit * y, unit * z), pose)
        return _read_solid(table, kind, unit=unit, pose=pose)
    except BadFile:
        raise
    except ValueError as error:
        table.refuse("kind", str(error), f"a {kind} of positive size")


def _read_solid(table: TomlTable, kind: str, *, unit: float, pose: Pose) -> Shape:
    keys = {"box": ("size",), "sphere": ("radius",)}.get(kind, ("radius", "length"))
    table.only("kind", "xyz", "rpy_deg", *keys)
    if kind == "box":
        size = table.numbers("size", (3,), low=0, high=MAX_NUMBER)
        if size is None:
            table.refuse(None, "a box without size", "size = [x, y, z]")
        return Box(unit * np.array(size), pose)
    radius = unit * table.number("radius", low=0, high=MAX_NUMBER)
    if kind == "sphere":
        return Sphere(radius, pose)
    length = unit * table.number("length", low=0, high=MAX_NUMBER)
    return (Cylinder if kind == "cylinder" else Capsule)(radius, length, pose)
