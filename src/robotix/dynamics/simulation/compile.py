"""From a `World` to a compiled model of MuJoCo, without a file in between.

- A free or driven object is a body with a free joint. A driven one weighs so much that nothing
  pushes it noticeably, and has no gravity; `Simulation` sets its pose and velocity before a step,
  so that friction carries along what lies on it.
- A body of a mechanism is a body with the same frame and at most one joint; floating roots, and
  bodies whose joint was cut, have a free joint and hang on the world.
- A mimic is an equality of joints; connections wait as inactive equalities (`Settings.slots`).
- Mass properties are those of the model. MuJoCo accepts no moving body without mass and no
  inertia that a solid cannot have; such are raised to the nearest accepted value.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from itertools import combinations
from typing import TypeAlias

import mujoco
import numpy as np

from robotix.dynamics.simulation.bounce import CONTACT_IMPEDANCE, contact_solref
from robotix.dynamics.simulation.parts import ContactSurface, Mechanism, RigidObject, World
from robotix.dynamics.simulation.settings import Settings
from robotix.errors import BadModel
from robotix.geometry import (
    Array,
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
from robotix.model import Body
from robotix.model.inertial import MIN_MASS, physical_moments
from robotix.model.joint import Joint
from robotix.model.unlimited import finite

__all__ = [
    "DRIVEN_MASS",
    "MeshLoader",
    "Triangles",
    "compile_world",
    "slider_names",
    "slot_name",
]

DRIVEN_MASS = 1e7  # kg; pushed by 10⁴ N for a step of 1 ms it gains 1 µm/s, and is set back
MIN_STROKE = 1e-9  # m or rad
# A pair collides if the type of one is in the affinity of the other: what is free with everything,
# what is static or driven only with what is free.
FREE_TYPE, FIXED_TYPE = 1, 2
FREE_AFFINITY, FIXED_AFFINITY = FREE_TYPE | FIXED_TYPE, 0
CONTACT_DIMENSIONS = 6  # normal, two of sliding, torsion, two of rolling
STIFF_IMPEDANCE = (0.9999, 0.9999, 0.001, 0.5, 2.0)  # of connections: almost rigid
PARKED_SLIDER_MASS, PARKED_SLIDER_INERTIA = 1e-6, 1e-9  # kg, kg m²; see `connections`

LOG = logging.getLogger(__name__)
# By default MuJoCo writes its warnings into a file in the working folder. What diverges is raised
# by `Simulation.step`, so they are for debugging only.
mujoco.set_mju_user_warning(LOG.debug)

Triangles: TypeAlias = tuple[Array, Array]  # vertices (n, 3) in m, and faces (k, 3)
MeshLoader: TypeAlias = Callable[[Mesh], list[Triangles]]  # convex parts


def compile_world(
    world: World, settings: Settings, meshes: MeshLoader | None = None
) -> mujoco.MjModel:
    """Return the compiled model; meshes without a loader do not collide."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    _set_options(spec, world, settings)
    writer = _Writer(spec, settings, meshes)
    for each in world.objects:
        writer.add_object(each)
    for mechanism in world.mechanisms:
        writer.add_mechanism(mechanism)
    writer.add_slots()
    try:
        return spec.compile()
    except ValueError as error:
        raise BadModel("world", f"cannot be simulated: {error}") from error


def slot_name(k: int) -> str:
    """Return the name of the k-th equality that connections may use."""
    return f"slot {k}"


def slider_names(k: int) -> tuple[str, str]:
    """Return the names of the two bodies, and of their joints, of the k-th slider."""
    return f"slider {k} rail", f"slider {k} carriage"


