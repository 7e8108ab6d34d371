"""Entries of a scene file for what is in a room, as plain data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from robotix.authoring.load.build import START
from robotix.authoring.schema.words import SOURCES, command_words, written_source
from robotix.files.typed.colours import show_colour
from robotix.files.typed.fields import field_specs
from robotix.files.yaml.rounding import tidy, tidy_all, write_point, write_rotation
from robotix.files.yaml.write import Plain
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.model import Visual
from robotix.scene.commands.basic import InTurn
from robotix.scene.commands.constraints import Hinge, Slide
from robotix.scene.graph.content import (
    Attributes,
    EllipsoidSurface,
    Light,
    Material,
    Prop,
    Region,
    Sound,
    Trace,
    Viewpoint,
)
from robotix.scene.graph.graph import Node
from robotix.scene.people.task_steps import STEPS
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Command, Scene, SceneRule

__all__ = [
    "EntryFields",
    "attribute_entry",
    "command_entry",
    "is_made_by_rules",
    "material_entry",
    "object_entry",
    "physics_entry",
    "place_entry",
    "rule_entry",
    "shape_entry",
    "standing",
    "start_entry",
    "task_entry",
    "written_posture",
]

EntryFields: TypeAlias = dict[str, Plain]
FLAGS = ("visible", "wireframe", "pickable", "collidable")


# -- things ---------------------------------------------------------------------------------


def written_posture(robot: Robot) -> Array:
    """Return the joint positions, within their limits, which give way a little when simulated."""
    return np.clip(robot.q, robot.model.lower, robot.model.upper)


def object_entry(scene: Scene, node: Node, folder: Path) -> EntryFields:
    """Return the entry of an object for a file in `folder`; raise ValueError if there is none."""
    return {
        **_shapes(node, folder),
        **_content(node),
        **place_entry(scene, node),
        **({"scale": tidy(node.scale)} if node.scale != 1 else {}),
        **attribute_entry(scene, node),
        **_body(node),
        **_guide(scene, node),
    }


def _guide(scene: Scene, node: Node) -> EntryFields:
    """Return the hinge or slide of a node."""
    guide = scene.assets.guides.get(node.name)
    if not isinstance(guide, Hinge | Slide):
        return {}
    usual: Hinge | Slide = type(guide)(guide.node, guide.hand)
    names = (
        ("axis", "origin", "lower", "upper")
        if isinstance(guide, Hinge)
        else ("axis", "lower", "upper")
    )
    given = {n: _plain(getattr(guide, n)) for n in names if getattr(guide, n) != getattr(usual, n)}
    return {"hinge" if isinstance(guide, Hinge) else "slide": given}


def place_entry(scene: Scene, node: Node) -> EntryFields:
    """Return the parent of a node and its pose there, as keys of an entry."""
    on, pose = standing(scene, node)
    entry: EntryFields = {"on": on} if on else {}
    return entry | _place(pose)


def _place(pose: Pose) -> EntryFields:
    point = write_point(pose.translation)
    return {**({"at": point} if point else {}), **write_rotation(pose)}


def standing(scene: Scene, node: Node) -> tuple[str, Pose]:
    """Return what a node stands on (empty: the room), and where there; not what commands laid over.

    A person who has walked is where the feet are.
    """
    parent = scene.control.layers.base(node, "parent")
    pose, person = _pose_in(scene, node, parent), scene.people.get(node.name)
    if person is not None and node is person.robot.node:
        pose = pose @ person.displacement()
    return "" if parent.parent is None else parent.name, pose


def _pose_in(scene: Scene, node: Node, parent: Node) -> Pose:
    if parent is node.parent:
        numbers = np.array(scene.control.layers.base(node, "pose"))
        return Pose(numbers[:9].reshape(3, 3), numbers[9:])
    below = parent.world_pose.inverse() @ node.world_pose
    return Pose(below.rotation, below.translation / parent.world_scale)


def attribute_entry(scene: Scene, node: Node) -> EntryFields:
    """Return what is not as usual about a node, below what commands have laid over it."""
    entry: EntryFields = {}
    material: Material | None = scene.control.layers.base(node, "material")
    if material is not None:
        known = scene.assets.materials.get(material.name)
        entry["material"] = material.name if known == material else material_entry(material)
    for flag in FLAGS:
        value = scene.control.layers.base(node, flag)
        if value != getattr(Attributes(), flag):
            entry[flag] = value
    return entry


def material_entry(material: Material) -> EntryFields:
    """Return the keys of a material that differ from the defaults."""
    usual = Material()
    entry: EntryFields = {"colour": show_colour(material.colour)}
    for key in ("opacity", "metalness", "roughness", "pattern"):
        if getattr(material, key) != getattr(usual, key):
            entry[key] = getattr(material, key)
    return entry


def _body(node: Node) -> EntryFields:
    if node.body is None:
        return {}
    entry: EntryFields = {}
    for each in dataclasses.fields(node.body):
        value = getattr(node.body, each.name)
        if value != each.default:
            entry[each.name] = value
    return {"body": entry or node.body.kind}


def physics_entry(scene: Scene) -> Plain:
    """Return what a file says about physics; None when it is off."""
    settings = scene.physics.settings
    if settings is None:
        return None
    entry: EntryFields = {}
    for each in dataclasses.fields(settings):
        value = getattr(settings, each.name)
        if value != each.default:
            entry[each.name] = list(value) if isinstance(value, tuple) else value
    return entry or True


def _content(node: Node) -> EntryFields:
    match node.content:
        case None:
            return {}
        case Light(kind, colour, strength):
            return {"light": {"kind": kind, "colour": show_colour(colour), "strength": strength}}
        case Viewpoint(angle):
            return {"viewpoint": {"field_of_view": angle}}
        case Sound(file, loop, volume):
            return {"sound": {"file": file, "loop": loop, "volume": volume}}
        case Region():
            return {"region": True}
    what = type(node.content).__name__
    raise ValueError(f"{node.name!r} holds a {what}, which a scene file cannot say; remove it")


def is_made_by_rules(node: Node) -> bool:
    """Return whether a node is part of a robot, or was added by commands."""
    if node.robot is not None or isinstance(node.content, EllipsoidSurface | Trace | Prop):
        return True
    return any(each.name.startswith("trace of ") for each in (node, *node.ancestors()))


# -- shapes ---------------------------------------------------------------------------------


def _shapes(node: Node, folder: Path) -> EntryFields:
    _check_looks(node)
    if not node.solids:
        return {}
    if len(node.solids) == 1 and not _place(node.solids[0].pose):
        return shape_entry(node.solids[0], folder)
    return {
        "parts": [{**shape_entry(solid, folder), **_place(solid.pose)} for solid in node.solids]
    }


def _check_looks(node: Node) -> None:
    """Raise ValueError if visuals and solids differ: a file has one shape for both.

    Without visuals, it is the solids that are drawn.
    """
    if not node.visuals:
        return
    drawn = () if isinstance(node.content, Region) else node.solids
    visuals = [visual.shape for visual in node.visuals]
    is_plain = all(visual.rgba == Visual(visual.shape).rgba for visual in node.visuals)
    same = len(visuals) == len(drawn) and all(a is b for a, b in zip(visuals, drawn, strict=True))
    if not (is_plain and same):
        raise ValueError(
            f"{node.name!r} is drawn otherwise than it collides, which a scene file cannot say; "
            "give it the same shapes for both, and a material"
        )


def shape_entry(shape: Shape, folder: Path) -> EntryFields:
    """Return the entry of a shape without its pose."""
    match shape:
        case Box():
            return {"box": tidy_all(shape.size)}
        case Sphere():
            return {"sphere": tidy(shape.radius)}
        case Cylinder():
            return {"cylinder": [tidy(shape.radius), tidy(shape.length)]}
        case Capsule():
            return {"capsule": [tidy(shape.radius), tidy(shape.length)]}
        case Halfspace():
            return {"plane": True}
        case Mesh():
            return {"mesh": _mesh(shape, folder)}


def _mesh(mesh: Mesh, folder: Path) -> Plain:
    file = Path(mesh.uri)
    inside = file.is_absolute() and file.is_relative_to(folder.resolve())
    name = (file.relative_to(folder.resolve()) if inside else file).as_posix()
    if tuple(mesh.scale) == (1.0, 1.0, 1.0):
        return name
    return {"file": name, "scale": tidy_all(mesh.scale)}


# -- rules ----------------------------------------------------------------------------------


def rule_entry(rule: SceneRule) -> EntryFields:
    """Return the entry of a rule; raise ValueError if there is none."""
    entry: EntryFields = {"when": _one_word(written_source(rule.source), SOURCES)}
    if rule.mode != "on":
        entry["mode"] = rule.mode
    entry["do"] = _written(rule, _commands)
    if not is_automatic(rule):
        entry["name"] = rule.name
    return entry


def start_entry(scene: Scene) -> list[Plain]:
    """Return the entry of a command that runs at the start."""
    return [_written(rule, command_entry) for rule in scene.rules.of(START)]


def is_automatic(rule: SceneRule) -> bool:
    """Return whether the name of a rule comes from its line, not from its author."""
    file, _, line = rule.name.rpartition(":")
    return rule.name == f"when {rule.source}" or (Path(file).suffix != "" and line.isdecimal())


def _commands(command: Command) -> Plain:
    if isinstance(command, InTurn):
        return [command_entry(each) for each in command.do]
    return command_entry(command)


def _written(rule: SceneRule, write: Callable[[Command], Plain]) -> Plain:
    try:
        return write(rule.command)
    except ValueError as error:
        raise ValueError(f"rule {rule.name!r} cannot be written: {error}") from None


def command_entry(command: Command) -> Plain:
    """Return the entry of a command; raise ValueError if files have no word for it."""
    return _one_word(command, command_words())


def task_entry(steps: Sequence[Any]) -> Plain:
    """Return the entry of a task."""
    return [_one_word(step, STEPS) for step in steps]


def _one_word(value: Any, words: Any) -> Plain:
    word = next((word for word, cls in words.items() if type(value) is cls), None)
    if word is None:
        raise ValueError(f"{value!r} is not among the words of scene files")
    given = dict(_given(value))
    if not given:
        return str(word)
    first = field_specs(type(value))[0].key
    alone = given.get(first)
    if list(given) == [first] and not isinstance(alone, dict | list):
        return {word: alone}
    return {word: given}


def _given(value: Any) -> Iterator[tuple[str, Plain]]:
    for slot in field_specs(type(value)):
        field = getattr(value, slot.name)
        if slot.is_required or field != slot.default:
            yield slot.key, _plain(field)


def _plain(value: Any) -> Plain:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if type(value) in STEPS.values():
        return _one_word(value, STEPS)
    if dataclasses.is_dataclass(value) and type(value) not in command_words().values():
        return dict(_given(value))
    return command_entry(value)
