"""MJCF out.

Every body becomes a body with at most one joint, control points become sites, mimics joint
equalities. Approximated without asking, as MuJoCo accepts nothing else and the effect is small:

- a moving body without mass gets 1e-9 kg, so that the model can be simulated;
- an inertia that no solid can have is moved to the nearest that one can;
- a stroke of zero length is opened by 1e-9, a limit on one side only gets 1e9 on the other.

Path joints are refused, or on request approximated (see `straighten_paths`). Velocity and
acceleration limits, the tip and the source of the numbers have no place in MJCF.

Meshes are named by the paths at which they were found. MuJoCo reads STL, OBJ and MSH; meshes of
other formats are left out, as are those of packages that were not found, and all of them with
`meshes=False`. `lost_in_mjcf` says what a model would lose.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from robotix.errors import BadModel
from robotix.files.xml_writer import XmlValue, add, make, to_text
from robotix.geometry import (
    Box,
    Capsule,
    Cylinder,
    Halfspace,
    Mesh,
    Pose,
    Shape,
    Sphere,
    quaternion_from_rotation,
)
from robotix.model.body import Body
from robotix.model.inertial import MIN_MASS, physical_moments
from robotix.model.joint import Joint
from robotix.model.straighten import straighten_paths
from robotix.model.tree import Model
from robotix.model.unlimited import finite

__all__ = ["lost_in_mjcf", "save_mjcf", "to_mjcf"]

MIN_STROKE = 1e-9
MAX_NESTING = 450  # MuJoCo's XML reader gives up at 500
MESH_SUFFIXES = (".stl", ".obj", ".msh")  # of meshes that MuJoCo reads
MAX_SHOWN = 3  # names of meshes in a message
_PACKAGED = re.compile(r"\w\w+:|\$\(")  # package://…, model://…, $(find …)/…
COLLISION: dict[str, XmlValue] = {"group": "3"}  # not shown by default
VISUAL: dict[str, XmlValue] = {"group": "2", "contype": "0", "conaffinity": "0"}


def save_mjcf(
    model: Model, path: str | os.PathLike[str], *, approximate: bool = False, meshes: bool = True
) -> None:
    """Write a model to an MJCF file."""
    text = to_mjcf(model, approximate=approximate, meshes=meshes)
    Path(path).write_text(text, encoding="utf-8")


def to_mjcf(model: Model, *, approximate: bool = False, meshes: bool = True) -> str:
    """Return a model as MJCF text; what MJCF cannot express is refused unless `approximate`."""
    model = straighten_paths(model, approximate=approximate, format_name="MJCF")
    root = make("mujoco", model=model.name)
    add(root, "compiler", angle="radian", inertiafromgeom="false")
    add(root, "option", gravity=model.gravity)
    shapes = _ShapeWriter(add(root, "asset") if meshes else None)
    world = add(root, "worldbody")
    elements: dict[str, ElementTree.Element] = {}
    depth: dict[str, int] = {}
    for body in model.bodies:
        depth[body.name] = 1 + (depth[body.parent] if body.parent is not None else 0)
        if depth[body.name] > MAX_NESTING:
            raise BadModel(f"body {body.name!r}", f"lies deeper than {MAX_NESTING} bodies for MJCF")
        elements[body.name] = _add_body(world, body, elements=elements, model=model)
        shapes.write(elements[body.name], body)
    for name, point in model.points.items():
        add(elements[point.body], "site", name=name, **_pose(point.pose))
    _add_mimics(root, model)
    return to_text(root)


def lost_in_mjcf(model: Model) -> tuple[str, ...]:
    """Return what of a model has no place in MJCF, one text each."""
    shapes = [shape for body in model.bodies for shape in body.collision]
    shapes += [visual.shape for body in model.bodies for visual in body.visuals]
    lost = {shape.uri: None for shape in shapes if isinstance(shape, Mesh) and not _opens(shape)}
    texts = []
    if lost:
        names = ", ".join(list(lost)[:MAX_SHOWN]) + (", …" if len(lost) > MAX_SHOWN else "")
        count = f"{len(lost)} mesh{'es' * (len(lost) > 1)}"
        texts.append(f"{count} that MuJoCo cannot open (it reads STL, OBJ and MSH): {names}")
    moving = [joint for joint in model.joints if joint.kind != "fixed" and joint.mimic is None]
    if any(math.isfinite(min(joint.velocity, joint.acceleration)) for joint in moving):
        texts.append("limits of joint velocities and accelerations")
    return tuple(texts)


def _opens(mesh: Mesh) -> bool:
    """Return whether MuJoCo can open a mesh: by its format, and not by the name of a package."""
    return mesh.path.lower().endswith(MESH_SUFFIXES) and not _PACKAGED.match(mesh.path)


def _add_body(
    world: ElementTree.Element,
    body: Body,
    *,
    elements: dict[str, ElementTree.Element],
    model: Model,
) -> ElementTree.Element:
    if body.name == "world":
        stands = body.parent is None and body.joint.kind == "fixed" and not body.mass
        if not stands or not np.array_equal(body.placement.matrix, np.eye(4)):
            problem = "moves or weighs something; MJCF keeps that name for the ground: rename it"
            raise BadModel("body 'world'", problem)
        return world
    placement, parent = body.placement, world
    if body.parent is not None and body.joint.kind == "floating":  # only right under the world
        placement = model.body(body.parent).placement @ placement
    elif body.parent is not None:
        parent = elements[body.parent]
    element = add(parent, "body", name=body.name, **_pose(placement))
    _add_joint(element, body.joint)
    _add_inertial(element, body)
    return element


def _pose(pose: Pose) -> dict[str, XmlValue]:
    values: dict[str, XmlValue] = {}
    if pose.translation.any():
        values["pos"] = pose.translation
    if not np.array_equal(pose.rotation, np.eye(3)):
        values["quat"] = pose.quaternion
    return values


def _add_joint(parent: ElementTree.Element, joint: Joint) -> None:
    if joint.kind == "fixed":
        return
    if joint.kind == "floating":
        if joint.armature:
            add(parent, "joint", name=joint.name, type="free", armature=joint.armature)
        else:
            add(parent, "freejoint", name=joint.name)
        return
    limits: dict[str, XmlValue] = {}
    if not (math.isinf(joint.lower) and math.isinf(joint.upper)):
        lower, upper = finite(joint.lower), finite(joint.upper)
        if upper - lower < 2 * MIN_STROKE:
            lower, upper = lower - MIN_STROKE, upper + MIN_STROKE
        limits["range"] = (lower, upper)
    if 0 < joint.effort < math.inf:
        limits["actuatorfrcrange"] = (-joint.effort, joint.effort)
    if joint.armature:
        limits["armature"] = joint.armature
    kind = "hinge" if joint.kind == "revolute" else "slide"
    add(parent, "joint", name=joint.name, type=kind, axis=joint.axis, **limits)


def _add_inertial(parent: ElementTree.Element, body: Body) -> None:
    moves = body.joint.kind != "fixed"
    if not (body.mass or body.inertia.any() or moves):
        return
    moments, axes = physical_moments(body.inertia)
    add(
        parent,
        "inertial",
        pos=body.com,
        quat=quaternion_from_rotation(axes),
        mass=max(body.mass, MIN_MASS),
        diaginertia=moments,
    )


def _add_mimics(root: ElementTree.Element, model: Model) -> None:
    tied = [joint for joint in model.joints if joint.mimic]
    equality = add(root, "equality") if tied else root
    for joint in tied:
        assert joint.mimic is not None
        law = (joint.mimic.offset, joint.mimic.ratio, 0, 0, 0)
        add(equality, "joint", joint1=joint.name, joint2=joint.mimic.source, polycoef=law)


class _ShapeWriter:
    """Writes shapes, and keeps the list of meshes that they use."""

    def __init__(self, asset: ElementTree.Element | None) -> None:
        self.asset = asset  # None: leave meshes out
        self.meshes: dict[tuple[str, tuple[float, ...]], str] = {}

    def write(self, parent: ElementTree.Element, body: Body) -> None:
        for shape in body.collision:
            self.geom(parent, shape, owner=body.name, values={**COLLISION})
        for visual in body.visuals:
            values = {**VISUAL, "rgba": visual.rgba}
            self.geom(parent, visual.shape, owner=body.name, values=values)

    def geom(
        self, parent: ElementTree.Element, shape: Shape, *, owner: str, values: dict[str, XmlValue]
    ) -> None:
        match shape:
            case Halfspace():
                if parent.tag != "worldbody":
                    problem = "has a half-space; in MJCF only the ground (body 'world') may"
                    raise BadModel(f"body {owner!r}", problem)
                values |= {"type": "plane", "size": (0, 0, 1)}
            case Sphere():
                values |= {"type": "sphere", "size": shape.radius}
            case Capsule():
                values |= {"type": "capsule", "size": (shape.radius, shape.length / 2)}
            case Cylinder():
                values |= {"type": "cylinder", "size": (shape.radius, shape.length / 2)}
            case Box():
                values |= {"type": "box", "size": shape.size / 2}
            case Mesh():
                if self.asset is None or not _opens(shape):
                    return
                values |= {"type": "mesh", "mesh": self.mesh(shape)}
        add(parent, "geom", **_pose(shape.pose), **values)

    def mesh(self, shape: Mesh) -> str:
        key = (shape.path, shape.scale)
        if key not in self.meshes:
            assert self.asset is not None
            self.meshes[key] = f"mesh_{len(self.meshes)}"
            add(self.asset, "mesh", name=self.meshes[key], file=shape.path, scale=shape.scale)
        return self.meshes[key]
