"""Robot models that scenes name, and the postures they give them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path

from robotix.authoring.legacy.layout import LegacyRoom
from robotix.authoring.load.files import SceneFolder
from robotix.authoring.schema.format import RobotEntry
from robotix.errors import RobotixError
from robotix.files.yaml.scalars import nearest
from robotix.files.yaml.text import YamlMapping, YamlSequence, YamlValue
from robotix.model import Model
from robotix.model.load import load_file, load_files
from robotix.model.robots import load, robot_names
from robotix.model.user_robots import user_robots_folder
from robotix.motion.coordinates import model_dofs
from robotix.scene.scene import Scene

__all__ = ["Models", "add_robots"]

LIMIT_TOLERANCE = 1e-6  # rad or m, by which rounding may take a joint beyond its limit


def add_robots(scene: Scene, file: str) -> None:
    """Put all robots of a file into a room, as the command `init` does.

    The file lies beside the scene, or among the robots of the user.
    """
    folder = scene.files.source.parent if scene.files.source is not None else Path()
    path = folder / file
    if not path.exists() and (own := user_robots_folder() / file).exists():
        path = own
    if path.suffix.lower() == ".cfg":
        LegacyRoom(scene).add_robots(path)
        return
    for model in load_files(path):
        names = chain([model.name], (f"{model.name}_{number}" for number in count(2)))
        scene.add_robot(next(name for name in names if name not in scene.graph), model)


@dataclass
class Models:
    """Loads models, the same file only once."""

    home: SceneFolder
    loaded: dict[Path, Model] = field(default_factory=dict)

    def load(self, text: RobotEntry, value: YamlValue) -> Model:
        """Return the model that a robot's entry names."""
        place = value.near("model") if isinstance(value, YamlMapping) else value
        try:
            if text.model in robot_names():
                return load(text.model, **text.options)  # type: ignore[arg-type]
        except (ValueError, RobotixError) as error:
            at = value.near("options") if isinstance(value, YamlMapping) else value
            at.refuse(str(error), f"options that {text.model!r} takes")
        if "." not in text.model:
            expected = nearest(text.model, robot_names(), what="a robot of the library, or a file")
            place.refuse(f"no robot {text.model!r}", expected)
        if text.options:
            place.refuse("options of a robot from a file", "options of the library's robots only")
        return self._from_file(text.model, place)

    def _from_file(self, name: str, place: YamlValue) -> Model:
        path = self.home.find(name, place, what="a robot's file")
        if path not in self.loaded:
            try:
                self.loaded[path] = load_file(path)
            except (ValueError, RobotixError) as error:
                place.refuse(f"a file that was refused ({error})", "the file of one robot")
        return self.loaded[path]

    def posture(self, text: RobotEntry, model: Model, value: YamlValue) -> Sequence[float] | None:
        """Return the joints at the start; None when the entry does not say."""
        if text.q is None and text.q_deg is None:
            return None
        assert isinstance(value, YamlMapping)
        if text.q is not None and text.q_deg is not None:
            value.near("q").refuse("'q' besides 'q_deg'", "one of the two")
        key = "q" if text.q is not None else "q_deg"
        given = text.q if text.q is not None else text.q_deg
        assert given is not None
        dofs = model_dofs(model)
        if len(given) != len(dofs):
            names = ", ".join(dof.name for dof in dofs)
            value.near(key).refuse(f"{len(given)} numbers", f"{len(dofs)}, one each for {names}")
        q = [
            number if key == "q" or dof.unit == "m" else math.radians(number)
            for number, dof in zip(given, dofs, strict=True)
        ]
        _check_limits(q, model, value.near(key))
        return q


def _check_limits(q: Sequence[float], model: Model, place: YamlValue) -> None:
    """Raise BadFile for joints beyond their limits."""
    items = place.items if isinstance(place, YamlSequence) else (place,) * len(q)
    limits = zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    for number, dof, (low, high), item in zip(q, model_dofs(model), limits, items, strict=True):
        if not low - LIMIT_TOLERANCE <= number <= high + LIMIT_TOLERANCE:
            unit, k = ("m", 1.0) if dof.unit == "m" else ("°", math.degrees(1.0))
            found = f"joint {dof.name!r} at {k * number:.6g}{unit}"
            item.refuse(found, f"{k * low:.6g} to {k * high:.6g}{unit}, its range")
