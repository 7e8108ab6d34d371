"""Converts the description of a robot by the wizard to a model, with clear error messages.

The wizard describes the robot at q = 0: shapes, points and axes are given in the frame of the
robot. The frame of each body is parallel to it, with its origin at the joint of the body.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from robotix.errors import BadModel
from robotix.geometry import Array, Box, Capsule, Cylinder, Mesh, Pose, Shape, Sphere
from robotix.model import Body, ControlPoint, Joint, Model, Visual
from robotix.model.rates import DEFAULT_RATES
from robotix.server.wire.protocol import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    FileShape,
    SphereShape,
    WizardJoint,
    WizardPart,
    WizardRobot,
    WizardSolid,
)
from robotix.server.wizard.masses import DEFAULT_EFFORTS, solid_mass_properties

__all__ = ["MAX_PARTS", "TIP", "Bounds", "check_name", "make_model"]

Bounds = Mapping[str, tuple[Array, Array]]  # lowest and highest corner of each mesh, as in its file

MAX_PARTS = 100
MAX_SOLIDS = 50  # per part
MAX_DISTANCE = 1000.0  # m
MIN_BOX_SIDE = 1e-4  # m, of the collision box of a mesh
TIP = "tcp"  # recognised as the end-effector by URDF readers
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}", re.ASCII)


def make_model(robot: WizardRobot, *, bounds: Bounds | None = None) -> Model:
    """Return the model; raise BadModel or ValueError if the description is invalid.

    The path of a mesh is `NAME_meshes/FILE`; for collisions its bounding box, from `bounds`, is
    used.
    """
    check_name("robot", robot.name)
    if not 1 <= len(robot.parts) <= MAX_PARTS:
        raise BadModel("robot", f"has {len(robot.parts)} parts; give it 1 to {MAX_PARTS}")
    origins = _origins(robot.parts)
    bodies = [
        _body(part, robot=robot.name, origins=origins, bounds=bounds or {}) for part in robot.parts
    ]
    points = {}
    if robot.tip is not None:
        if robot.tip.part not in origins:
            raise BadModel("end-effector", f"is on unknown part {robot.tip.part!r}; choose another")
        place = _vector("end-effector", robot.tip.point) - origins[robot.tip.part]
        points[TIP] = ControlPoint(robot.tip.part, Pose(translation=place))
    tip = TIP if points else _last(robot.parts)
    return Model(robot.name, tuple(bodies), points=points, tip=tip, source="made in the wizard")


def check_name(what: str, name: str) -> None:
    """Raise BadModel unless a name is valid in files, scenes and commands."""
    if not _NAME.fullmatch(name):
        raise BadModel(
            f"{what} {name[:60]!r}",
            "must have a name of a letter, then letters, digits, _ or -, at most 40; rename it",
        )


def _origins(parts: Sequence[WizardPart]) -> dict[str, Array]:
    """Return the origin of each part in the robot's frame; raise BadModel without a parent."""
    base = [part.name for part in parts if part.held is None]
    if len(base) != 1:
        found = ", ".join(base) or "none"
        raise BadModel("robot", f"needs exactly one part without a joint, its base; it has {found}")
    origins: dict[str, Array] = {}
    for part in parts:
        check_name("part", part.name)
        if part.name in origins or part.name == TIP:
            raise BadModel(f"part {part.name!r}", "has a name that is used twice; rename it")
        at = np.zeros(3) if part.held is None else _vector(f"part {part.name!r}", part.held.point)
        origins[part.name] = at
    for part in parts:
        if part.held is not None and part.held.parent not in origins:
            problem = f"has the unknown parent {part.held.parent!r}; choose another"
            raise BadModel(f"part {part.name!r}", problem)
    return origins


def _body(part: WizardPart, *, robot: str, origins: Mapping[str, Array], bounds: Bounds) -> Body:
    if len(part.solids) > MAX_SOLIDS:
        raise BadModel(f"part {part.name!r}", f"has more than {MAX_SOLIDS} shapes; split it")
    origin = origins[part.name]
    visuals = tuple(_visual(solid, part, origin=origin, robot=robot) for solid in part.solids)
    collision = tuple(
        _collides(visual.shape, solid, bounds=bounds)
        for visual, solid in zip(visuals, part.solids, strict=True)
    )
    if part.held is None:
        base = Joint("base joint")  # with a space, which names in the wizard cannot have
        return Body(
            part.name, base, None, Pose(), *solid_mass_properties(collision), collision, visuals
        )
    placement = Pose(translation=origin - origins[part.held.parent])
    return Body(
        part.name,
        _joint(part.held),
        part.held.parent,
        placement,
        *solid_mass_properties(collision),
        collision,
        visuals,
    )


