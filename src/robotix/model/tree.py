"""The model: an immutable tree of bodies, with named control points on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from robotix.errors import BadModel, UnknownName
from robotix.geometry import Array, Pose
from robotix.model.body import Body
from robotix.model.joint import Joint, Mimic

__all__ = ["ControlPoint", "Model", "merge_models"]

MAX_BODIES = 2_000  # beyond this a description is a mistake or an attack, not a robot


@dataclass(frozen=True, eq=False)
class ControlPoint:
    """A frame fixed on a body, which a task can move.

    Examples:
        >>> model = rx.load("kuka_lwr")
        >>> pen = rx.ControlPoint(model.bodies[-1].name, rx.Pose.at(0, 0, 0.15))
        >>> rx.Posture(model).position(pen).shape
        (3,)
    """

    body: str
    pose: Pose = field(default_factory=Pose)  # body_from_point


@dataclass(frozen=True, eq=False)
class Model:
    """Bodies joined into a tree. Give them in any order; `bodies` lists parents first.

    `points` names control points; every body is one too, by its own name. `tip` is the control
    point that commands use when none is named: the last body's when not given.

    Examples:
        >>> lower = rx.Body("lower", rx.Joint("hip", "revolute"))
        >>> model = rx.Model("leg", (lower,))
        >>> model.dof_names
        ('hip',)
    """

    name: str
    bodies: tuple[Body, ...]
    points: Mapping[str, ControlPoint] = field(default_factory=dict)
    tip: str = ""
    source: str = ""  # where the numbers come from
    gravity: Array = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))  # m/s²
    notes: tuple[str, ...] = ()  # what was passed over or not found when it was read
    appearance: str = ""  # how it is painted, where that is not by its own colours

    def __post_init__(self) -> None:
        object.__setattr__(self, "bodies", _sorted(tuple(self.bodies), self.name))
        points = dict(self.points)
        index = {body.name: i for i, body in enumerate(self.bodies)}
        for name, point in points.items():
            if point.body not in index:
                raise BadModel(f"control point {name!r}", f"is on unknown body {point.body!r}")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "_body_index", index)
        if not self.tip:
            object.__setattr__(self, "tip", self.bodies[-1].name)
        self.point(self.tip)
        _check_joints(self)
        gravity = np.array(self.gravity, dtype=float)
        if gravity.shape != (3,) or not np.isfinite(gravity).all():
            raise BadModel("gravity", f"must be three finite numbers, got {self.gravity!r}")
        gravity.flags.writeable = False
        object.__setattr__(self, "gravity", gravity)

    _body_index: Mapping[str, int] = field(init=False, repr=False, default_factory=dict)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {len(self.bodies)} bodies, {self.n_dof} dof)"

    # -- looking things up ------------------------------------------------------------------

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, in the order of `bodies`."""
        return tuple(body.joint for body in self.bodies)

    @cached_property
    def dof_names(self) -> tuple[str, ...]:
        """Name of every coordinate of `q`."""
        return tuple(name for joint in self.joints for name in joint.dof_names)

    @property
    def n_dof(self) -> int:
        """Number of coordinates of `q`."""
        return len(self.dof_names)

    @cached_property
    def dof_start(self) -> tuple[int, ...]:
        """Index in `q` of each body's first coordinate; a mimicking joint has its source's."""
        counts = np.cumsum([0, *(joint.n_dof for joint in self.joints)])
        own = {joint.name: int(counts[i]) for i, joint in enumerate(self.joints)}
        return tuple(
            own[joint.mimic.source] if joint.mimic else int(counts[i])
            for i, joint in enumerate(self.joints)
        )

    def body(self, name: str) -> Body:
        """Return the body called `name`."""
        return self.bodies[self.body_index(name)]

    def body_index(self, name: str) -> int:
        """Position of a body in `bodies`."""
        try:
            return self._body_index[name]
        except KeyError:
            raise UnknownName("body", name, self._body_index) from None

    def dof_index(self, name: str) -> int:
        """Position of a coordinate in `q`."""
        try:
            return self.dof_names.index(name)
        except ValueError:
            raise UnknownName("joint", name, self.dof_names) from None

    def point(self, name: str | None = None) -> ControlPoint:
        """Return a control point by name: a named one, a body's own frame, or the tip for None."""
        name = self.tip if name is None else name
        if name in self.points:
            return self.points[name]
        if name in self._body_index:
            return ControlPoint(name)
        raise UnknownName("control point", name, [*self.points, *self._body_index])

    def chain(self, name: str | None = None) -> tuple[Body, ...]:
        """Return the bodies from the base to the one that carries a control point."""
        body: Body | None = self.body(self.point(name).body)
        bodies = []
        while body is not None:
            bodies.append(body)
            body = self.body(body.parent) if body.parent is not None else None
        return tuple(reversed(bodies))

    # -- limits, one number a coordinate ----------------------------------------------------

    def _per_dof(self, what: str) -> Array:
        values = np.array([getattr(j, what) for j in self.joints for _ in j.dof_names], dtype=float)
        values.flags.writeable = False
        return values

    @cached_property
    def lower(self) -> Array:
        """Lowest joint positions, (n_dof,)."""
        return self._per_dof("lower")

    @cached_property
    def upper(self) -> Array:
        """Highest joint positions, (n_dof,)."""
        return self._per_dof("upper")

    @cached_property
    def velocity(self) -> Array:
        """Largest joint velocities, (n_dof,)."""
        return self._per_dof("velocity")

    @cached_property
    def acceleration(self) -> Array:
        """Largest joint accelerations, (n_dof,)."""
        return self._per_dof("acceleration")

    @cached_property
    def effort(self) -> Array:
        """Largest joint efforts, (n_dof,)."""
        return self._per_dof("effort")

    @property
    def mass(self) -> float:
        """Mass of all bodies, in kg."""
        return float(sum(body.mass for body in self.bodies))

    @cached_property
    def neutral(self) -> Array:
        """Return the posture nearest to zero inside the limits, (n_dof,)."""
        q: Array = np.clip(0.0, self.lower, self.upper)
        q.flags.writeable = False
        return q

    # -- making new models from this one ----------------------------------------------------

    def with_body(self, body: Body) -> Model:
        """Return this model with one more body: a payload, a tool, an attached object."""
        return replace(self, bodies=(*self.bodies, body), tip=self.tip)

    def with_point(self, name: str, point: ControlPoint, *, tip: bool = False) -> Model:
        """Return this model with one more named control point, made the tip on request."""
        return replace(self, points={**self.points, name: point}, tip=name if tip else self.tip)

    def with_joint(self, joint: Joint) -> Model:
        """Return this model with the joint of the same name replaced: other limits, say."""
        if joint.name not in (known.name for known in self.joints):
            raise UnknownName("joint", joint.name, [known.name for known in self.joints])
        bodies = [replace(b, joint=joint) if b.joint.name == joint.name else b for b in self.bodies]
        return replace(self, bodies=tuple(bodies))

    def with_payload(
        self, name: str, mass: float, *, at: str | None = None, pose: Pose | None = None
    ) -> Model:
        """Return this model carrying a point mass at a control point (the tip when None)."""
        point = self.point(at)
        placement = point.pose if pose is None else point.pose @ pose
        joint = Joint(f"{name}_hold")
        return self.with_body(Body(name, joint, point.body, placement, mass=mass))

    def without(self, name: str) -> Model:
        """Return this model with a body and all that hangs on it taken away."""
        gone = {self.body(name).name}
        for body in self.bodies:  # parents come first
            if body.parent in gone:
                gone.add(body.name)
        if self.point().body in gone:
            raise BadModel(f"body {name!r}", "carries the tip; choose another tip first")
        bodies = tuple(body for body in self.bodies if body.name not in gone)
        points = {k: point for k, point in self.points.items() if point.body not in gone}
        return replace(self, bodies=bodies, points=points)

    def prefixed(self, prefix: str) -> Model:
        """Return this model with `prefix` put before the name of every body, joint and point."""
        bodies = tuple(_prefixed_body(body, prefix) for body in self.bodies)
        points = {
            prefix + name: ControlPoint(prefix + point.body, point.pose)
            for name, point in self.points.items()
        }
        return replace(self, bodies=bodies, points=points, tip=prefix + self.tip)

    def attached(
        self, other: Model, *, at: str | None = None, pose: Pose | None = None, name: str = ""
    ) -> Model:
        """Return this model with `other` mounted on a control point; its tip becomes the tip."""
        point = self.point(at)
        placement = point.pose if pose is None else point.pose @ pose
        grafted = []
        for body in other.bodies:
            if body.parent is None:
                body = replace(body, parent=point.body, placement=placement @ body.placement)
            grafted.append(body)
        return replace(
            self,
            name=name or f"{self.name}+{other.name}",
            bodies=(*self.bodies, *grafted),
            points={**self.points, **other.points},
            tip=other.tip,
            source="; ".join(text for text in (self.source, other.source) if text),
            notes=(*self.notes, *other.notes),
        )


