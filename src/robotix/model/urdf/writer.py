"""URDF out.

Control points become massless links on fixed joints. What has no limit is written as 1e9, which the
reader takes for infinity. A model with several roots, or with one that does not stand fixed at the
origin, is put under an extra link. Path joints and half-spaces are refused, or approximated on
request: a straight slide (see `straighten_paths`), a flat box of 100 m × 100 m × 1 m.
The tip, gravity, the inertia of drives and the source of the numbers have no place in URDF;
`lost_in_urdf` says what a model would lose.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from robotix.errors import BadModel
from robotix.files.xml_writer import add, make, to_text
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.model.body import Body
from robotix.model.joint import Joint
from robotix.model.mesh_files import with_addresses
from robotix.model.straighten import straighten_paths
from robotix.model.tree import Model
from robotix.model.unlimited import finite

__all__ = ["lost_in_urdf", "save_urdf", "to_urdf", "without_floors"]

HALFSPACE_SIZE = np.array([100.0, 100.0, 1.0])  # m, what stands for a half-space
GRAVITY = (0.0, 0.0, -9.81)  # m/s²: what readers of URDF assume
MIN_RATE = 1e-12  # a limit of zero would read as "not known"


def save_urdf(model: Model, path: str | os.PathLike[str], *, approximate: bool = False) -> None:
    """Write a model to a URDF file, which names meshes so that they are found from there."""
    text = to_urdf(with_addresses(model, Path(path).parent), approximate=approximate)
    Path(path).write_text(text, encoding="utf-8")


def without_floors(model: Model) -> Model:
    """Return a model without the half-spaces of bodies that never move."""
    still: set[str | None] = {None}
    bodies = []
    for body in model.bodies:
        if body.joint.kind == "fixed" and body.parent in still:
            still.add(body.name)
            solids = tuple(each for each in body.collision if not isinstance(each, Halfspace))
            seen = tuple(each for each in body.visuals if not isinstance(each.shape, Halfspace))
            body = replace(body, collision=solids, visuals=seen)
        bodies.append(body)
    return replace(model, bodies=tuple(bodies))


def lost_in_urdf(model: Model) -> tuple[str, ...]:
    """Return what of a model has no place in URDF, one text each."""
    texts = []
    if any(joint.armature for joint in model.joints):
        texts.append("the inertia of the drives (armature)")
    if not np.allclose(model.gravity, GRAVITY, rtol=0, atol=0.02):
        texts.append(f"the gravity {model.gravity.tolist()} m/s²")
    return tuple(texts)


def to_urdf(model: Model, *, approximate: bool = False) -> str:
    """Return a model as URDF text; what URDF cannot express is refused unless `approximate`."""
    model = straighten_paths(model, approximate=approximate, format_name="URDF")
    robot = make("robot", name=model.name)
    links = {body.name for body in model.bodies}
    joints = {body.joint.name for body in model.bodies}
    base = _claim("world", links) if _needs_base(model) else None
    if base is not None:
        add(robot, "link", name=base)
    for body in model.bodies:
        _add_link(robot, body, approximate=approximate)
        if base is not None and body.parent is not None and body.joint.kind == "floating":
            placement = model.body(body.parent).placement @ body.placement
            body = replace(body, parent=None, placement=placement)  # may hang on the root only
        parent = body.parent if body.parent is not None else base
        if parent is not None:
            _add_joint(robot, body, parent=parent)
    for name, point in model.points.items():
        link, joint = _claim(name, links), _claim(f"{name}_point", joints)
        add(robot, "link", name=link)
        fixed = add(robot, "joint", name=joint, type="fixed")
        _place_joint(fixed, point.pose, parent=point.body, child=link)
    return to_text(robot)


def _needs_base(model: Model) -> bool:
    roots = [body for body in model.bodies if body.parent is None]
    stands = np.array_equal(roots[0].placement.matrix, np.eye(4)) and roots[0].joint.kind == "fixed"
    return len(roots) > 1 or not stands


def _claim(wish: str, taken: set[str]) -> str:
    while wish in taken:
        wish += "_"
    taken.add(wish)
    return wish


def _add_origin(parent: ElementTree.Element, pose: Pose) -> None:
    add(parent, "origin", xyz=pose.translation, rpy=pose.rpy)


def _add_link(robot: ElementTree.Element, body: Body, *, approximate: bool) -> None:
    link = add(robot, "link", name=body.name)
    if body.mass or body.inertia.any():
        inertial = add(link, "inertial")
        add(inertial, "origin", xyz=body.com)
        add(inertial, "mass", value=body.mass)
        add(inertial, "inertia", **_six(body.inertia))
    for shape in body.collision:
        _add_shape(add(link, "collision"), shape, body=body, approximate=approximate)
    for i, visual in enumerate(body.visuals):
        element = add(link, "visual")
        _add_shape(element, visual.shape, body=body, approximate=approximate)
        material = add(element, "material", name=f"{body.name}_{i}")
        add(material, "color", rgba=visual.rgba)


def _six(inertia: Array) -> dict[str, float]:
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return {f"i{'xyz'[row]}{'xyz'[column]}": inertia[row, column] for row, column in places}


def _add_shape(parent: ElementTree.Element, shape: Shape, *, body: Body, approximate: bool) -> None:
    if isinstance(shape, Halfspace):
        if not approximate:
            problem = "has a half-space, which URDF cannot express; write with approximate=True"
            raise BadModel(f"body {body.name!r}", problem)
        shape = Box(HALFSPACE_SIZE, shape.pose @ Pose.at(0, 0, -HALFSPACE_SIZE[2] / 2))
    _add_origin(parent, shape.pose)
    geometry = add(parent, "geometry")
    match shape:
        case Box():
            add(geometry, "box", size=shape.size)
        case Sphere():
            add(geometry, "sphere", radius=shape.radius)
        case Cylinder():
            add(geometry, "cylinder", radius=shape.radius, length=shape.length)
        case Capsule():
            add(geometry, "capsule", radius=shape.radius, length=shape.length)
        case Mesh():
            add(geometry, "mesh", filename=shape.uri, scale=shape.scale)


def _add_joint(robot: ElementTree.Element, body: Body, *, parent: str) -> None:
    joint = body.joint
    endless = joint.kind == "revolute" and math.isinf(joint.lower) and math.isinf(joint.upper)
    element = add(robot, "joint", name=joint.name, type="continuous" if endless else joint.kind)
    _place_joint(element, body.placement, parent=parent, child=body.name)
    if joint.kind in ("fixed", "floating"):
        return
    add(element, "axis", xyz=joint.axis)
    stroke = {} if endless else {"lower": finite(joint.lower), "upper": finite(joint.upper)}
    add(element, "limit", **stroke, **_rates(joint))
    if joint.mimic:
        ratio, offset = joint.mimic.ratio, joint.mimic.offset
        add(element, "mimic", joint=joint.mimic.source, multiplier=ratio, offset=offset)


def _place_joint(joint: ElementTree.Element, pose: Pose, *, parent: str, child: str) -> None:
    _add_origin(joint, pose)
    add(joint, "parent", link=parent)
    add(joint, "child", link=child)


def _rates(joint: Joint) -> dict[str, float]:
    rates = {key: getattr(joint, key) for key in ("effort", "velocity", "acceleration")}
    if math.isinf(rates["acceleration"]):
        del rates["acceleration"]  # only the other two are required
    return {key: finite(max(rate, MIN_RATE)) for key, rate in rates.items()}
