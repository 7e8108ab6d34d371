"""Cutting a joint of a mechanism: its branch goes on as a body of its own.

A new model is compiled, with the branch under the world, and the state is brought over by name.
Positions stay, velocities are those that the bodies had, so momentum stays too. Compiling takes
some milliseconds and needs nothing that changes, so it can be done in a thread; see
`Simulation.prepare_cut`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import mujoco
import numpy as np

from robotix.dynamics.simulation.compile import (
    MeshLoader,
    compile_world,
    slider_names,
    slot_name,
)
from robotix.dynamics.simulation.parts import Mechanism, World
from robotix.dynamics.simulation.settings import Settings
from robotix.errors import BadField, UnknownName

__all__ = ["PreparedCut", "compile_cut", "transfer_state"]


@dataclass(frozen=True, eq=False)
class PreparedCut:
    """A world with joints cut, compiled and waiting for `Simulation.swap`."""

    joints: tuple[str, ...]  # as "mechanism/joint"
    before: World = field(repr=False)
    after: World = field(repr=False)
    model: mujoco.MjModel = field(repr=False)
    data: mujoco.MjData = field(repr=False)


def compile_cut(
    world: World, joints: tuple[str, ...], settings: Settings, meshes: MeshLoader | None
) -> PreparedCut:
    """Compile a world in which joints, named as "mechanism/joint", are cut."""
    after = world
    for name in joints:
        after = _without_joint(after, name)
    model = compile_world(after, settings, meshes)
    return PreparedCut(joints, world, after, model, mujoco.MjData(model))


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
class _Compiled:
    model: mujoco.MjModel
    data: mujoco.MjData


def transfer_state(
    old_model: mujoco.MjModel,
    old_data: mujoco.MjData,
    new_model: mujoco.MjModel,
    new_data: mujoco.MjData,
    settings: Settings,
) -> None:
    """Bring the state of one compiled world into another that differs in the joints that are cut.

    Poses and velocities of bodies in `old_data` must be those of its state.
    """
    old, new = _Compiled(old_model, old_data), _Compiled(new_model, new_data)
    new_data.time = old_data.time
    for k in range(new_model.njnt):
        _transfer_joint(old, new, k)
    for k in range(1, new_model.nbody):
        name = new_model.body(k).name
        new_data.xfrc_applied[k] = old_data.xfrc_applied[old_model.body(name).id]
    for k in range(new_model.nu):
        name = new_model.actuator(k).name
        new_data.ctrl[k] = old_data.ctrl[old_model.actuator(name).id]
    if mujoco.mj_name2id(new_model, mujoco.mjtObj.mjOBJ_EQUALITY, slot_name(0)) >= 0:
        for slot in range(settings.slots):
            _transfer_slot(old, new, slot)
        for slider in range(settings.sliders):
            _transfer_slider(old, new, slider)


def _transfer_joint(old: _Compiled, new: _Compiled, k: int) -> None:
    kind, name = new.model.jnt_type[k], new.model.joint(k).name
    was = int(mujoco.mj_name2id(old.model, mujoco.mjtObj.mjOBJ_JOINT, name))
    qpos, dof = int(new.model.jnt_qposadr[k]), int(new.model.jnt_dofadr[k])
    if was < 0 or old.model.jnt_type[was] != kind:  # cut: a free joint now
        body = old.model.body(new.model.body(int(new.model.jnt_bodyid[k])).name).id
        v = np.empty(6)
        mujoco.mj_objectVelocity(old.model, old.data, mujoco.mjtObj.mjOBJ_XBODY, body, v, 0)
        rotation = old.data.xmat[body].reshape(3, 3)
        new.data.qpos[qpos : qpos + 7] = (*old.data.xpos[body], *old.data.xquat[body])
        new.data.qvel[dof : dof + 6] = (*v[3:], *(rotation.T @ v[:3]))
        return
    is_free = kind == mujoco.mjtJoint.mjJNT_FREE
    here, there = int(old.model.jnt_qposadr[was]), int(old.model.jnt_dofadr[was])
    n_pos, n_dof = (7, 6) if is_free else (1, 1)
    new.data.qpos[qpos : qpos + n_pos] = old.data.qpos[here : here + n_pos]
    for into, of in (
        (new.data.qvel, old.data.qvel),
        (new.data.qfrc_applied, old.data.qfrc_applied),
        (new.data.qacc_warmstart, old.data.qacc_warmstart),
    ):
        into[dof : dof + n_dof] = of[there : there + n_dof]


def _transfer_slot(old: _Compiled, new: _Compiled, slot: int) -> None:
    here, there = (each.model.equality(slot_name(slot)).id for each in (new, old))
    new.model.eq_type[here] = old.model.eq_type[there]
    new.model.eq_data[here] = old.model.eq_data[there]
    new.data.eq_active[here] = old.data.eq_active[there]
    for ends_new, ends_old in (
        (new.model.eq_obj1id, old.model.eq_obj1id),
        (new.model.eq_obj2id, old.model.eq_obj2id),
    ):
        ends_new[here] = new.model.body(old.model.body(int(ends_old[there])).name).id


def _transfer_slider(old: _Compiled, new: _Compiled, slider: int) -> None:
    for name in slider_names(slider):
        here, there = (each.model.body(name).id for each in (new, old))
        for table in ("body_mass", "body_inertia", "body_subtreemass", "body_invweight0"):
            getattr(new.model, table)[here] = getattr(old.model, table)[there]
