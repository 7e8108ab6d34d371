"""Writing legacy RoboTiX files: the robot file, and the file of scene nodes that goes beside it.

A RoboTiX robot is one open chain of revolute and prismatic joints with limits. Bodies on fixed
joints and control points become plain nodes; a body whose name is not its joint's becomes one too,
so that it is still found by name. Masses, rates and colours are not written, nor is what is drawn
on a body that has something else to collide with.
Path joints are refused, or on request approximated (see `straighten_paths`).
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from robotix.errors import BadModel
from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.model.body import Body
from robotix.model.joint import Joint
from robotix.model.legacy.scene_file import SceneNode, nodes_path
from robotix.model.straighten import straighten_paths
from robotix.model.tree import Model
from robotix.model.unlimited import finite

__all__ = ["save_robotix", "to_robotix"]

_NAME = re.compile(r"[!-~]+", re.ASCII)


def save_robotix(
    models: Sequence[Model], path: str | os.PathLike[str], *, approximate: bool = False
) -> None:
    """Write models to a RoboTiX file, and their nodes to `NAME.nodes.toml` beside it."""
    robots, nodes = to_robotix(models, approximate=approximate)
    Path(path).write_text(robots, encoding="ascii")
    nodes_path(path).write_text(nodes, encoding="utf-8")


def to_robotix(models: Sequence[Model], *, approximate: bool = False) -> tuple[str, str]:
    """Return models as the texts of a robot file and of a file of nodes; lengths in m."""
    if not models:
        raise ValueError("a RoboTiX file needs at least one model")
    robots: list[str] = []
    nodes: list[str] = []
    taken: set[str] = set()
    for number, given in enumerate(models, start=1):
        model = straighten_paths(given, approximate=approximate, format_name="RoboTiX")
        _check_chain(model)
        names = _node_names(model, taken)
        joints = [_joint_text(body, names) for body in model.bodies if body.joint.kind != "fixed"]
        robots.append(f"ROBOT = {number}\n{{\n{''.join(joints)}}}\n")
        nodes += [_node_text(node) for node in _nodes(model, names, taken)]
    return "\n".join(robots), "length_unit = 1.0\n\n" + "\n".join(nodes)


def _check_chain(model: Model) -> None:
    """Raise BadModel unless the model is one open chain of revolute and prismatic joints."""
    last: dict[str | None, str | None] = {None: None}  # by body, the last moving one up to it
    moving: str | None = None
    for body in model.bodies:
        last[body.name] = last[body.parent]
        joint, part = body.joint, f"joint {body.joint.name!r}"
        if joint.kind == "fixed":
            continue
        if joint.kind == "floating" or joint.mimic:
            what = "mimics another" if joint.mimic else "floats"
            raise BadModel(part, f"{what}, which the RoboTiX format cannot express")
        if last[body.parent] != moving:
            raise BadModel(part, "starts a branch; the RoboTiX format has single chains only")
        moving = last[body.name] = body.name
    if moving is None:
        raise BadModel(
            f"model {model.name!r}", "has no joint that moves; a RoboTiX robot needs one"
        )


def _claim(name: str, taken: set[str]) -> str:
    if not _NAME.fullmatch(name) or set("{}=#") & set(name):
        raise BadModel(f"name {name!r}", "is not plain ASCII without blanks and { } = #; rename it")
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _node_names(model: Model, taken: set[str]) -> dict[str, str]:
    """Return the node of each body: its joint's name if that moves, else its own."""
    names = {}
    for body in sorted(model.bodies, key=lambda body: body.joint.kind == "fixed"):
        name = body.name if body.joint.kind == "fixed" else body.joint.name
        if name in taken and body.joint.kind != "fixed":
            raise BadModel(f"joint {name!r}", "has a name that is taken; see Model.prefixed")
        names[body.name] = _claim(name, taken)
    return names


def _joint_text(body: Body, names: dict[str, str]) -> str:
    joint = body.joint
    is_revolute = joint.kind == "revolute"
    lower, upper = (_in_file(joint, limit) for limit in (joint.lower, joint.upper))
    return (
        f"  JOINT {names[body.name]}\n  {{\n"
        f"    AXIS = {_axis_name(body, names)}\n"
        f"    TYPE = {1 if is_revolute else 2}\n"
        f"    QMIN = {lower!r}\n    QMAX = {upper!r}\n  }}\n"
    )


def _in_file(joint: Joint, limit: float) -> float:
    return finite(math.degrees(limit) if joint.kind == "revolute" else limit)


def _axis_name(body: Body, names: dict[str, str]) -> str:
    return f"{names[body.name]}:axis"


def _nodes(model: Model, names: dict[str, str], taken: set[str]) -> list[SceneNode]:
    nodes = []
    for body in model.bodies:
        parent = None if body.parent is None else names[body.parent]
        moves = body.joint.kind != "fixed"
        if moves:
            axis = _claim(_axis_name(body, names), taken)
            nodes.append(SceneNode(axis, parent, body.placement, body.joint.axis))
        shapes = body.collision or tuple(visual.shape for visual in body.visuals)
        nodes.append(SceneNode(names[body.name], parent, body.placement, None, shapes))
        if moves and body.name not in taken:
            nodes.append(SceneNode(_claim(body.name, taken), names[body.name]))
    ordered = sorted(model.points.items(), key=lambda item: item[0] == model.tip)
    for name, point in ordered:  # the tip last, which makes it the tip again
        nodes.append(SceneNode(_claim(name, taken), names[point.body], point.pose))
    return nodes


# -- TOML -----------------------------------------------------------------------------------


def _node_text(node: SceneNode) -> str:
    lines = ["[[node]]", f"name = {_quoted(node.name)}"]
    if node.parent is not None:
        lines.append(f"parent = {_quoted(node.parent)}")
    lines += _pose_lines(node.pose)
    if node.axis is not None:
        lines.append(f"axis = {_listed(node.axis)}")
    for shape in node.shapes:
        lines += ["", "[[node.shape]]", *_shape_lines(shape), *_pose_lines(shape.pose)]
    return "\n".join(lines) + "\n"


def _pose_lines(pose: Pose) -> list[str]:
    angles = [math.degrees(angle) for angle in pose.rpy]
    return [f"xyz = {_listed(pose.translation)}", f"rpy_deg = {_listed(angles)}"]


def _shape_lines(shape: Shape) -> list[str]:
    kind = f'kind = "{type(shape).__name__.lower()}"'
    match shape:
        case Box():
            return [kind, f"size = {_listed(shape.size)}"]
        case Sphere():
            return [kind, f"radius = {shape.radius!r}"]
        case Cylinder() | Capsule():
            return [kind, f"radius = {shape.radius!r}", f"length = {shape.length!r}"]
        case Mesh():
            return [kind, f"file = {_quoted(shape.uri)}", f"scale = {_listed(shape.scale)}"]
        case Halfspace():
            return [kind]


def _listed(values: Iterable[float]) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
