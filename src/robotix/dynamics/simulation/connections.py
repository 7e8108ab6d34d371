"""Connections: joints between two bodies that come and go while a simulation runs.

A connection closes a loop by constraints; nothing is compiled and no parent changes. A model has
inactive equalities (`Settings.slots`) that are written and switched on:

- weld: one weld;
- ball: one connection of points;
- hinge: two connections of points, on the axis;
- slider: a rail and its carriage (of `Settings.sliders`) are welded to one body each, since MuJoCo
  has no such equality. They weigh a millionth of the lighter body.

At that instant the velocities of both bodies in the directions that the joint holds become equal,
by the impulse of a plastic impact; the other velocities and all positions are continuous. Bodies
that are connected do not touch each other, as neighbours in a mechanism do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.simulation.compile import slider_names, slot_name
from robotix.dynamics.simulation.exclusions import exclude_pair, include_pair
from robotix.dynamics.simulation.impact import absorb_impact
from robotix.dynamics.simulation.settings import Settings
from robotix.errors import BadField, RobotixError, UnknownName
from robotix.geometry import Array, Pose
from robotix.geometry.rotation import checked_array

__all__ = [
    "BallJoint",
    "Connection",
    "Connections",
    "HingeJoint",
    "LoopJoint",
    "NoFreeSlot",
    "SliderJoint",
    "WeldJoint",
]

HINGE_HALF_LENGTH = 0.1  # m, from the middle of a hinge to the points that are connected
SLIDER_MASS_RATIO = 1e-6  # of rail and carriage, to the lighter body: smaller costs digits
SLIDER_RADIUS_SQUARED = 1e-3  # m²; their inertia per mass
MIN_SLIDER_MASS = 1e-9  # kg


class NoFreeSlot(RobotixError, RuntimeError):
    """All places for connections are taken."""


@dataclass(frozen=True)
class WeldJoint:
    """Holds two bodies together as they are."""

    kind = "weld"
    slots = 1


@dataclass(frozen=True, eq=False)
class BallJoint:
    """Lets two bodies turn about a point, given in the world when they are connected."""

    at: Array  # (3,), m
    kind = "ball"
    slots = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", checked_array(self.at, (3,), "at"))


@dataclass(frozen=True, eq=False)
class HingeJoint:
    """Lets two bodies turn about an axis through a point, both in the world when connected."""

    at: Array  # (3,), m
    axis: Array  # (3,); made a unit vector
    kind = "hinge"
    slots = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", checked_array(self.at, (3,), "at"))
        object.__setattr__(self, "axis", _unit(self.axis))


@dataclass(frozen=True, eq=False)
class SliderJoint:
    """Lets two bodies slide along an axis, in the world when they are connected."""

    axis: Array  # (3,); made a unit vector
    kind = "slider"
    slots = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _unit(self.axis))


LoopJoint: TypeAlias = WeldJoint | BallJoint | HingeJoint | SliderJoint


@dataclass(frozen=True, eq=False)
class Connection:
    """Two bodies that are connected; `Simulation.cut` opens it."""

    name: str
    first: str
    second: str  # one of them may be "world"
    joint: LoopJoint
    slots: tuple[int, ...] = field(repr=False)  # of the equalities that it uses
    slider: int | None = field(default=None, repr=False)


class Connections:
    """The connections of one simulation, by name, in the order they were made."""

    def __init__(self, settings: Settings, driven: Collection[str] = ()) -> None:
        """Start without connections; `driven` are objects that forces do not move."""
        self._driven = frozenset(driven)
        self._by_name: dict[str, Connection] = {}
        self._free_slots = list(range(settings.slots))
        self._free_sliders = list(range(settings.sliders))
        self._settings = settings
        self._made = 0

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._by_name.values())

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Connection:
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownName("connection", name, self._by_name) from None

    def close(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        first: str,
        second: str,
        joint: LoopJoint,
        *,
        name: str | None = None,
    ) -> Connection:
        """Connect two bodies; poses in `data` must be those of the present state."""
        one, other = _body_id(model, first), _body_id(model, second)
        self._check_pair(model, first, second)
        if name is None:
            name = f"connection {self._made}"
        elif name in self._by_name or not name:
            raise BadField("name", "a new name", repr(name))
        made = self._allocate(name, first, second, joint)
        self._made += 1
        slots = [int(model.equality(slot_name(k)).id) for k in made.slots]
        match joint:
            case WeldJoint():
                _write_weld(model, data, slots[0], one, other)
            case BallJoint():
                _write_point(model, data, slots[0], one, other, joint.at)
            case HingeJoint():
                for slot, side in zip(slots, (-HINGE_HALF_LENGTH, HINGE_HALF_LENGTH), strict=True):
                    _write_point(model, data, slot, one, other, joint.at + side * joint.axis)
            case SliderJoint():
                assert made.slider is not None
                _write_slider(model, data, slots, one, other, joint.axis, made.slider)
        data.eq_active[slots] = 1
        if made.slider is not None:
            _start_slider(model, data, made.slider)
        exclude_pair(model, one, other)
        absorb_impact(model, data)
        self._by_name[name] = made
        return made

    def open(self, model: mujoco.MjModel, data: mujoco.MjData, name: str) -> None:
        """Open a connection: nothing else changes."""
        gone = self[name]
        data.eq_active[[model.equality(slot_name(k)).id for k in gone.slots]] = 0
        if gone.slider is not None:
            park_slider(model, data, gone.slider)
            self._free_sliders.append(gone.slider)
        include_pair(model, _body_id(model, gone.first), _body_id(model, gone.second))
        self._free_slots.extend(gone.slots)
        self._free_slots.sort()  # the same connections take the same slots in every run
        self._free_sliders.sort()
        del self._by_name[name]

    def owner(self, model: mujoco.MjModel, body: str) -> str:
        """Return the body that the rail or carriage of a slider stands for; else the body."""
        for each in self:
            if each.slider is not None and body in slider_names(each.slider):
                ends = (each.first, each.second)
                return next(end for end in ends if self._is_moved_by_forces(model, end))
        return body

    def exclude_again(self, model: mujoco.MjModel) -> None:
        """Let connected bodies not touch each other in another model of the same bodies."""
        for each in self:
            exclude_pair(model, _body_id(model, each.first), _body_id(model, each.second))

    def _check_pair(self, model: mujoco.MjModel, first: str, second: str) -> None:
        one, other = _body_id(model, first), _body_id(model, second)
        if one == other:
            raise BadField("b", f"another body than {first!r}", repr(second))
        part = model.body_weldid  # the body that it is rigidly part of; 0 for the world
        if not any(self._is_moved_by_forces(model, name) for name in (first, second)):
            raise BadField("b", f"a body that forces move, as {first!r} is none", repr(second))
        if part[one] == part[other]:
            raise BadField("b", f"a body that moves relative to {first!r}", repr(second))

    def _is_moved_by_forces(self, model: mujoco.MjModel, name: str) -> bool:
        return bool(model.body_weldid[_body_id(model, name)]) and name not in self._driven

    def _allocate(self, name: str, first: str, second: str, joint: LoopJoint) -> Connection:
        if len(self._free_slots) < joint.slots:
            raise NoFreeSlot(
                f"a {joint.kind} needs {joint.slots} slots, but {len(self._free_slots)} of "
                f"{self._settings.slots} are free; cut something, or give Settings(slots=…) more"
            )
        slides = isinstance(joint, SliderJoint)
        if slides and not self._free_sliders:
            raise NoFreeSlot(
                f"all {self._settings.sliders} sliders are in use; cut one, or give "
                "Settings(sliders=…) more"
            )
        slots = tuple(self._free_slots[: joint.slots])
        del self._free_slots[: joint.slots]
        slider = self._free_sliders.pop(0) if slides else None
        return Connection(name, first, second, joint, slots, slider)


def _unit(axis: ArrayLike) -> Array:
    vector = checked_array(axis, (3,), "axis")
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise BadField("axis", "not zero", axis)
    return np.asarray(vector / length)


def _body_id(model: mujoco.MjModel, name: str) -> int:
    k = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name))
    if k < 0:
        raise UnknownName("body", name, [model.body(i).name for i in range(model.nbody)])
    return k


# -- writing equalities -----------------------------------------------------------------------


def _write_point(
    model: mujoco.MjModel, data: mujoco.MjData, slot: int, one: int, other: int, at: Array
) -> None:
    """Make the point of two bodies that is now at `at` (world) one point."""
    _write_ends(model, slot, mujoco.mjtEq.mjEQ_CONNECT, one, other)
    model.eq_data[slot, 0:3] = _in_body(data, one, at)
    model.eq_data[slot, 3:6] = _in_body(data, other, at)


def _write_weld(
    model: mujoco.MjModel, data: mujoco.MjData, slot: int, one: int, other: int
) -> None:
    """Hold two bodies as they are now; the point that is held is the second's centre of mass."""
    _write_ends(model, slot, mujoco.mjtEq.mjEQ_WELD, one, other)
    at = data.xipos[other if model.body_weldid[other] else one]
    model.eq_data[slot, 0:3] = _in_body(data, other, at)
    model.eq_data[slot, 3:6] = _in_body(data, one, at)
    back, turn = np.empty(4), np.empty(4)
    mujoco.mju_negQuat(back, data.xquat[one])
    mujoco.mju_mulQuat(turn, back, data.xquat[other])
    model.eq_data[slot, 6:10] = turn
    model.eq_data[slot, 10] = 1.0  # m; how torques count against forces


