"""Bodies, joints and shapes from what MuJoCo's compiler has made of a file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

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
    rotation_about,
    rotation_from_quaternion,
)
from robotix.model.body import Body, Visual
from robotix.model.joint import Joint, Mimic
from robotix.model.tree import ControlPoint

__all__ = ["CompiledModel", "build_bodies", "build_points"]

_KNOWN_GEOMS = ("plane", "sphere", "capsule", "cylinder", "box", "mesh")
_PLAIN_GREY = [0.5, 0.5, 0.5, 1.0]  # a geom's colour when the file gives none
_SHOWN_GROUPS = (0, 1, 2)


class CompiledModel:
    """The compiler's answer, with a name for everything."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self._answer = answer
        self.gravity: Array = np.array(answer["gravity"])
        self.meshes: list[str] = answer["meshes"]
        self.counts: dict[str, int] = answer["counts"]

    def array(self, key: str) -> list[Any]:
        """Return one of the compiler's arrays."""
        values: list[Any] = self._answer["arrays"][key]
        return values

    def kinds(self, what: str) -> list[str]:
        """Return the types of all joints, geoms, equalities or transmissions."""
        kinds: list[str] = self._answer["kinds"][what]
        return kinds

    def names(self, what: str) -> list[str]:
        """Return the file's names of all bodies, joints or sites; empty where it gives none."""
        names: list[str] = self._answer["names"][what]
        return names

    @cached_property
    def body_names(self) -> list[str]:
        """A name for every body."""
        return _fill(self.names("body"), [f"body_{i}" for i in range(len(self.names("body")))])

    @cached_property
    def joint_names(self) -> list[str]:
        """A name for every joint."""
        wishes = []
        for body, count in zip(self.body_names, self.array("body_jntnum"), strict=True):
            wishes += [f"{body}_joint" + (f"_{i + 1}" if i else "") for i in range(count)]
        return _fill(self.names("joint"), wishes)

    def pose(self, what: str, index: int) -> Pose:
        """Return the pose of a body, geom, site or mesh."""
        return Pose.from_quaternion(
            self.array(f"{what}_pos")[index], self.array(f"{what}_quat")[index]
        )

    @cached_property
    def geoms(self) -> dict[int, list[int]]:
        """The geoms of every body that has any."""
        geoms: dict[int, list[int]] = {}
        for geom, body in enumerate(self.array("geom_bodyid")):
            geoms.setdefault(body, []).append(geom)
        return geoms

    @cached_property
    def site_points(self) -> dict[str, str]:
        """The control point of every named site; bodies and sites have their own namespaces."""
        taken = {*self.body_names, *self.names("site")}
        points = {}
        for name in filter(None, self.names("site")):
            point = name
            if name in self.body_names:
                point += "_site"
                while point in taken:
                    point += "_"
                taken.add(point)
            points[name] = point
        return points

    def armature(self, joint: int) -> float:
        """Inertia of the drives of a joint, kg m² or kg, actuators at their gears included."""
        own = float(self.array("dof_armature")[self.array("jnt_dofadr")[joint]])
        return own + self._actuator_armature.get(joint, 0.0)

    @cached_property
    def _actuator_armature(self) -> dict[int, float]:
        """By hinge or slide, the inertia of the actuators that drive it: armature times gear²."""
        found: dict[int, float] = {}
        for i, kind in enumerate(self.kinds("transmission")):
            joint = int(self.array("actuator_trnid")[i][0])
            drives = kind in ("joint", "jointinparent") and joint >= 0
            if drives and self.kinds("joint")[joint] in ("hinge", "slide"):
                inertia = (
                    self.array("actuator_armature")[i] * self.array("actuator_gear")[i][0] ** 2
                )
                found[joint] = found.get(joint, 0.0) + float(inertia)
        return found

    def has_shared_armature(self) -> bool:
        """Return whether tendons have an inertia, which would couple joints."""
        driven = (
            self.array("actuator_armature")[i]
            for i, kind in enumerate(self.kinds("transmission"))
            if kind not in ("joint", "jointinparent")
        )
        return any(self.array("tendon_armature")) or any(driven)

    def zero(self, joint: int) -> float:
        """Coordinate of a hinge or slide in the posture that the file draws."""
        return float(self.array("qpos0")[self.array("jnt_qposadr")[joint]])

    def collides(self, geom: int) -> bool:
        """Return whether a geom collides with anything."""
        return bool(self.array("geom_contype")[geom] or self.array("geom_conaffinity")[geom])

    def mimics(self) -> dict[int, Mimic]:
        """Return, by joint, the equalities that tie it linearly to one that moves freely.

        A joint tied to one that is tied itself follows the first of the chain.
        """
        laws: dict[int, tuple[int, float, float]] = {}  # source, ratio and offset
        kinds, names = self.kinds("joint"), self.joint_names
        for i, kind in enumerate(self.kinds("equality")):
            tied, source = self.array("eq_obj1id")[i], self.array("eq_obj2id")[i]
            if kind != "joint" or source in (-1, tied) or not self.array("eq_active0")[i]:
                continue
            offset, ratio, *curved = self.array("eq_data")[i][:5]
            is_scalar = {kinds[tied], kinds[source]} <= {"hinge", "slide"}
            if any(curved) or tied in laws or not is_scalar:
                continue
            law = (source, ratio, self.zero(tied) + offset - ratio * self.zero(source))
            law = _chained(laws[source], law) if source in laws else law
            if law[0] == tied:
                continue  # a loop
            laws[tied] = law
            for joint, other in laws.items():
                if other[0] == tied:
                    laws[joint] = _chained(law, other)
        return {tied: Mimic(names[law[0]], *law[1:]) for tied, law in laws.items()}

    def foreign_geoms(self) -> Counter[str]:
        """Count the geoms that no shape can stand for."""
        return Counter(kind for kind in self.kinds("geom") if kind not in _KNOWN_GEOMS)


