"""Writes a room as a new scene file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from robotix.authoring.load.used_devices import written_devices
from robotix.authoring.save.comparing import written_objects, written_robots, written_rules
from robotix.authoring.save.entries import (
    attribute_entry,
    material_entry,
    object_entry,
    physics_entry,
    place_entry,
    start_entry,
    task_entry,
    written_posture,
)
from robotix.files.yaml.write import Plain, to_yaml
from robotix.geometry import Array
from robotix.human import make_anthropometry
from robotix.model import Model
from robotix.model.robots import load, robot_names
from robotix.motion.coordinates import model_dofs
from robotix.scene.people.person import Person
from robotix.scene.plugins import Plugin
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["joints_entry", "line_of", "person_entry", "plugin_entry", "robot_entry", "write_new"]


def write_new(scene: Scene, folder: Path) -> str:
    """Return the text of a file in `folder` that says what is in the room."""
    parts = ["robotix: 1", *_settings(scene)]
    sections: dict[str, Mapping[str, Plain]] = {
        "materials": {name: material_entry(m) for name, m in scene.assets.materials.items()},
        "robots": {
            name: robot_entry(scene, robot) for name, robot in written_robots(scene).items()
        },
        "objects": {
            node.name: object_entry(scene, node, folder) for node in written_objects(scene)
        },
        "people": {name: person_entry(scene, person) for name, person in scene.people.items()},
        "tasks": {name: task_entry(steps) for name, steps in scene.assets.tasks.items()},
        "devices": written_devices(scene),
        "plugins": {plugin.name: plugin_entry(plugin) for plugin in scene.plugins},
    }
    for section, entries in sections.items():
        parts += _section(section, [line_of(key, value) for key, value in entries.items()])
    parts += _section("rules", [line_of(None, rule) for rule in written_rules(scene)])
    parts += _section("start", [line_of(None, command) for command in start_entry(scene)])
    return "\n".join(parts) + "\n"


def _settings(scene: Scene) -> Iterable[str]:
    usual = Scene()
    if scene.name:
        yield f"name: {to_yaml(scene.name)}"
    if scene.dt != usual.dt:
        yield f"rate: {to_yaml(round(1 / scene.dt, 9))}"
    if scene.seed != usual.seed:
        yield f"seed: {scene.seed}"
    if scene.stops_with_page != usual.stops_with_page:
        yield f"stops_with_page: {to_yaml(scene.stops_with_page)}"
    if (physics := physics_entry(scene)) is not None:
        yield f"physics: {to_yaml(physics)}"


def _section(section: str, lines: list[str]) -> list[str]:
    return ["", f"{section}:", *(f"  {line}" for line in lines)] if lines else []


def line_of(key: str | None, value: Plain) -> str:
    """Return an entry of a section as one line; without a key, an item of a list."""
    return f"- {to_yaml(value)}" if key is None else f"{to_yaml(key)}: {to_yaml(value)}"


def robot_entry(scene: Scene, robot: Robot, *, model: str = "") -> dict[str, Plain]:
    """Return the entry of a robot; raise ValueError if there is none."""
    if not math.isclose(robot.node.world_scale, 1.0, rel_tol=1e-9):
        raise ValueError(
            f"robot {robot.name!r} is of scale {robot.node.world_scale:g}, which a scene file "
            "cannot say; bring it back to 1"
        )
    entry: dict[str, Plain] = {"model": model or _model_name(robot)}
    if robot.model.tip != _library_tip(robot.model.name):
        entry["tip"] = robot.model.tip
    if robot.model.appearance:
        entry["appearance"] = robot.model.appearance
    entry |= place_entry(scene, robot.node)
    if not np.array_equal(written_posture(robot), robot.model.neutral):
        entry["q_deg"] = joints_entry(robot, written_posture(robot))
    if robot.postures:
        entry["postures_deg"] = {
            name: joints_entry(robot, posture) for name, posture in robot.postures.items()
        }
    if robot.name in scene.physics.simulated:
        entry["simulated"] = True
    return entry | attribute_entry(scene, robot.node)


def person_entry(scene: Scene, person: Person) -> dict[str, Plain]:
    """Return the entry of a person; raise ValueError for a body with custom measures."""
    body = person.manikin.anthropometry
    usual = make_anthropometry(sex=body.sex, stature=body.stature, mass=body.mass)
    if [m.value for m in usual.measures] != [m.value for m in body.measures]:
        raise ValueError(f"person {person.name!r} has measures of their own, which no file can say")
    entry: dict[str, Plain] = {
        "sex": body.sex[0], "stature": body.stature, "mass": body.mass,
    }  # fmt: skip
    return entry | place_entry(scene, person.robot.node) | attribute_entry(scene, person.robot.node)


def plugin_entry(plugin: Plugin) -> dict[str, Plain]:
    """Return the entry of a plug-in."""
    entry: dict[str, Plain] = {"module": plugin.module or plugin.name}
    return {**entry, "args": plugin.args} if plugin.args else entry


def _model_name(robot: Robot) -> str:
    name = robot.model.name
    if robot.source_file:
        return robot.source_file
    if name in robot_names() and _is_same_model(load(name), robot.model):
        return name
    raise ValueError(
        f"robot {robot.name!r} has a model of its own; a scene file can name one of the library, "
        "or one from a file when the scene was loaded with it"
    )


def _library_tip(name: str) -> str:
    return load(name).tip if name in robot_names() else ""


def _is_same_model(one: Model, other: Model) -> bool:
    return one is other or (
        one.dof_names == other.dof_names
        and [body.name for body in one.bodies] == [body.name for body in other.bodies]
        and all(
            np.allclose(a.placement.matrix, b.placement.matrix)
            for a, b in zip(one.bodies, other.bodies, strict=True)
        )
        and np.array_equal(one.lower, other.lower)
        and np.array_equal(one.upper, other.upper)
    )


def joints_entry(robot: Robot, q: Array, *, in_degrees: bool = True) -> list[Plain]:
    """Return joint positions as a file states them; lengths stay in m."""
    return [
        value if dof.unit == "m" or not in_degrees else round(math.degrees(value), 9) + 0.0
        for value, dof in zip(q.tolist(), model_dofs(robot.model), strict=True)
    ]