def _write_ends(model: mujoco.MjModel, slot: int, kind: mujoco.mjtEq, one: int, other: int) -> None:
    model.eq_type[slot] = kind
    model.eq_obj1id[slot], model.eq_obj2id[slot] = one, other
    model.eq_data[slot] = 0.0


def _in_body(data: mujoco.MjData, body: int, point: Array) -> Array:
    return np.asarray(data.xmat[body].reshape(3, 3).T @ (point - data.xpos[body]))


# -- sliders ----------------------------------------------------------------------------------


def _write_slider(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    slots: list[int],
    one: int,
    other: int,
    axis: Array,
    slider: int,
) -> None:
    """Weld a massless rail to one body and its carriage to the other."""
    rail, carriage = (model.body(name).id for name in slider_names(slider))
    at = np.array(data.xipos[other if model.body_weldid[other] else one])
    v_one, v_other = (_velocity_at(model, data, body, at) for body in (one, other))
    rotation = _rotation_with_x(axis)
    _set_slider(model, data, slider, Pose(rotation, at), v_one, float(axis @ (v_other - v_one)[:3]))
    ends = [k for k in (one, other) if model.body_weldid[k]]
    bodies = [rail, carriage]
    # A connection is as soft as its bodies are light; rail and carriage count as the ends do.
    model.body_invweight0[bodies] = model.body_invweight0[ends].max(axis=0)
    mass = max(SLIDER_MASS_RATIO * float(model.body_mass[ends].min()), MIN_SLIDER_MASS)
    model.body_mass[bodies], model.body_inertia[bodies] = mass, SLIDER_RADIUS_SQUARED * mass
    model.body_subtreemass[bodies] = 2 * mass, mass
    mujoco.mj_kinematics(model, data)
    _write_weld(model, data, slots[0], one, rail)
    _write_weld(model, data, slots[1], other, carriage)