def _chained(
    first: tuple[int, float, float], second: tuple[int, float, float]
) -> tuple[int, float, float]:
    """Return the law of a joint that follows, by `second`, a joint that follows by `first`."""
    return first[0], second[1] * first[1], second[1] * first[2] + second[2]


def _fill(names: list[str], wishes: Iterable[str]) -> list[str]:
    taken, filled = set(names), []
    for name, wish in zip(names, wishes, strict=True):
        while not name and wish in taken:
            wish += "_"
        taken.add(name or wish)
        filled.append(name or wish)
    return filled


# -- bodies ---------------------------------------------------------------------------------


def build_bodies(compiled: CompiledModel) -> tuple[Body, ...]:
    """Return the bodies of a compiled model, parents first."""
    builder = _Builder(compiled, compiled.mimics(), _efforts(compiled))
    return tuple(body for i in range(len(compiled.body_names)) for body in builder.chain(i))


@dataclass(frozen=True, eq=False)
class _Builder:
    compiled: CompiledModel
    mimics: dict[int, Mimic]
    efforts: list[float]

    def chain(self, index: int) -> list[Body]:
        """Return a body of the file, behind one more for each joint that does not fit on it."""
        name = self.compiled.body_names[index]
        parent = self.compiled.body_names[self.compiled.array("body_parentid")[index]]
        first = self.compiled.array("body_jntadr")[index]
        joints = range(first, first + self.compiled.array("body_jntnum")[index])
        at: str | None = parent if index else None
        frame = self.compiled.pose("body", index)  # from `at` to the body, with the joints at zero
        links: list[Body] = []
        for number in joints:
            before, after = self.around(number)
            for joint in self.joints(number):
                link = f"{name}.{joint.name}"
                links.append(Body(link, joint, at, frame @ before))
                at, frame, before = link, Pose(), Pose()
            frame = after
        if links and not frame.translation.any():  # the last joint turns about the body's origin
            last = links.pop()
            return [*links, self.fill(replace(last, name=name), index)]
        still = f"{name}_fixed"
        while still in self.compiled.joint_names:
            still += "_"
        return [*links, self.fill(Body(name, Joint(still), at, frame), index)]

    def around(self, joint: int) -> tuple[Pose, Pose]:
        """Return the poses before and after a joint that make its coordinate MuJoCo's."""
        kind = self.compiled.kinds("joint")[joint]
        if kind == "free":
            return Pose(), Pose()
        anchor = np.array(self.compiled.array("jnt_pos")[joint])
        if kind == "ball":
            return Pose(translation=anchor), Pose(translation=-anchor)
        axis = np.array(self.compiled.array("jnt_axis")[joint])
        zero = self.compiled.zero(joint)
        if kind == "slide":
            return Pose(translation=-zero * axis), Pose()
        return Pose(rotation_about(axis, -zero), anchor), Pose(translation=-anchor)

    def joints(self, index: int) -> list[Joint]:
        """Return a joint of the file; a ball joint is three hinges, one after the other."""
        if self.compiled.kinds("joint")[index] != "ball":
            return [self.joint(index)]
        largest = self.compiled.array("jnt_range")[index][1]
        angle = largest if self.compiled.array("jnt_limited")[index] else math.inf
        return [
            Joint(
                f"{self.compiled.joint_names[index]}_{'xyz'[i]}",
                "revolute",
                axis=np.eye(3)[i],
                lower=-angle,
                upper=angle,
                effort=self.efforts[index],
                armature=self.compiled.armature(index),
            )
            for i in range(3)
        ]

    def joint(self, index: int) -> Joint:
        name, kind = self.compiled.joint_names[index], self.compiled.kinds("joint")[index]
        if kind == "free":
            return Joint(name, "floating", armature=self.compiled.armature(index))
        limited = self.compiled.array("jnt_limited")[index]
        lower, upper = self.compiled.array("jnt_range")[index] if limited else (-math.inf, math.inf)
        return Joint(
            name,
            "revolute" if kind == "hinge" else "prismatic",
            axis=np.array(self.compiled.array("jnt_axis")[index]),
            lower=lower,
            upper=upper,
            effort=self.efforts[index],
            armature=self.compiled.armature(index),
            mimic=self.mimics.get(index),
        )

    def fill(self, body: Body, index: int) -> Body:
        """Give a body its mass and shapes."""
        R = rotation_from_quaternion(self.compiled.array("body_iquat")[index])
        inertia = (R * np.array(self.compiled.array("body_inertia")[index])) @ R.T
        solids = _solids(self.compiled, index)
        return replace(
            body,
            mass=self.compiled.array("body_mass")[index],
            com=np.array(self.compiled.array("body_ipos")[index]),
            inertia=(inertia + inertia.T) / 2,
            collision=tuple(shape for i, shape in solids if self.compiled.collides(i)),
            visuals=tuple(
                Visual(shape, _colour(self.compiled, i))
                for i, shape in solids
                if self.compiled.array("geom_group")[i] in _SHOWN_GROUPS
            ),
        )


