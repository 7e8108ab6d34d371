"""Makes a scene for a robot or a person."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from robotix.geometry import Halfspace
from robotix.model import Model, Visual
from robotix.model.rates import with_default_rates
from robotix.scene.graph.content import Attributes, Material
from robotix.scene.scene import Scene

if TYPE_CHECKING:
    from robotix.authoring.trust import Trust
    from robotix.human import Manikin

__all__ = ["load_scene_or_robot", "robot_scene"]

SCENE_SUFFIXES = frozenset({".yaml", ".yml", ".vd2", ".cfg"})
FLOOR_MATERIAL = Material((0.86, 0.87, 0.89))


def robot_scene(what: Model | Manikin, *, name: str = "") -> Scene:
    """Return a scene with a floor and, on it, one robot or person.

    A robot starts at q = 0, or as near to it as its joint limits allow; joints without a velocity
    limit get the default ones (`robotix.model.rates`).
    """
    from robotix.scene.console.console import install_console

    title = what.name if isinstance(what, Model) else "person"
    scene = Scene(name=name or title)
    floor = Halfspace()
    scene.graph.add(
        "floor", solids=[floor], visuals=[Visual(floor)], attributes=Attributes(FLOOR_MATERIAL)
    )
    if isinstance(what, Model):
        scene.add_robot(what.name or "robot", with_default_rates(what)).avoid_self()
    else:
        scene.add_person("person", what)
    install_console(scene)
    return scene


def load_scene_or_robot(
    file: str | Path,
    *,
    rate: float | None = None,
    seed: int | None = None,
    trust: Trust = False,
    arguments: Mapping[str, str] | None = None,
) -> Scene:
    """Load a scene file, or make a scene for a robot of the library or from a file.

    `rate` (Hz) and `seed` replace those of a scene file; `trust` says which of its plug-ins may
    run, as for `load_scene`. `arguments` are those of a robot that is a xacro file.
    """
    from robotix.authoring import load_scene

    path = Path(file)
    if path.suffix.lower() in SCENE_SUFFIXES:
        return load_scene(path, rate=rate, seed=seed, trust=trust)
    from robotix.model.robots import load

    scene = robot_scene(load(str(file), arguments=arguments))
    if path.suffix and path.is_file():
        scene.files.folder = path.parent
        next(iter(scene.robots.values())).source_file = path.name
    return scene