def _start_slider(model: mujoco.MjModel, data: mujoco.MjData, slider: int) -> None:
    """Give a slider the velocity after the impact, so that it takes no part in it."""
    before = np.array(data.qvel)
    absorb_impact(model, data)
    rail, carriage = (model.joint(name).dofadr[0] for name in slider_names(slider))
    own = [*range(rail, rail + 6), carriage]
    before[own] = data.qvel[own]
    data.qvel[:] = before


def park_slider(model: mujoco.MjModel, data: mujoco.MjData, slider: int) -> None:
    """Put an unused slider at rest."""
    _set_slider(model, data, slider, Pose(), np.zeros(6), 0.0)


def _set_slider(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    slider: int,
    pose: Pose,
    twist: Array,
    rate: float,
) -> None:
    rail, carriage = (model.joint(name) for name in slider_names(slider))
    data.qpos[rail.qposadr[0] : rail.qposadr[0] + 7] = (*pose.translation, *pose.quaternion)
    data.qvel[rail.dofadr[0] : rail.dofadr[0] + 6] = (*twist[:3], *(pose.rotation.T @ twist[3:]))
    data.qpos[carriage.qposadr[0]], data.qvel[carriage.dofadr[0]] = 0.0, rate


def _velocity_at(model: mujoco.MjModel, data: mujoco.MjData, body: int, point: Array) -> Array:
    """Return linear (of a point) and angular velocity of a body in the world, (6,)."""
    v = np.empty(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, v, 0)
    linear = v[3:] + np.cross(v[:3], point - data.xpos[body])
    return np.array([*linear, *v[:3]])


def _rotation_with_x(axis: Array) -> Array:
    """Return a rotation whose first column is a unit vector."""
    helper = np.eye(3)[int(np.argmin(abs(axis)))]
    y = np.cross(axis, helper)
    y /= np.linalg.norm(y)
    return np.column_stack([axis, y, np.cross(axis, y)])
