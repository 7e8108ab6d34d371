"""Logs of a robot: what its joints were commanded and did, its attitude, its foot forces.

A CSV file has a heading of names and one line a sample, in s, rad, m and N:

    time,left_knee_command,left_knee,roll,pitch,left_foot_force

A joint's column is what it measured, `JOINT_command` what it was to do; `roll` and `pitch` are
those of the floating root; `BODY_force` is the vertical force of the floor on a body. Units in
brackets after a name, `left_knee [rad]`, are ignored. An MCAP file is a motion file with the same
names; it holds no forces.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from robotix.errors import BadFile
from robotix.files.source_file import read_text
from robotix.geometry import Array
from robotix.model import Model
from robotix.motion import load_motion

__all__ = ["RobotLog", "load_log", "save_log"]

COMMAND, FORCE, ATTITUDE = "_command", "_force", ("roll", "pitch")
MAX_ROWS = 1_000_000
_UNIT = re.compile(r"\s*\[[^\]]*\]$")


@dataclass(frozen=True, eq=False)
class RobotLog:
    """Samples over time, by name; `commands` by joint."""

    times: Array  # (k,), s, increasing
    commands: dict[str, Array]  # (k,) each, rad or m
    signals: dict[str, Array]  # (k,) each: joints, roll, pitch (rad), BODY_force (N)

    def check_model(self, model: Model) -> None:
        """Raise ValueError if a column is not of this model."""
        bodies = {body.name for body in model.bodies}
        for name in self.commands:
            if name not in model.dof_names:
                raise ValueError(f"{model.name} has no joint {name!r} to command")
        for name in self.signals:
            is_force = name.endswith(FORCE) and name.removesuffix(FORCE) in bodies
            if name not in model.dof_names and name not in ATTITUDE and not is_force:
                raise ValueError(
                    f"{name!r} is no joint of {model.name}, no attitude (roll, pitch) and no "
                    f"BODY_force"
                )


def load_log(path: str | Path) -> RobotLog:
    """Read a log from a .csv or .mcap file; `BadFile` says what is wrong with it."""
    if Path(path).suffix.lower() == ".mcap":
        motion = load_motion(path)
        columns = dict(zip(motion.names, motion.q.T, strict=True))
        return _make(str(path), motion.times, columns)
    rows = list(csv.reader(io.StringIO(read_text(path, what="a log of a robot"))))
    if len(rows) < 3 or len(rows) > MAX_ROWS:
        raise BadFile(str(path), f"{len(rows)} lines", "a heading and at least two samples", line=1)
    names = [_UNIT.sub("", name.strip()) for name in rows[0]]
    if names[0] != "time" or len(set(names)) < len(names) or "" in names:
        raise BadFile(str(path), f"the heading {rows[0]}", "time and names of its own each", line=1)
    values = np.empty((len(rows) - 1, len(names)))
    for k, row in enumerate(rows[1:]):
        try:
            values[k] = [float(cell) for cell in row]
        except ValueError:
            found = f"{','.join(row)[:60]!r}"
            raise BadFile(str(path), found, f"{len(names)} numbers", line=k + 2) from None
    columns = dict(zip(names[1:], values[:, 1:].T, strict=True))
    return _make(str(path), values[:, 0], columns)


def _make(path: str, times: Array, columns: dict[str, Array]) -> RobotLog:
    if not (np.isfinite(times).all() and (np.diff(times) > 0).all()):
        raise BadFile(path, "times that do not increase", "increasing times, in s")
    for name, values in columns.items():
        if not np.isfinite(values).all():
            raise BadFile(path, f"{name!r} with what is not a number", "numbers")
    commands = {
        name.removesuffix(COMMAND): values.copy()
        for name, values in columns.items()
        if name.endswith(COMMAND)
    }
    signals = {n: values.copy() for n, values in columns.items() if not n.endswith(COMMAND)}
    if not commands or not signals:
        expected = "columns JOINT_command, and columns of what was measured"
        raise BadFile(path, f"the columns {', '.join(columns)}"[:200], expected, line=1)
    return RobotLog(np.array(times, dtype=float), commands, signals)


def save_log(path: str | Path, log: RobotLog) -> None:
    """Write a log as CSV."""
    columns = {f"{name}{COMMAND}": values for name, values in log.commands.items()} | log.signals
    lines = [",".join(["time", *columns])]
    for k, time in enumerate(log.times):
        lines.append(",".join(repr(float(v)) for v in (time, *(c[k] for c in columns.values()))))
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
