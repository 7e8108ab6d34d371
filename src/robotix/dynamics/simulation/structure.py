"""Cutting a joint of a mechanism: its branch goes on as a body of its own.

A new model is compiled, with the branch under the world, and the state is brought over by name.
Positions stay, velocities are those that the bodies had, so momentum stays too. Compiling takes
some milliseconds and reads nothing that changes, so it can be done in a thread; see
`Simulation.prepare_cut`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import mujoco
import numpy as np

from robotix.dynamics.simulation.compile import MeshLoader, slider_names, slot_name
from robotix.dynamics.simulation.compiled import CompiledWorld, make_compiled
from robotix.dynamics.simulation.coordinates import Indices
from robotix.dynamics.simulation.parts import Mechanism, World
from robotix.dynamics.simulation.settings import Settings
from robotix.errors import BadField, UnknownName

__all__ = ["PreparedCut", "compile_cut"]

SLIDER_TABLES = ("body_mass", "body_inertia", "body_subtreemass", "body_invweight0")


@dataclass(frozen=True, eq=False)
class PreparedCut:
    """A world with joints cut, compiled and waiting for `Simulation.swap`."""

    joints: tuple[str, ...]  # as "mechanism/joint"
    before: CompiledWorld = field(repr=False)
    after: CompiledWorld = field(repr=False)
    state_map: _StateMap = field(repr=False)

    def take_state(self) -> None:
        """Take over the state; poses and velocities of bodies before must be those of it."""
        old, new = self.before, self.after
        self.state_map.transfer(old.model, old.data, new.model, new.data)


def compile_cut(
    before: CompiledWorld, joints: tuple[str, ...], settings: Settings, meshes: MeshLoader | None
) -> PreparedCut:
    """Compile a world in which joints, named as "mechanism/joint", are cut.

    Of `before`, only names and addresses are read.
    """
    world = before.world
    for name in joints:
        world = _without_joint(world, name)
    after = make_compiled(world, settings, meshes)
    return PreparedCut(joints, before, after, _state_map(before.model, after.model, settings))


def _without_joint(world: World, name: str) -> World:
    found = {
        f"{part.name}/{joint.name}": (part, joint)
        for part in world.mechanisms
        for joint in part.model.joints
    }
    if name not in found:
        raise UnknownName("joint or connection", name, found)
    part, joint = found[name]
    if joint.kind == "floating":
        raise BadField("joint", "one that holds a body, not a floating root", repr(name))
    if joint.name in part.cut:
        raise BadField("joint", "one that is not cut yet", repr(name))
    opened: Mechanism = replace(part, cut=part.cut | {joint.name})
    mechanisms = tuple(opened if each is part else each for each in world.mechanisms)
    return replace(world, mechanisms=mechanisms)


# -- state, by name ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _StateMap:
    """Where everything of one compiled world is in another, which has more joints cut."""

    qpos: tuple[Indices, Indices]  # in the old and in the new world
    dof: tuple[Indices, Indices]
    bodies: Indices  # the old body of each new one
    new_bodies: Indices  # the new body of each old one
    actuators: Indices  # the old actuator of each new one
    slots: tuple[Indices, Indices]  # equalities for connections
    sliders: tuple[Indices, Indices]  # bodies
    cut: tuple[tuple[int, int, int], ...]  # new qpos, new dof, old body

    def transfer(
        self,
        old: mujoco.MjModel,
        old_data: mujoco.MjData,
        new: mujoco.MjModel,
        new_data: mujoco.MjData,
    ) -> None:
        new_data.time = old_data.time
        there, here = self.qpos
        new_data.qpos[here] = old_data.qpos[there]
        there, here = self.dof
        for name in ("qvel", "qfrc_applied", "qacc_warmstart"):
            getattr(new_data, name)[here] = getattr(old_data, name)[there]
        for qpos, dof, body in self.cut:
            _set_free(old, old_data, body, new_data, qpos, dof)
        new_data.xfrc_applied[:] = old_data.xfrc_applied[self.bodies]
        new_data.ctrl[:] = old_data.ctrl[self.actuators]
        there, here = self.slots
        new.eq_type[here], new.eq_data[here] = old.eq_type[there], old.eq_data[there]
        new.eq_obj1id[here] = self.new_bodies[old.eq_obj1id[there]]
        new.eq_obj2id[here] = self.new_bodies[old.eq_obj2id[there]]
        new_data.eq_active[here] = old_data.eq_active[there]
        there, here = self.sliders
        for name in SLIDER_TABLES:
            getattr(new, name)[here] = getattr(old, name)[there]


def _set_free(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    body: int,
    new_data: mujoco.MjData,
    qpos: int,
    dof: int,
) -> None:
    """Give a free joint the pose and velocity of a body of the old world."""
    v = np.empty(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, v, 0)
    new_data.qpos[qpos : qpos + 7] = (*data.xpos[body], *data.xquat[body])
    rotation = data.xmat[body].reshape(3, 3)
    new_data.qvel[dof : dof + 6] = (*v[3:], *(rotation.T @ v[:3]))


def _state_map(old: mujoco.MjModel, new: mujoco.MjModel, settings: Settings) -> _StateMap:
    qpos, dof, cut = [], [], []
    for k in range(new.njnt):
        is_free = new.jnt_type[k] == mujoco.mjtJoint.mjJNT_FREE
        n_pos, n_dof = (7, 6) if is_free else (1, 1)
        here = int(new.jnt_qposadr[k]), int(new.jnt_dofadr[k])
        was = int(mujoco.mj_name2id(old, mujoco.mjtObj.mjOBJ_JOINT, new.joint(k).name))
        if was < 0 or old.jnt_type[was] != new.jnt_type[k]:
            cut.append((*here, int(old.body(new.body(int(new.jnt_bodyid[k])).name).id)))
            continue
        there = int(old.jnt_qposadr[was]), int(old.jnt_dofadr[was])
        qpos += [(there[0] + i, here[0] + i) for i in range(n_pos)]
        dof += [(there[1] + i, here[1] + i) for i in range(n_dof)]
    bodies = [int(old.body(new.body(k).name).id) for k in range(new.nbody)]
    slots, sliders = [], []
    if mujoco.mj_name2id(new, mujoco.mjtObj.mjOBJ_BODY, slider_names(0)[0]) >= 0:
        names = [name for k in range(settings.sliders) for name in slider_names(k)]
        sliders = [(int(old.body(name).id), int(new.body(name).id)) for name in names]
    if mujoco.mj_name2id(new, mujoco.mjtObj.mjOBJ_EQUALITY, slot_name(0)) >= 0:
        names = [slot_name(k) for k in range(settings.slots)]
        slots = [(int(old.equality(name).id), int(new.equality(name).id)) for name in names]
    return _StateMap(
        _pairs(qpos),
        _pairs(dof),
        np.array(bodies, dtype=np.intp),
        np.argsort(bodies),
        np.array([old.actuator(new.actuator(k).name).id for k in range(new.nu)], dtype=np.intp),
        _pairs(slots),
        _pairs(sliders),
        tuple(cut),
    )


def _pairs(pairs: list[tuple[int, int]]) -> tuple[Indices, Indices]:
    there, here = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    return there, here
