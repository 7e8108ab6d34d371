"""What is simulated: rigid objects and mechanisms, and what their surfaces are like.

These are plain descriptions, in SI units; `Simulation` compiles them for the solver.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from robotix.errors import BadField, BadModel, UnknownName
from robotix.geometry import Array, Pose, Shape
from robotix.model import Model

__all__ = [
    "ContactSurface",
    "Mechanism",
    "Mobility",
    "MountedObject",
    "RigidObject",
    "Servo",
    "World",
]

Mobility: TypeAlias = Literal["static", "driven", "free"]
WATER_DENSITY = 1000.0  # kg/m³
MAX_MASS = 1e6  # kg
MAX_PARTS = 5_000


@dataclass(frozen=True)
class ContactSurface:
    """How a surface touches others.

    Where two surfaces touch, the larger of each coefficient of friction and the smaller restitution
    hold. A restitution below 0.14 counts as that: without any bounce nothing comes to rest quickly.
    """

    friction: float = 0.8  # coefficient μ of sliding
    torsion: float = 0.005  # m; friction moment about the normal, per normal force
    rolling: float = 0.0001  # m; friction moment against rolling, per normal force
    restitution: float = 0.0  # speed after, per speed before an impact

    def __post_init__(self) -> None:
        for name in ("friction", "torsion", "rolling"):
            value = getattr(self, name)
            if not 0 <= value <= 100:
                raise BadField(name, "in 0..100", value)
        if not 0 <= self.restitution <= 1:
            raise BadField("restitution", "in 0..1", self.restitution)


@dataclass(frozen=True, eq=False)
class RigidObject:
    """A rigid thing in the world.

    It is `static`, `driven` (it follows the poses it is given, pushes what is free and is never
    pushed) or `free`. The mass, when not given, is that of its shapes at `density`.

    Examples:
        >>> from robotix.geometry import Sphere
        >>> ball = rx.RigidObject("ball", (Sphere(0.1),), rx.Pose.at(0, 0, 1), mass=0.5)
    """

    name: str
    shapes: tuple[Shape, ...]
    pose: Pose = field(default_factory=Pose)  # world_from_object, at the start
    mobility: Mobility = "free"
    mass: float | None = None  # kg
    density: float = WATER_DENSITY  # kg/m³
    surface: ContactSurface = field(default_factory=ContactSurface)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapes", tuple(self.shapes))
        if self.mobility not in ("static", "driven", "free"):
            raise BadField("mobility", "static, driven or free", self.mobility)
        if self.mass is not None and not 0 < self.mass <= MAX_MASS:
            raise BadField("mass", f"more than 0, at most {MAX_MASS:g} kg", self.mass)
        if not 0 < self.density <= MAX_MASS:
            raise BadField("density", f"more than 0, at most {MAX_MASS:g} kg/m³", self.density)


@dataclass(frozen=True)
class Servo:
    """The drive of one joint.

        τ = stiffness (q_command − q) + damping (dq_command − dq) + τ_command,  |τ| ≤ effort

    A position servo has both gains, a velocity servo only `damping`, a torque servo none. The
    joint's own friction is not part of it, and is not limited by `effort`.
    """

    stiffness: float = 0.0  # N m/rad or N/m
    damping: float = 0.0  # N m s/rad or N s/m
    effort: float | None = None  # N m or N; the limit of the joint when None
    armature: float = 0.0  # kg m² or kg: rotor inertia times gear ratio squared; 0: the joint's
    friction: float = 0.0  # N m or N: Coulomb friction of joint and gear
    viscous: float = 0.0  # N m s/rad or N s/m: viscous friction of joint and gear

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping", "armature", "friction", "viscous"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise BadField(name, "0 or more", value)
        if self.effort is not None and not self.effort >= 0:
            raise BadField("effort", "0 or more", self.effort)


@dataclass(frozen=True, eq=False)
class MountedObject:
    """A rigid object that is fixed to a body of a mechanism, as a tool is.

    Its `pose` is body_from_object. If it is `static` it weighs nothing, else as a free object does.
    """

    body: str  # of the mechanism's model
    object: RigidObject


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A model whose joints are simulated; its bodies are called `name/body`.

    Without an entry in `servos` a joint moves freely. Its bodies touch other things, and each
    other with `self_contact`, except neighbours. Joints in `cut` are open: the bodies that they
    held, with all that hangs on them, float freely.

    Examples:
        >>> arm = rx.Mechanism("arm", rx.load("planar_3r"), rx.Pose.at(0, 0, 1))
        >>> simulation = rx.Simulation(rx.World(mechanisms=(arm,)))
        >>> simulation.q("arm").shape
        (3,)
    """

    name: str
    model: Model
    pose: Pose = field(default_factory=Pose)  # world_from_base
    servos: Mapping[str, Servo] = field(default_factory=dict)  # by the name of a joint
    surface: ContactSurface = field(default_factory=ContactSurface)
    self_contact: bool = False
    cut: frozenset[str] = frozenset()  # names of joints
    mounted: tuple[MountedObject, ...] = ()

    def __post_init__(self) -> None:
        joints = {joint.name: joint for joint in self.model.joints}
        for name in (*self.servos, *self.cut):
            if name not in joints:
                raise UnknownName("joint", name, joints)
        for each in self.mounted:
            self.model.body(each.body)  # raises UnknownName
        for name in self.servos:
            joint = joints[name]
            if joint.kind not in ("revolute", "prismatic") or joint.mimic is not None:
                raise BadModel(
                    f"servo of joint {name!r}",
                    "has nothing to drive: the joint is fixed, floating or follows another",
                )
        for joint in joints.values():
            if joint.kind == "path":
                raise BadModel(
                    f"joint {joint.name!r}",
                    "follows a path, which cannot be simulated; keep it driven, or straighten it",
                )

    def body(self, name: str) -> str:
        """Return the name of a body of the model in the simulation."""
        return f"{self.name}/{self.model.body(name).name}"


@dataclass(frozen=True, eq=False)
class World:
    """Everything that is simulated together, and gravity.

    Examples:
        >>> from robotix.geometry import Box
        >>> box = rx.RigidObject("box", (Box(np.array([0.1, 0.1, 0.1])),), rx.Pose.at(0, 0, 0.5))
        >>> moon = rx.World((box,), gravity=np.array([0.0, 0.0, -1.62]))
    """

    objects: tuple[RigidObject, ...] = ()
    mechanisms: tuple[Mechanism, ...] = ()
    gravity: Array = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))  # m/s²

    def __post_init__(self) -> None:
        object.__setattr__(self, "objects", tuple(self.objects))
        object.__setattr__(self, "mechanisms", tuple(self.mechanisms))
        names = [each.name for each in self.objects] + [each.name for each in self.mechanisms]
        names += [each.object.name for part in self.mechanisms for each in part.mounted]
        if len(names) > MAX_PARTS:
            raise BadModel("world", f"has {len(names)} parts; at most {MAX_PARTS}")
        for name, count in Counter(names).items():
            if not name or name == "world" or count > 1:
                raise BadModel(f"part {name!r}", "needs a name of its own")
        gravity = np.array(self.gravity, dtype=float)
        if gravity.shape != (3,) or not np.isfinite(gravity).all():
            raise BadField("gravity", "three finite numbers", self.gravity)
        gravity.flags.writeable = False
        object.__setattr__(self, "gravity", gravity)