def _set_options(spec: mujoco.MjSpec, world: World, settings: Settings) -> None:
    option = spec.option
    option.gravity = world.gravity
    option.timestep = settings.dt
    option.integrator = {
        "rk4": mujoco.mjtIntegrator.mjINT_RK4,
        "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    }[settings.integrator]
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC  # friction without preferred directions
    option.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET  # what diverges is reported


class _Writer:
    """Writes parts into a specification of MuJoCo."""

    def __init__(self, spec: mujoco.MjSpec, settings: Settings, meshes: MeshLoader | None) -> None:
        self.spec, self.settings, self.meshes = spec, settings, meshes
        self.mesh_names: dict[tuple[str, tuple[float, ...]], list[str]] = {}
        self.first_body = ""

    # -- objects ----------------------------------------------------------------------------

    def add_object(self, part: RigidObject) -> None:
        is_free = part.mobility == "free"
        body = self._add_body(self.spec.worldbody, part.name, part.pose)
        if part.mobility != "static":
            body.add_freejoint(name=part.name)
        density = part.density if is_free else 0.0
        for shape in part.shapes:
            self._add_geoms(
                body, shape, part.surface, free=is_free, density=density, owner=part.name,
                moves=part.mobility != "static",
            )  # fmt: skip
        if part.mobility == "driven":
            body.gravcomp = 1.0
            _set_inertial(body, DRIVEN_MASS, np.zeros(3), DRIVEN_MASS * np.eye(3))
        elif is_free and not part.shapes:
            raise BadModel(f"object {part.name!r}", "is free but has no shape")
        elif is_free and part.mass is not None:
            self._scale_mass(body, part.mass)

    def _scale_mass(self, body: mujoco.MjsBody, mass: float) -> None:
        """Distribute a mass over the shapes of a body by volume."""
        geoms = body.geoms
        if len(geoms) == 1:
            geoms[0].mass = mass
            return
        volumes = [_volume(geom, self.spec) for geom in geoms]
        for geom, volume in zip(geoms, volumes, strict=True):
            geom.mass = mass * volume / sum(volumes)

    # -- mechanisms -------------------------------------------------------------------------

    def add_mechanism(self, part: Mechanism) -> None:
        bodies: dict[str, mujoco.MjsBody] = {}
        world_from: dict[str, Pose] = {}  # with all joints at zero
        for body in part.model.bodies:
            above = part.pose if body.parent is None else world_from[body.parent]
            world_from[body.name] = above @ body.placement
            floats = body.joint.kind == "floating" or body.joint.name in part.cut
            name = f"{part.name}/{body.name}"
            if body.parent is None or floats:
                made = self._add_body(self.spec.worldbody, name, world_from[body.name])
            else:
                made = self._add_body(bodies[body.parent], name, body.placement)
            bodies[body.name] = made
            self._add_joint(made, part, body, floats=floats)
            _set_inertial(made, body.mass, body.com, body.inertia)
            moves = any(each.joint.kind != "fixed" for each in part.model.chain(body.name))
            for shape in body.collision:
                self._add_geoms(
                    made, shape, part.surface, free=True, density=0.0, owner=name, moves=moves
                )
        for each in part.mounted:
            bodies[each.object.name] = self._mount(bodies[each.body], each.object)
        self._add_mimics(part)
        if not part.self_contact:
            for one, other in combinations(bodies.values(), 2):
                self.spec.add_exclude(bodyname1=one.name, bodyname2=other.name)

    def _mount(self, body: mujoco.MjsBody, part: RigidObject) -> mujoco.MjsBody:
        """Fix an object to a body; what is static weighs nothing."""
        made = self._add_body(body, part.name, part.pose)
        density = 0.0 if part.mobility == "static" else part.density
        for shape in part.shapes:
            self._add_geoms(
                made, shape, part.surface, free=True, density=density, owner=part.name, moves=True
            )
        if part.mobility != "static" and part.mass is not None:
            self._scale_mass(made, part.mass)
        return made

    def _add_joint(
        self, made: mujoco.MjsBody, part: Mechanism, body: Body, *, floats: bool
    ) -> None:
        joint, name = body.joint, f"{part.name}/{body.joint.name}"
        if floats:
            root = made.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_FREE)
            root.armature = joint.armature
            return
        if joint.kind == "fixed":
            return
        slides = joint.kind == "prismatic"
        kind = mujoco.mjtJoint.mjJNT_SLIDE if slides else mujoco.mjtJoint.mjJNT_HINGE
        servo = part.servos.get(joint.name)
        element = made.add_joint(name=name, type=kind, axis=joint.axis)
        if not (math.isinf(joint.lower) and math.isinf(joint.upper)):
            element.range = _stroke(joint)
            element.limited = mujoco.mjtLimited.mjLIMITED_TRUE
        element.armature = joint.armature
        if servo is None:
            return
        element.armature, element.damping[0] = servo.armature or joint.armature, servo.viscous
        element.frictionloss = servo.friction
        effort = joint.effort if servo.effort is None else servo.effort
        if math.isfinite(effort):
            element.actfrcrange = (-effort, effort)
            element.actfrclimited = mujoco.mjtLimited.mjLIMITED_TRUE
        # The control is stiffness·q_command + damping·dq_command + τ_command.
        actuator = self.spec.add_actuator(name=name, target=name)
        actuator.trntype = mujoco.mjtTrn.mjTRN_JOINT
        actuator.gaintype = mujoco.mjtGain.mjGAIN_FIXED
        actuator.gainprm[0] = 1.0
        actuator.biastype = mujoco.mjtBias.mjBIAS_AFFINE
        actuator.biasprm[:3] = (0.0, -servo.stiffness, -servo.damping)

    def _add_mimics(self, part: Mechanism) -> None:
        for joint in part.model.joints:
            if joint.mimic is None or {joint.name, joint.mimic.source} & part.cut:
                continue
            law = self.spec.add_equality(
                name1=f"{part.name}/{joint.name}", name2=f"{part.name}/{joint.mimic.source}"
            )
            law.type, law.objtype = mujoco.mjtEq.mjEQ_JOINT, mujoco.mjtObj.mjOBJ_JOINT
            law.data[:5] = (joint.mimic.offset, joint.mimic.ratio, 0.0, 0.0, 0.0)
            law.solref = (self.settings.time_constant, 1.0)

    # -- connections ------------------------------------------------------------------------

    def add_slots(self) -> None:
        if not self.first_body:
            return
        for k in range(self.settings.slots):
            slot = self.spec.add_equality(
                name=slot_name(k), name1=self.first_body, name2="world", active=False
            )
            slot.type, slot.objtype = mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtObj.mjOBJ_BODY
            slot.solref = (self.settings.time_constant, 1.0)
            slot.solimp = STIFF_IMPEDANCE
            self.spec.add_exclude(bodyname1="world", bodyname2=self.first_body)  # see `exclusions`
        for k in range(self.settings.sliders):
            parent = self.spec.worldbody
            for name in slider_names(k):
                parent = parent.add_body(name=name, gravcomp=1.0)
                _set_inertial(
                    parent, PARKED_SLIDER_MASS, np.zeros(3), PARKED_SLIDER_INERTIA * np.eye(3)
                )
                if name.endswith("rail"):
                    parent.add_freejoint(name=name)
                else:
                    parent.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=(1, 0, 0))

    # -- bodies and shapes ------------------------------------------------------------------

    def _add_body(self, parent: mujoco.MjsBody, name: str, pose: Pose) -> mujoco.MjsBody:
        self.first_body = self.first_body or name
        return parent.add_body(name=name, pos=pose.translation, quat=pose.quaternion)

    def _add_geoms(
        self,
        body: mujoco.MjsBody,
        shape: Shape,
        surface: ContactSurface,
        *,
        free: bool,
        density: float,
        owner: str,
        moves: bool,
    ) -> None:
        names = self._mesh_names(shape) if isinstance(shape, Mesh) else [""]
        for mesh in names:
            geom = body.add_geom(pos=shape.pose.translation, quat=shape.pose.quaternion)
            _set_shape(geom, shape, mesh, owner=owner, moves=moves)
            geom.density = density
            geom.contype, geom.conaffinity = (
                (FREE_TYPE, FREE_AFFINITY) if free else (FIXED_TYPE, FIXED_AFFINITY)
            )
            geom.condim = CONTACT_DIMENSIONS
            geom.friction = (surface.friction, surface.torsion, surface.rolling)
            geom.solref = contact_solref(surface.restitution, self.settings.contact_time_constant)
            geom.solimp = CONTACT_IMPEDANCE

    def _mesh_names(self, shape: Mesh) -> list[str]:
        if self.meshes is None:
            return []
        key = (shape.path, tuple(shape.scale))
        if key not in self.mesh_names:
            names = self.mesh_names[key] = []
            for vertices, faces in self.meshes(shape):
                name = f"mesh {len(self.spec.meshes)}"
                self.spec.add_mesh(
                    name=name,
                    uservert=np.asarray(vertices, dtype=float).ravel(),
                    userface=np.asarray(faces, dtype=np.int32).ravel(),
                    inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
                )
                names.append(name)
        return self.mesh_names[key]


