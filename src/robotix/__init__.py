"""People and robots in one virtual room, and what happens between them, measured.

The names below load on first use, so that `import robotix` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robotix.errors import BadFile, BadModel, RobotixError, UnknownName
    from robotix.geometry import Pose
    from robotix.kinematics import (
        ComTask,
        Damping,
        Limits,
        OrientationTask,
        PointTask,
        PoseTask,
        Posture,
        PostureTask,
        RelativeTask,
        Solver,
        solve,
        solve_batch,
        solve_step,
    )
    from robotix.model import Body, ControlPoint, Joint, Model
    from robotix.model.robots import load, robot_names
    from robotix.motion import Motion, load_motion, save_motion

__all__ = [
    "BadFile",
    "BadModel",
    "Body",
    "ComTask",
    "ControlPoint",
    "Damping",
    "Joint",
    "Limits",
    "Model",
    "Motion",
    "OrientationTask",
    "PointTask",
    "Pose",
    "PoseTask",
    "Posture",
    "PostureTask",
    "RelativeTask",
    "RobotixError",
    "Solver",
    "UnknownName",
    "load",
    "load_motion",
    "robot_names",
    "save_motion",
    "solve",
    "solve_batch",
    "solve_step",
]

_HOMES = {
    "robotix.errors": ("BadFile", "BadModel", "RobotixError", "UnknownName"),
    "robotix.geometry": ("Pose",),
    "robotix.model": ("Body", "ControlPoint", "Joint", "Model"),
    "robotix.model.robots": ("load", "robot_names"),
    "robotix.motion": ("Motion", "load_motion", "save_motion"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("robotix")
    if name not in __all__:
        raise AttributeError(f"module 'robotix' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME_OF.get(name, "robotix.kinematics")), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
