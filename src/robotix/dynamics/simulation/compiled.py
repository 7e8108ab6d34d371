"""A compiled world, and where its parts are in MuJoCo's arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from robotix.dynamics.simulation.compile import MeshLoader, compile_world, slider_names
from robotix.dynamics.simulation.coordinates import Coordinates, Indices, coordinates_of
from robotix.dynamics.simulation.parts import World
from robotix.dynamics.simulation.settings import Settings

__all__ = ["CompiledWorld", "make_compiled"]

LONE_BODY_DOFS = 6
MAX_DENSE = 200  # coordinates; beyond, sparse matrices are faster


@dataclass(frozen=True, eq=False)
class CompiledWorld:
    """A world, its model and its state in MuJoCo, and the addresses that are looked up once."""

    world: World
    model: mujoco.MjModel
    data: mujoco.MjData
    coordinates: Mapping[str, Coordinates]  # of mechanisms, by name
    moving: Indices  # bodies that count for energy and momentum


def make_compiled(world: World, settings: Settings, meshes: MeshLoader | None) -> CompiledWorld:
    """Compile a world; its state is MuJoCo's default one."""
    model = compile_world(world, settings, meshes)
    model.opt.jacobian = _jacobian(model, settings)
    coordinates = {part.name: coordinates_of(part, model) for part in world.mechanisms}
    moving = _moving_bodies(world, model, settings)
    return CompiledWorld(world, model, mujoco.MjData(model), coordinates, moving)


def _jacobian(model: mujoco.MjModel, settings: Settings) -> mujoco.mjtJacobian:
    """Choose dense matrices, but for large worlds in which at most one mechanism moves.

    With sparse ones, the Newton solver of MuJoCo 4.0.0 does not converge where two trees of many
    joints touch or are connected.
    """
    sizes = np.bincount(model.dof_treeid) if model.nv else np.zeros(0)
    mechanisms = int((sizes > LONE_BODY_DOFS).sum()) - settings.sliders  # each is a small tree
    is_dense = model.nv <= MAX_DENSE or mechanisms > 1
    return mujoco.mjtJacobian.mjJAC_DENSE if is_dense else mujoco.mjtJacobian.mjJAC_SPARSE


def _moving_bodies(world: World, model: mujoco.MjModel, settings: Settings) -> Indices:
    ignored = {each.name for each in world.objects if each.mobility == "driven"}
    ignored.update(name for k in range(settings.sliders) for name in slider_names(k))
    ids = [
        k
        for k in range(1, model.nbody)
        if model.body_weldid[k] and model.body(k).name not in ignored
    ]
    return np.array(ids, dtype=np.intp)