def _joint(held: WizardJoint) -> Joint:
    what = f"joint {held.joint!r}"
    check_name("joint", held.joint)
    if held.type == "fixed":
        return Joint(held.joint)
    lower = -math.inf if held.lower is None else held.lower
    upper = math.inf if held.upper is None else held.upper
    if lower >= upper:
        raise BadModel(
            what, f"has limits from {lower:g} to {upper:g}; the lower must be less than the upper"
        )
    if held.type == "prismatic" and not (math.isfinite(lower) and math.isfinite(upper)):
        raise BadModel(what, "is prismatic and unlimited; give it both limits")
    if held.velocity is not None and held.velocity <= 0:
        raise BadModel(what, f"has velocity {held.velocity:g}; it must be positive")
    velocity = DEFAULT_RATES[held.type] if held.velocity is None else held.velocity
    axis = _vector(what, held.axis)
    effort = DEFAULT_EFFORTS[held.type]
    return Joint(held.joint, held.type, axis, lower, upper, velocity, effort=effort)


# -- shapes -----------------------------------------------------------------------------------


def _visual(solid: WizardSolid, part: WizardPart, *, origin: Array, robot: str) -> Visual:
    what = f"a shape of part {part.name!r}"
    x, y, z, w = solid.quaternion
    if not 0.5 < math.hypot(x, y, z, w) < 2.0:
        raise BadModel(what, f"has quaternion {solid.quaternion}, which is not a unit quaternion")
    if not all(0 <= value <= 1 for value in solid.colour):
        raise BadModel(what, f"has colour {solid.colour}; each number must be in 0 to 1")
    pose = Pose.from_quaternion(_vector(what, solid.position) - origin, (w, x, y, z))
    return Visual(_shape(solid, pose, what=what, robot=robot), (*solid.colour, 1.0))


def _shape(solid: WizardSolid, pose: Pose, *, what: str, robot: str) -> Shape:
    try:
        match solid.shape:
            case BoxShape(size=size):
                return Box(_vector(what, size), pose)
            case SphereShape(radius=radius):
                return Sphere(_length(what, radius), pose)
            case CylinderShape(radius=radius, length=length):
                return Cylinder(_length(what, radius), _length(what, length), pose)
            case CapsuleShape(radius=radius, length=length):
                return Capsule(_length(what, radius), _length(what, length), pose)
            case FileShape(file=file, scale=scale):
                size = (_length(what, scale),) * 3
                return Mesh(f"{robot}_meshes/{file}", size, pose)
    except BadModel:
        raise
    except ValueError as error:
        raise BadModel(what, str(error)) from None


def _collides(shape: Shape, solid: WizardSolid, *, bounds: Bounds) -> Shape:
    """Return the collision shape: the shape itself, or the bounding box of a mesh."""
    if not isinstance(shape, Mesh) or not isinstance(solid.shape, FileShape):
        return shape
    if solid.shape.file not in bounds:
        raise BadModel(f"mesh {solid.shape.file!r}", "is missing; add the file again")
    low, high = (shape.scale[0] * corner for corner in bounds[solid.shape.file])
    if max(abs(low).max(), abs(high).max()) > MAX_DISTANCE:
        raise BadModel(
            f"mesh {solid.shape.file!r}",
            f"extends beyond {MAX_DISTANCE:g} m; choose another unit (mm?)",
        )
    middle = Pose(translation=(low + high) / 2)
    return Box(np.maximum(high - low, MIN_BOX_SIDE), shape.pose @ middle)


def _vector(what: str, values: Sequence[float]) -> Array:
    if not all(abs(value) <= MAX_DISTANCE for value in values):
        raise BadModel(what, f"has position {tuple(values)}; it must be within {MAX_DISTANCE:g} m")
    return np.array(values, dtype=float)


def _length(what: str, value: float) -> float:
    if not 0 < value <= MAX_DISTANCE:
        raise BadModel(what, f"has length {value:g}; it must be in 0 to {MAX_DISTANCE:g} m")
    return value


def _last(parts: Sequence[WizardPart]) -> str:
    """Return the part with most joints to the base; the last of several."""
    parents = {part.name: part.held.parent if part.held else None for part in parts}

    def depth(name: str | None) -> int:
        steps = 0
        while name is not None and steps <= len(parts):  # loops are rejected by the model
            name, steps = parents[name], steps + 1
        return steps

    return max(reversed(parts), key=lambda part: depth(part.name)).name
