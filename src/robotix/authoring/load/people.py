"""People and their tasks, from what files say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import degrees
from typing import Any

import numpy as np

from robotix.authoring.load.document import SceneDocument
from robotix.authoring.schema.format import PersonEntry, SceneEntry
from robotix.errors import BadField, BadFile, RobotixError, UnknownName
from robotix.files.typed.fields import field_specs
from robotix.files.typed.reader import Reader, refuse_error
from robotix.files.yaml.text import YamlMapping, YamlValue
from robotix.geometry import Array
from robotix.human import Manikin, make_anthropometry, make_manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.styles import posture_of
from robotix.human.tasks.tasks import TASKS
from robotix.kinematics import Posture
from robotix.scene.commands.people import Perform
from robotix.scene.scene import Scene

__all__ = ["find_shortfalls", "make_body", "make_posture", "read_tasks"]


@lru_cache(maxsize=32)
def _manikin(
    sex: str, stature: float | None, mass: float | None, percentile: float | None
) -> Manikin:
    return make_manikin(
        make_anthropometry(sex=sex, stature=stature, mass=mass, percentile=percentile)
    )


def make_body(text: PersonEntry, value: YamlValue) -> Manikin:
    """Return the body that an entry describes."""
    try:
        return _manikin(text.sex, text.stature, text.mass, text.percentile)
    except BadField as error:
        refuse_error(value, error, cls=PersonEntry)


def make_posture(manikin: Manikin, text: PersonEntry, value: YamlValue) -> Array:
    """Return the posture that an entry describes, its lowest sole on the floor."""
    q = np.array(manikin.relaxed)
    place = value.near("pose") if isinstance(value, YamlMapping) else value
    try:
        given = posture_of(manikin, {n: degrees(angle) for n, angle in text.pose.items()})
        is_given = posture_of(manikin, dict.fromkeys(text.pose, 1.0)) != 0
    except UnknownName as error:
        refuse_error(place, error)
    q[is_given] = given[is_given]
    model = manikin.model
    for name, number, low, high in zip(model.dof_names, q, model.lower, model.upper, strict=True):
        if not low - 1e-9 <= number <= high + 1e-9:
            found = f"joint {name!r} at {degrees(number):.6g}°"
            place.refuse(found, f"{degrees(low):.6g} to {degrees(high):.6g}°, its range")
    posture = Posture(model, q)
    soles = [posture.position(p)[2] for side in SIDES for p in manikin.support_points(side)]
    q[2] -= min(soles)
    return q


def read_tasks(document: SceneDocument, reader: Reader, scene: Scene) -> None:
    """Read the tasks that the files make of steps."""
    hint: Any = next(slot.hint for slot in field_specs(SceneEntry) if slot.key == "tasks")
    for value in document.lists("tasks"):
        with reader.collecting():
            for name, steps in reader.read(value, hint).items():
                entry = document.entries["tasks", name]
                with reader.collecting():
                    if name in TASKS:
                        entry.key.refuse(f"{name!r}, a task of the library", "another name")
                    if not steps:
                        entry.value.refuse("no steps", "at least one, such as {wait: 1}")
                    scene.assets.tasks.setdefault(name, steps)


def find_shortfalls(parsed: list[tuple[Any, YamlValue]], scene: Scene) -> Iterator[BadFile]:
    """Yield what people cannot do as they are asked to, and by how much."""
    for command, place in parsed:
        if isinstance(command, Perform):
            try:
                faults = command.prepare(scene).faults()
            except (ValueError, RobotixError):
                continue  # refused elsewhere
            for fault in faults:
                found = f"{command.person!r} cannot {command.task!r} as asked: {fault}"
                yield place.fault(found, "a task that this body can do; it goes as far as it can")
