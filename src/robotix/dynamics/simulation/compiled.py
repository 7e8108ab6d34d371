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
    coordinates = {part.name: coordinates_of(part, model) for part in world.mechanisms}
    moving = _moving_bodies(world, model, settings)
    return CompiledWorld(world, model, mujoco.MjData(model), coordinates, moving)


def _moving_bodies(world: World, model: mujoco.MjModel, settings: Settings) -> Indices:
    ignored = {each.name for each in world.objects if each.mobility == "driven"}
    ignored.update(name for k in range(settings.sliders) for name in slider_names(k))
    ids = [
        k
        for k in range(1, model.nbody)
        if model.body_weldid[k] and model.body(k).name not in ignored
    ]
    return np.array(ids, dtype=np.intp)
