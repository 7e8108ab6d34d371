"""The robot library: `load("kuka_lwr")`, and a list of what there is.

Each robot is a TOML file in `data/`, every number with its source; see `dh` for the format. An arm
that the wheelchair's rail offers also comes as `NAME_rail`, with the rail as its first joint.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

from robotix.errors import UnknownName
from robotix.model.dh import DhFile, parse_dh_file
from robotix.model.rail import RailFile, load_wheelchair_rail, mount_on_rail
from robotix.model.robot_info import CONFIDENCE, Provenance, RobotInfo
from robotix.model.tree import Model

__all__ = ["Provenance", "RobotInfo", "describe_robot", "load", "robot_names"]

_RAIL_FILE = "wheelchair_rail"
_ON_RAIL = "_rail"
_DATA = resources.files(__package__) / "data"


def robot_names() -> tuple[str, ...]:
    """Names of all robots in the library, in alphabetical order."""
    files = [entry.name for entry in _DATA.iterdir() if entry.name.endswith(".toml")]
    arms = [name.removesuffix(".toml") for name in files]
    arms.remove(_RAIL_FILE)
    return tuple(sorted([*arms, *(arm + _ON_RAIL for arm in load_wheelchair_rail().arms)]))


def load(robot: str | Path, *, tilt: float | None = None) -> Model:
    """Return a robot: one of the library by its name, or any other from its file.

    `tilt` (rad, positive lowers the front) is for library robots on the rail; flat when None.
    A name of the library wins over a file of the same name.
    """
    if isinstance(robot, str) and _is_plain(robot):
        if not os.path.isfile(robot) or robot in robot_names():
            return _load_from_library(robot, tilt)
    if tilt is not None:
        raise ValueError(f"a robot from a file takes no tilt, got {tilt!r} for {str(robot)!r}")
    from robotix.model.load import load_file  # heavy readers only when a file is asked for

    return load_file(robot)


def describe_robot(name: str) -> RobotInfo:
    """Return what is known about a robot of the library."""
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


def _load_from_library(name: str, tilt: float | None) -> Model:
    arm, rail = _read(name)
    if rail is not None:
        return mount_on_rail(arm.model, rail.rail, tilt=tilt or 0.0, name=name)
    if tilt is not None:
        raise ValueError(f"robot {name!r} has no rail to tilt; robots on the rail end in '_rail'")
    return arm.model


@cache  # models never change, and reading one takes some milliseconds
def _read(name: str) -> tuple[DhFile, RailFile | None]:
    """Return what the library has under a name: an arm, and the rail it stands on, if any."""
    rail = None
    arm = name
    if name.endswith(_ON_RAIL):
        rail, arm = load_wheelchair_rail(), name.removesuffix(_ON_RAIL)
    file = _DATA / f"{arm}.toml"
    is_known = _is_plain(name) and arm != _RAIL_FILE and (rail is None or arm in rail.arms)
    if not (is_known and file.is_file()):
        raise UnknownName("robot", name, robot_names())
    return parse_dh_file(file.read_text(encoding="utf-8"), path=file.name), rail


def _is_plain(name: str) -> bool:
    """Tell whether this may be a name of the library, not a path or a file."""
    return "." not in name and not any(mark in name for mark in ("/", os.sep))