def _efforts(compiled: CompiledModel) -> list[float]:
    """Return the largest effort of every joint; infinite where the file sets none."""
    efforts = [0.0] * len(compiled.joint_names)
    unbounded = set()
    for i, kind in enumerate(compiled.kinds("transmission")):
        joint = compiled.array("actuator_trnid")[i][0]
        if kind not in ("joint", "jointinparent") or joint < 0:
            continue
        if not compiled.array("actuator_forcelimited")[i]:
            unbounded.add(joint)
        force = max(map(abs, compiled.array("actuator_forcerange")[i]))
        efforts[joint] += force * abs(compiled.array("actuator_gear")[i][0])
    for joint, effort in enumerate(efforts):
        if compiled.array("jnt_actfrclimited")[joint]:
            efforts[joint] = max(map(abs, compiled.array("jnt_actfrcrange")[joint]))
        elif joint in unbounded or not effort:
            efforts[joint] = math.inf
    return efforts


# -- shapes and points ----------------------------------------------------------------------


def _solids(compiled: CompiledModel, body: int) -> list[tuple[int, Shape]]:
    """Return the geoms of a body that a shape can stand for."""
    shapes = [(geom, _shape(compiled, geom)) for geom in compiled.geoms.get(body, [])]
    return [(geom, shape) for geom, shape in shapes if shape is not None]


def _shape(compiled: CompiledModel, index: int) -> Shape | None:
    pose = compiled.pose("geom", index)
    x, y, z = compiled.array("geom_size")[index]
    match compiled.kinds("geom")[index]:
        case "plane":
            return Halfspace(pose)
        case "sphere":
            return Sphere(x, pose)
        case "capsule":
            return Capsule(x, 2 * y, pose)
        case "cylinder":
            return Cylinder(x, 2 * y, pose)
        case "box":
            return Box(np.array([2 * x, 2 * y, 2 * z]), pose)
        case "mesh":
            mesh = compiled.array("geom_dataid")[index]
            a, b, c = compiled.array("mesh_scale")[mesh]
            # The compiler moves a mesh to its own principal frame; the file's is wanted.
            return Mesh(
                compiled.meshes[mesh], (a, b, c), pose @ compiled.pose("mesh", mesh).inverse()
            )
    return None


def _colour(compiled: CompiledModel, index: int) -> tuple[float, float, float, float]:
    own, material = compiled.array("geom_rgba")[index], compiled.array("geom_matid")[index]
    given = np.allclose(own, _PLAIN_GREY) and material >= 0
    r, g, b, a = np.clip(compiled.array("mat_rgba")[material] if given else own, 0.0, 1.0).tolist()
    return r, g, b, a


def build_points(compiled: CompiledModel) -> dict[str, ControlPoint]:
    """Return the named sites of a compiled model."""
    owners = compiled.array("site_bodyid")
    return {
        compiled.site_points[name]: ControlPoint(
            compiled.body_names[owners[i]], compiled.pose("site", i)
        )
        for i, name in enumerate(compiled.names("site"))
        if name
    }