def _set_shape(geom: mujoco.MjsGeom, shape: Shape, mesh: str, *, owner: str, moves: bool) -> None:
    types = mujoco.mjtGeom
    match shape:
        case Halfspace():
            if moves:
                raise BadModel(f"{owner!r}", "has a half-space, which only what is static may")
            geom.type, geom.size = types.mjGEOM_PLANE, (0, 0, 1)
        case Sphere():
            geom.type, geom.size = types.mjGEOM_SPHERE, (shape.radius, 0, 0)
        case Capsule():
            geom.type, geom.size = types.mjGEOM_CAPSULE, (shape.radius, shape.length / 2, 0)
        case Cylinder():
            geom.type, geom.size = types.mjGEOM_CYLINDER, (shape.radius, shape.length / 2, 0)
        case Box():
            geom.type, geom.size = types.mjGEOM_BOX, shape.size / 2
        case Mesh():
            geom.type, geom.meshname = types.mjGEOM_MESH, mesh


def _set_inertial(body: mujoco.MjsBody, mass: float, com: Array, inertia: Array) -> None:
    moments, axes = physical_moments(inertia)
    body.explicitinertial = True
    body.mass = max(mass, MIN_MASS)
    body.ipos = com
    body.iquat = quaternion_from_rotation(axes)
    body.inertia = moments


def _volume(geom: mujoco.MjsGeom, spec: mujoco.MjSpec) -> float:
    """Return the volume of a geom, m³; of a mesh, that of the box around it."""
    types, (a, b, c) = mujoco.mjtGeom, geom.size.tolist()
    if geom.type == types.mjGEOM_SPHERE:
        return float(4 / 3 * math.pi * a**3)
    if geom.type == types.mjGEOM_CAPSULE:
        return float(math.pi * a**2 * (2 * b + 4 / 3 * a))
    if geom.type == types.mjGEOM_CYLINDER:
        return float(2 * math.pi * a**2 * b)
    if geom.type == types.mjGEOM_BOX:
        return float(8 * a * b * c)
    vertices = np.reshape(spec.mesh(geom.meshname).uservert, (-1, 3))
    return float(np.prod(np.ptp(vertices, axis=0)))


def _stroke(joint: Joint) -> tuple[float, float]:
    lower, upper = finite(joint.lower), finite(joint.upper)
    if upper - lower < 2 * MIN_STROKE:
        return lower - MIN_STROKE, upper + MIN_STROKE
    return lower, upper
