"""The robot library: `load("kuka_lwr")`, and the list of its robots.

Each robot is a TOML file in `data/`, every number with its source; see `dh` for arms, `tree_file`
for humanoids. An arm that the wheelchair's rail offers also comes as `NAME_rail`, with the rail as
its first joint.

Packages add robots through the entry point group `robotix.robots`: a `LibraryRobot` to each name.

    [project.entry-points."robotix.robots"]
    walker = "my_package.walker:WALKER"
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from robotix.errors import BadField, BadModel, UnknownName
from robotix.model.dh import parse_dh_file
from robotix.model.rail import RailFile, load_wheelchair_rail, mount_on_rail
from robotix.model.robot_info import CONFIDENCE, Provenance, RobotFile, RobotSummary
from robotix.model.tree import Model
from robotix.model.tree_file import parse_tree_file

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["LibraryRobot", "Provenance", "RobotSummary", "describe_robot", "load", "robot_names"]

ENTRY_POINTS = "robotix.robots"
_RAIL_FILE = "wheelchair_rail"
_ON_RAIL = "_rail"
_DATA = resources.files(__package__) / "data"
_TREES = frozenset({"vhrp26"})  # files of bodies; all others are DH tables


@dataclass(frozen=True)
class LibraryRobot:
    """A robot that a package adds to the library."""

    load: Callable[..., Model]  # takes the robot's options as keywords, each with a default
    describe: Callable[[], RobotSummary]  # the robot without options


def robot_names() -> tuple[str, ...]:
    """Names of all robots in the library, in alphabetical order.

    Examples:
        >>> "panda" in rx.robot_names()
        True
    """
    return tuple(sorted({*_own_names(), *_entry_points()}))


def load(
    robot: str | Path,
    *,
    tilt: float | None = None,
    floating: bool = False,
    strict: bool = False,
    arguments: Mapping[str, str] | None = None,
    timeout: float | None = None,
    packages: Iterable[str | os.PathLike[str]] = (),
    **options: object,
) -> Model:
    """Return a robot: one of the library by its name, or any other from its file.

    `tilt` (rad, positive lowers the front) is for library robots on the rail; flat when None.
    Robots of other packages have their own `options`: `load("human", sex="f", stature=1.62)`.
    A name of the library wins over a file of the same name.

    For files: `floating` lets the root float on a joint `root`, `strict` refuses flaws of a URDF
    that are otherwise noted in `Model.notes`, `arguments` are those of a xacro file, and `timeout`
    is the processor time for compiling MJCF or expanding xacro (s, a minute when None). `packages`
    are folders in which the meshes of a file are looked for when it names them by `package://`.

    Examples:
        >>> rx.load("kuka_lwr").n_dof
        7
    """
    if isinstance(robot, str) and _is_plain(robot):
        if not os.path.isfile(robot) or robot in robot_names():
            if floating:
                raise BadField("floating", "left out for robots of the library", floating)
            return _load_from_library(robot, tilt, options)
    for name, value in _given(tilt, options).items():
        raise ValueError(f"a robot from a file takes no {name}, got {value!r} for {str(robot)!r}")
    from robotix.model.load import ReadOptions, load_file  # heavy readers only for files

    return load_file(
        robot,
        ReadOptions(floating, strict, dict(arguments or {}), timeout, tuple(packages)),
    )


def describe_robot(name: str) -> RobotSummary:
    """Return what is known about a robot of the library."""
    if (added := _find_added(name)) is not None:
        return added.describe()
    arm, rail = _read(name)
    if rail is None:
        return arm.info
    model = mount_on_rail(arm.model, rail.rail, name=name)
    own = rail.info(model)
    return replace(
        arm.info,
        name=name,
        title=f"{arm.info.title}, {own.title}",
        n_dof=model.n_dof,
        mass=model.mass,
        source=model.source,
        confidence=min(arm.info.confidence, own.confidence, key=CONFIDENCE[::-1].index),
        notes=(*arm.info.notes, *own.notes),
        provenance=(*arm.info.provenance, *own.provenance),
    )


def _load_from_library(name: str, tilt: float | None, options: Mapping[str, object]) -> Model:
    if (added := _find_added(name)) is not None:
        return _load_added(name, added, _given(tilt, options))
    arm, rail = _read(name)
    for option in options:
        raise ValueError(f"robot {name!r} takes no {option}")
    if rail is not None:
        return mount_on_rail(arm.model, rail.rail, tilt=tilt or 0.0, name=name)
    if tilt is not None:
        raise ValueError(f"robot {name!r} has no rail to tilt; robots on the rail end in '_rail'")
    return arm.model


def _given(tilt: float | None, options: Mapping[str, object]) -> dict[str, object]:
    return dict(options) if tilt is None else {"tilt": tilt, **options}


# -- our own ------------------------------------------------------------------------------------


@cache
def _own_names() -> tuple[str, ...]:
    files = [entry.name for entry in _DATA.iterdir() if entry.name.endswith(".toml")]
    arms = [name.removesuffix(".toml") for name in files]
    arms.remove(_RAIL_FILE)
    return (*arms, *(arm + _ON_RAIL for arm in load_wheelchair_rail().arms))


@cache  # models never change, and reading one takes some milliseconds
def _read(name: str) -> tuple[RobotFile, RailFile | None]:
    """Return what the library has under a name: an arm, and the rail it stands on, if any."""
    if name not in _own_names():
        raise UnknownName("robot", name, robot_names())
    rail = load_wheelchair_rail() if name.endswith(_ON_RAIL) else None
    file = _DATA / f"{name.removesuffix(_ON_RAIL)}.toml"
    if name in _TREES:
        return parse_tree_file(file.read_text(encoding="utf-8"), path=file.name), None
    return parse_dh_file(file.read_text(encoding="utf-8"), path=file.name), rail


def _is_plain(name: str) -> bool:
    """Return whether this may be a name of the library, not a path or a file."""
    return "." not in name and not any(mark in name for mark in ("/", os.sep))


# -- added by packages --------------------------------------------------------------------------


@cache  # looking through all installed packages takes some milliseconds
def _entry_points() -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


def _find_added(name: str) -> LibraryRobot | None:
    """Return a robot that a package added; None for our own names, which win, and unknown ones."""
    if name in _own_names() or name not in _entry_points():
        return None
    entry = _entry_points()[name]
    try:
        robot = entry.load()
    except Exception as error:  # a foreign package may fail in any way while it is imported
        problem = f"{entry.value} cannot be loaded ({error}); repair or remove the package"
        raise BadModel(f"robot {name!r}", problem) from error
    if not isinstance(robot, LibraryRobot):
        raise BadModel(f"robot {name!r}", f"{entry.value} is {robot!r}, not a LibraryRobot")
    return robot


def _load_added(name: str, robot: LibraryRobot, options: Mapping[str, object]) -> Model:
    known = inspect.signature(robot.load)
    try:
        known.bind(**options)
    except TypeError as error:
        takes = ", ".join(known.parameters) or "no options"
        raise ValueError(f"robot {name!r} {error}; it takes {takes}") from None
    return robot.load(**options)
