"""Robot models that scenes name, and the postures they give them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path

import numpy as np

from robotix.authoring.legacy.layout import LegacyRoom
from robotix.authoring.load.files import SceneFolder
from robotix.authoring.schema.format import RobotEntry
from robotix.errors import BadField, BadFile, RobotixError
from robotix.files.yaml.scalars import nearest
from robotix.files.yaml.text import YamlMapping, YamlSequence, YamlValue
from robotix.geometry import Array, Mesh
from robotix.model import Model, Visual
from robotix.model.load import ReadOptions, load_file, load_files
from robotix.model.mjcf.check import read_mjcf_sources
from robotix.model.rail import load_wheelchair_rail, mount_on_rail
from robotix.model.rates import with_default_rates
from robotix.model.robots import load, robot_names
from robotix.model.user_robots import user_robots_folder
from robotix.motion.coordinates import model_dofs
from robotix.scene.files import check_inside
from robotix.scene.scene import Scene
from robotix.visuals.appearance import with_appearance

__all__ = ["Models", "add_robots"]

MJCF_SUFFIXES = (".xml", ".mjcf")
OUTSIDE = "a robot with a file outside of the scene's folder"
INSIDE = "one whose meshes and includes lie beside it"
LIMIT_TOLERANCE = 1e-6  # rad or m, by which rounding may take a joint beyond its limit


def add_robots(scene: Scene, file: str) -> None:
    """Put all robots of a file into a room, as the command `init` does.

    The file lies beside the scene, or among the robots of the user.
    """
    path = _robot_path(scene.files.assets, file)
    scene.files.use(file, path)
    if path.suffix.lower() == ".cfg":
        LegacyRoom(scene).add_robots(path)
        return
    if path.suffix.lower() == ".xacro":
        raise BadFile(str(path), "a xacro file, which is a program", "URDF; see robotix convert")
    for model in map(with_default_rates, scene.files.read(path, lambda: _read(scene, file, path))):
        names = chain([model.name], (f"{model.name}_{number}" for number in count(2)))
        scene.add_robot(next(name for name in names if name not in scene.graph), model)


def _read(scene: Scene, file: str, path: Path) -> Sequence[Model]:
    """Return the robots of a file; raise BadFile if it names files outside of the folder."""
    if Path(file).is_absolute():  # which only a program can ask for
        return load_files(path)
    own = user_robots_folder()
    home = SceneFolder(own if path.is_relative_to(own) else scene.files.assets)
    check_includes(path, home)
    models = load_files(path)
    for model in models:
        check_meshes(path, model, home)
    return models


def check_includes(path: Path, home: SceneFolder) -> None:
    """Raise BadFile if an MJCF file includes files outside of a folder; open none of them."""

    def check(file: Path) -> None:
        if not home.contains(file):
            raise BadFile(str(path), f"{OUTSIDE} ({file})", INSIDE)

    if path.suffix.lower() in MJCF_SUFFIXES and path.is_file() and b"<mujoco" in path.read_bytes():
        read_mjcf_sources(path, check_include=check)


def check_meshes(path: Path, model: Model, home: SceneFolder) -> None:
    """Raise BadFile if a robot has meshes outside of a folder; not for those of packages."""
    for body in model.bodies:
        for visual in (*body.visuals, *body.collision):
            shape = visual.shape if isinstance(visual, Visual) else visual
            if not isinstance(shape, Mesh):
                continue
            name = shape.uri.removeprefix("file://")
            if "://" not in name and not home.contains(path.parent / name):
                raise BadFile(str(path), f"{OUTSIDE} ({name})", INSIDE)


def _robot_path(folder: Path, file: str) -> Path:
    """Return the path of a robot's file; a link may not lead out of its folder."""
    path = folder / file
    if not path.exists() and (own := user_robots_folder() / file).exists():
        return check_inside(own, user_robots_folder())
    return path if Path(file).is_absolute() else check_inside(path, folder)