def merge_models(name: str, models: Mapping[str, tuple[Model, Pose]]) -> Model:
    """Return one model that holds several, each at its base pose, names prefixed with `key/`."""
    merged = Model(name, (Body("world", Joint("world")),))
    for key, (model, world_from_base) in models.items():
        merged = merged.attached(model.prefixed(f"{key}/"), at="world", pose=world_from_base)
    return replace(merged, name=name)


def _prefixed_body(body: Body, prefix: str) -> Body:
    mimic = body.joint.mimic
    joint = replace(
        body.joint,
        name=prefix + body.joint.name,
        mimic=mimic and Mimic(prefix + mimic.source, mimic.ratio, mimic.offset),
    )
    parent = None if body.parent is None else prefix + body.parent
    return replace(body, name=prefix + body.name, joint=joint, parent=parent)


def _sorted(bodies: tuple[Body, ...], model: str) -> tuple[Body, ...]:
    """Return the bodies parents first, siblings as given; refuse what is not a tree."""
    if not bodies:
        raise BadModel(f"model {model!r}", "has no bodies")
    if len(bodies) > MAX_BODIES:
        raise BadModel(f"model {model!r}", f"has {len(bodies)} bodies; at most {MAX_BODIES}")
    names = _unique("body", (body.name for body in bodies))
    _unique("joint", (body.joint.name for body in bodies))
    children: dict[str | None, list[Body]] = {}
    for body in bodies:
        if body.parent is not None and body.parent not in names:
            raise BadModel(f"body {body.name!r}", f"hangs on unknown body {body.parent!r}")
        children.setdefault(body.parent, []).append(body)
    ordered: list[Body] = []
    waiting = list(reversed(children.get(None, [])))
    while waiting:  # depth first, so that a chain's coordinates stay together
        body = waiting.pop()
        ordered.append(body)
        waiting.extend(reversed(children.get(body.name, [])))
    if len(ordered) < len(bodies):
        lost = sorted(names - {body.name for body in ordered})
        raise BadModel(f"body {lost[0]!r}", f"is on a closed loop with {', '.join(lost[1:4])}")
    return tuple(ordered)


def _unique(kind: str, names: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadModel(f"{kind} {name!r}", "occurs twice; names must be unique")
        seen.add(name)
    return seen


def _check_joints(model: Model) -> None:
    joints = {body.joint.name: body.joint for body in model.bodies}
    for body in model.bodies:
        part = f"joint {body.joint.name!r}"
        if body.joint.kind == "floating" and body.parent is not None:
            parent = model.body(body.parent)
            if parent.joint.kind != "fixed" or parent.parent is not None:
                raise BadModel(part, "floats, which only a root may; its parent moves")
        mimic = body.joint.mimic
        if mimic is None:
            continue
        source = joints.get(mimic.source)
        if source is None:
            raise BadModel(part, f"mimics unknown joint {mimic.source!r}")
        if source.mimic or source.kind not in ("revolute", "prismatic"):
            raise BadModel(part, f"mimics {mimic.source!r}, which is not a free hinge or slider")
