"""Converts snapshots to messages: nodes, robots, skins.

Runs in a separate thread, since meshes may have to be read and skins computed. Unchanged nodes are
not converted again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from robotix.errors import RobotixError
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.meshes import Material, load_mesh
from robotix.model import Model, Visual
from robotix.motion import model_dofs
from robotix.scene.commands.constraints import Hinge, Slide
from robotix.scene.commands.handles import HandCommand
from robotix.scene.graph.content import (
    Attributes,
    EllipsoidSurface,
    Light,
    Region,
    Trace,
    Viewpoint,
)
from robotix.server.live.mesh_data import DataStore, pack_skin
from robotix.server.live.snapshot import NodeSnapshot, RobotDescription, SceneSnapshot
from robotix.server.wire import messages as wire
from robotix.visuals.looks import link_looks

__all__ = ["Describer", "RoomDescription", "robot_info"]

ELLIPSOID_MATERIAL = Material(colour=(0.2, 0.6, 1.0), opacity=0.4)
TRACE_MATERIAL = Material(colour=(0.95, 0.45, 0.1))


@dataclass(frozen=True)
class RoomDescription:
    """A snapshot of the scene as parts of messages."""

    view: SceneSnapshot
    nodes: list[wire.NodeInfo]
    robots: list[wire.RobotInfo]
    skins: list[wire.SkinInfo]
    is_whole: bool  # no skin is missing


class Describer:
    """Describes snapshots; caches nodes, link meshes and skins.

    `problems` lists meshes that could not be loaded, each once.
    """

    def __init__(self, store: DataStore, folder: Path) -> None:
        self.problems: list[str] = []
        self._store = store
        self._folder = folder
        self._infos: dict[str, tuple[NodeSnapshot, wire.NodeInfo]] = {}
        self._links: dict[int, tuple[Model, dict[str, list[wire.VisualInfo]]]] = {}
        self._skins: dict[str, tuple[object, str, int]] = {}  # manikin, key, bones

    def describe(self, view: SceneSnapshot, *, is_quick: bool = False) -> RoomDescription:
        """Describe a snapshot; `is_quick` omits skins that are not in the cache."""
        nodes = self.nodes(view.nodes, view.robots)
        robots = [robot_info(robot, view.nodes) for robot in view.robots]
        people = [robot for robot in view.robots if robot.person is not None]
        if is_quick:
            people = [robot for robot in people if self._has_skin(robot)]
        skins = self.skins(people, first_row=len(nodes))
        is_whole = all(self._has_skin(robot) for robot in view.robots)
        return RoomDescription(view, nodes, robots, skins, is_whole)

    def _has_skin(self, robot: RobotDescription) -> bool:
        """Return whether a robot needs no skin, or its skin is in the cache."""
        known = self._skins.get(robot.name)
        return robot.person is None or (known is not None and known[0] is robot.person.manikin)

    def nodes(
        self, nodes: Iterable[NodeSnapshot], robots: Iterable[RobotDescription]
    ) -> list[wire.NodeInfo]:
        """Return all nodes; unchanged ones are the same objects as before."""
        by_name = {robot.name: robot for robot in robots}
        infos, kept = [], {}
        for row, node in enumerate(nodes):
            before = self._infos.get(node.name)
            if before is not None and before[0] is node and before[1].row == row:
                info = before[1]
            else:
                info = self._node(row, node, by_name.get(node.robot or ""))
            kept[node.name] = node, info
            infos.append(info)
        self._infos = kept
        return infos

    def _node(self, row: int, node: NodeSnapshot, robot: RobotDescription | None) -> wire.NodeInfo:
        looks, content = node.attributes, node.content
        return wire.NodeInfo(
            row=row,
            name=node.name,
            parent=node.parent,
            robot=node.robot or "",
            visuals=self._visuals(node, robot),
            visible=looks.visible,
            wireframe=looks.wireframe,
            pickable=looks.pickable,
            light=_light(content) if isinstance(content, Light) else None,
            field_of_view=content.field_of_view if isinstance(content, Viewpoint) else 0.0,
            is_region=isinstance(content, Region),
            **_guide_fields(node.guide),
        )

    def _visuals(self, node: NodeSnapshot, robot: RobotDescription | None) -> list[wire.VisualInfo]:
        match node.content:
            case EllipsoidSurface(half_lengths=halves):
                shape = wire.EllipsoidShape(halves)
                return [
                    wire.VisualInfo(shape, _surface(node.attributes.material or ELLIPSOID_MATERIAL))
                ]
            case Trace():
                return [_trace(node.content, node.attributes.material or TRACE_MATERIAL)]
            case Region():
                return list(self._shapes(map(Visual, node.solids), node.attributes))
        if robot is not None and robot.person is not None and node.robot == robot.name:
            return []  # the skin replaces it
        if robot is not None and node.attributes.material is None:
            looks = self._link_looks(robot.model).get(node.name.removeprefix(f"{robot.name}/"))
            if looks is not None:
                return looks
        visuals = node.visuals
        if not visuals and robot is not None and not _has_visuals(robot.model):
            visuals = tuple(map(Visual, node.solids))
        return list(self._shapes(visuals, node.attributes))

    def _shapes(self, visuals: Iterable[Visual], looks: Attributes) -> Iterator[wire.VisualInfo]:
        for visual in visuals:
            *colour, opacity = visual.rgba
            material = looks.material or Material((colour[0], colour[1], colour[2]), opacity)
            if isinstance(visual.shape, Mesh):
                own = looks.material is None
                yield from self._mesh(visual.shape, material, own_colours=own)
            else:
                yield _placed(_shape(visual.shape), material, visual.shape.pose)

    def _mesh(
        self, mesh: Mesh, material: Material, *, own_colours: bool
    ) -> Iterator[wire.VisualInfo]:
        try:
            asset = load_mesh(self._folder / mesh.path)
        except (RobotixError, OSError, ValueError) as error:
            if str(error) not in self.problems:
                self.problems.append(str(error))
            return
        x, y, z = map(float, mesh.scale)
        for part in asset.parts:
            key = self._store.add_mesh(part.vertices, part.faces)
            surface = part.material if own_colours and part.material is not None else material
            yield _placed(wire.MeshShape(key, (x, y, z)), surface, mesh.pose)

    def _link_looks(self, model: Model) -> dict[str, list[wire.VisualInfo]]:
        known = self._links.get(id(model))
        if known is None or known[0] is not model:
            looks = {
                body: [
                    _placed(
                        wire.MeshShape(self._store.add_mesh(p.vertices, p.faces, p.normals)),
                        p.material,
                        Pose(),
                    )
                    for p in parts
                ]
                for body, parts in link_looks(model).items()
            }
            known = self._links[id(model)] = model, looks
        return known[1]

    def skins(self, robots: Iterable[RobotDescription], *, first_row: int) -> list[wire.SkinInfo]:
        """Return the skins of people; rows of their bones start at `first_row`."""
        infos, row = [], first_row
        for robot in robots:
            if robot.person is None:
                continue
            if not self._has_skin(robot):
                binding = robot.person.binding
                key, count = self._store.add(pack_skin(binding)), len(binding.bone_names)
                self._skins[robot.name] = robot.person.manikin, key, count
            _, key, count = self._skins[robot.name]
            infos.append(wire.SkinInfo(robot.name, key, list(range(row, row + count))))
            row += count
        return infos


def robot_info(robot: RobotDescription, nodes: Iterable[NodeSnapshot]) -> wire.RobotInfo:
    """Return a robot as part of a message."""
    names = {node.name for node in nodes}
    model, name = robot.model, robot.name
    points = [f"{name}/{point}" for point in model.points if f"{name}/{point}" in names]
    return wire.RobotInfo(
        name=name,
        row=robot.row,
        joints=list(_joints(robot)),
        points=points,
        tip=_tip(robot, names),
        first=robot.first,
        last=robot.last,
        damping=robot.damping,
        method=robot.method,
        home=robot.home.tolist(),
        steps=robot.steps,
        postures=[wire.PostureInfo(key, q.tolist()) for key, q in robot.postures.items()],
        is_person=robot.person is not None,
    )


def _joints(robot: RobotDescription) -> Iterator[wire.JointInfo]:
    model = robot.model
    bodies = [body.name for body in model.bodies for _ in body.joint.dof_names]
    rows = zip(
        model_dofs(model), bodies, model.lower.tolist(), model.upper.tolist(),
        model.velocity.tolist(), strict=True,
    )  # fmt: skip
    for (name, unit), body, lower, upper, velocity in rows:
        yield wire.JointInfo(
            name, "m" if unit == "m" else "rad", _finite(lower), _finite(upper),
            _finite(velocity), f"{robot.name}/{body}",
        )  # fmt: skip


def _tip(robot: RobotDescription, names: set[str]) -> str:
    """Return the node of the end-effector, or of the body that carries it."""
    for name, point in robot.model.points.items():
        same = point.body == robot.point.body and np.allclose(
            point.pose.matrix, robot.point.pose.matrix
        )
        if same and f"{robot.name}/{name}" in names:
            return f"{robot.name}/{name}"
    return f"{robot.name}/{robot.point.body}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _has_visuals(model: Model) -> bool:
    return any(body.visuals for body in model.bodies)


# -- shapes ---------------------------------------------------------------------------------


def _shape(shape: Shape) -> wire.ShapeInfo:
    match shape:
        case Box():
            return wire.BoxShape(_vector(shape.size))
        case Sphere():
            return wire.SphereShape(float(shape.radius))
        case Cylinder():
            return wire.CylinderShape(float(shape.radius), float(shape.length))
        case Capsule():
            return wire.CapsuleShape(float(shape.radius), float(shape.length))
        case Halfspace():
            return wire.PlaneShape()
    raise AssertionError(f"{type(shape).__name__} has no wire format")


def _placed(shape: wire.ShapeInfo, material: Material, pose: Pose) -> wire.VisualInfo:
    w, x, y, z = pose.quaternion.tolist()
    return wire.VisualInfo(shape, _surface(material), _vector(pose.translation), (x, y, z, w))


def _surface(material: Material) -> wire.SurfaceInfo:
    red, green, blue = map(float, material.colour)
    return wire.SurfaceInfo(
        (red, green, blue), float(material.opacity), float(material.metalness),
        float(material.roughness), material.pattern,
    )  # fmt: skip


def _trace(trace: Trace, material: Material) -> wire.VisualInfo:
    shape = wire.TraceShape(list(trace.points), trace.kind == "surface", trace.width)
    return wire.VisualInfo(shape, _surface(material))


def _guide_fields(guide: HandCommand | None) -> dict[str, Any]:
    """Return how hands move a node, as fields of its message."""
    match guide:
        case None:
            return {}
        case Slide(axis=axis):
            return {"is_guided": True, "slides_along": axis}
        case Hinge(axis=axis, origin=origin):
            return {"is_guided": True, "turns_about": axis, "hinge": origin}
    return {"is_guided": True}


def _light(light: Light) -> wire.LightInfo:
    red, green, blue = light.colour
    return wire.LightInfo(light.kind, (red, green, blue), light.strength)


def _vector(values: Array) -> wire.Vector:
    x, y, z = values.tolist()
    return x, y, z