@dataclass
class Models:
    """Loads models, the same file only once."""

    home: SceneFolder
    loaded: dict[tuple[Path, bool], Model] = field(default_factory=dict)  # by file and `floating`

    def load(self, text: RobotEntry, value: YamlValue) -> Model:
        """Return the model that a robot's entry names, with the tip that it chooses."""
        model = with_appearance(self._load(text, value), text.appearance)
        if not text.tip:
            return model
        if text.tip not in model.points and text.tip not in {body.name for body in model.bodies}:
            known = [*model.points, *(body.name for body in model.bodies)]
            place = value.near("tip") if isinstance(value, YamlMapping) else value
            expected = nearest(text.tip, known, what="a control point or body")
            place.refuse(f"{model.name} has no point {text.tip!r}", expected)
        return replace(model, tip=text.tip)

    def _load(self, text: RobotEntry, value: YamlValue) -> Model:
        place = value.near("model") if isinstance(value, YamlMapping) else value
        try:
            if text.model in robot_names():
                if text.floating:
                    raise BadField("floating", "left out for robots of the library", "true")
                if text.options.get("rail") is True and not text.model.endswith("_rail"):
                    return self._on_rail(load(text.model), text, value)
                return load(text.model, **text.options)  # type: ignore[arg-type]
        except (ValueError, RobotixError) as error:
            at = value.near("options") if isinstance(value, YamlMapping) else value
            at.refuse(str(error), f"options that {text.model!r} takes")
        if "." not in text.model:
            expected = nearest(text.model, robot_names(), what="a robot of the library, or a file")
            place.refuse(f"no robot {text.model!r}", expected)
        model = self._from_file(text.model, place, floating=text.floating)
        return self._on_rail(model, text, value) if text.options else model

    def _on_rail(self, model: Model, text: RobotEntry, value: YamlValue) -> Model:
        """Return an arm on the wheelchair's rail, for files the only option."""
        at = value.near("options") if isinstance(value, YamlMapping) else value
        tilt = text.options.get("tilt", 0.0)
        is_known = set(text.options) <= {"rail", "tilt"} and text.options.get("rail") is True
        if not is_known or isinstance(tilt, str | bool):
            expected = "rail: true, and tilt in rad; other options are of the library's robots"
            at.refuse("options of a robot from a file", expected)
        try:
            return mount_on_rail(model, load_wheelchair_rail().rail, tilt=tilt)
        except (ValueError, RobotixError) as error:
            at.refuse(str(error), "an arm that can stand on the rail")

    def _from_file(self, name: str, place: YamlValue, *, floating: bool) -> Model:
        path = self.home.find(name, place, what="a robot's file")
        if path.suffix.lower() == ".xacro":
            expected = f"URDF, which runs nothing: robotix convert {name} {path.stem}.urdf"
            place.refuse("a xacro file, which is a program", expected)
        key = (path, floating)
        if key not in self.loaded:
            try:
                check_includes(path, self.home)
                model = load_file(path, ReadOptions(floating=floating))
                check_meshes(path, model, self.home)
            except (ValueError, RobotixError) as error:
                place.refuse(f"a file that was refused ({error})", "the file of one robot")
            self.loaded[key] = with_default_rates(model)
        return self.loaded[key]

    def posture(self, text: RobotEntry, model: Model, value: YamlValue) -> Sequence[float] | None:
        """Return the joints at the start; None when the entry does not say."""
        if text.q is None and text.q_deg is None:
            return None
        assert isinstance(value, YamlMapping)
        if text.q is not None and text.q_deg is not None:
            value.near("q").refuse("'q' besides 'q_deg'", "one of the two")
        if text.q is not None:
            return _joints(text.q, model, value.near("q"), in_degrees=False)
        assert text.q_deg is not None
        return _joints(text.q_deg, model, value.near("q_deg"), in_degrees=True)

    def postures(self, text: RobotEntry, model: Model, value: YamlValue) -> dict[str, Array]:
        """Return the postures that the entry names."""
        if not text.postures_deg:
            return {}
        assert isinstance(value, YamlMapping)
        all_of_them = value.near("postures_deg")
        assert isinstance(all_of_them, YamlMapping)
        return {
            name: np.array(_joints(given, model, all_of_them.near(name), in_degrees=True))
            for name, given in text.postures_deg.items()
        }


def _joints(
    given: Sequence[float] | Mapping[str, float],
    model: Model,
    place: YamlValue,
    *,
    in_degrees: bool,
) -> Sequence[float]:
    """Return joint positions in rad and m, from a number a joint or from some joints by name."""
    dofs = model_dofs(model)
    if isinstance(given, Mapping):
        return _by_name(given, model, place, in_degrees=in_degrees)
    if len(given) != len(dofs):
        names = ", ".join(dof.name for dof in dofs)
        place.refuse(f"{len(given)} numbers", f"{len(dofs)}, one each for {names}")
    q = [
        math.radians(number) if in_degrees and dof.unit != "m" else number
        for number, dof in zip(given, dofs, strict=True)
    ]
    _check_limits(q, model, place)
    return q


def _by_name(
    given: Mapping[str, float], model: Model, place: YamlValue, *, in_degrees: bool
) -> list[float]:
    """Return a posture from some joints by name; the others are neutral."""
    dofs = model_dofs(model)
    units = {dof.name: dof.unit for dof in dofs}
    values = dict(zip(model.dof_names, model.neutral.tolist(), strict=True))
    for name, number in given.items():
        if name not in units:
            at = place.entries[name].key if isinstance(place, YamlMapping) else place
            at.refuse(f"no joint {name!r}", nearest(name, units, what="a joint"))
        values[name] = math.radians(number) if in_degrees and units[name] != "m" else number
    q = list(values.values())
    _check_limits(q, model, place)
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
