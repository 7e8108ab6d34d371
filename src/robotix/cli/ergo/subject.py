"""The subject of an assessment: a task that is performed first, or a motion file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from robotix.errors import UnknownName

if TYPE_CHECKING:
    from robotix.capture.markers import AxisName
    from robotix.human import Performance, Side

__all__ = ["Subject", "performance_of"]

HANDS: dict[str, tuple[Side, ...]] = {
    "both": ("right", "left"),
    "right": ("right",),
    "left": ("left",),
}


@dataclass(frozen=True)
class Subject:
    """A task or a file, and the body that performs it, as given on the command line."""

    what: str
    sex: str | None = None  # None: as the file says, else male
    stature: float | None = None
    mass: float | None = None
    percentile: float | None = None
    population: str = "ansur2"
    style: str = "natural"
    parameters: Mapping[str, float] = field(default_factory=dict)
    hands: str | None = None  # None: as the file says, else both
    markers: str = "cmu"
    unit: str | None = None
    up: str | None = None
    static: Path | None = None
    contacts: Sequence[str] = ()


def performance_of(subject: Subject) -> Performance:
    """Perform the task, or read the file."""
    if subject.hands not in (None, *HANDS):
        raise typer.BadParameter(f"--hands is both, right or left, not {subject.hands!r}")
    from robotix.ergonomics.signals.performance_file import CAPTURE_SUFFIXES, MOTION_SUFFIXES
    from robotix.human import TASKS, make_anthropometry, make_manikin, perform

    suffixes = (*MOTION_SUFFIXES, *CAPTURE_SUFFIXES)
    if Path(subject.what).suffix.lower() in suffixes:
        return _from_file(subject)
    if subject.what not in TASKS:
        endings = (f"FILE{suffix}" for suffix in suffixes)
        raise UnknownName("task or motion file", subject.what, (*TASKS, *endings))
    body = make_anthropometry(
        sex=subject.sex or "m",
        stature=subject.stature,
        mass=subject.mass,
        percentile=subject.percentile,
        population=subject.population,
    )
    parameters = dict(subject.parameters)
    return perform(subject.what, make_manikin(body), style=subject.style, parameters=parameters)


def _from_file(subject: Subject) -> Performance:
    """Check the options that concern files, and read the file."""
    from robotix.ergonomics import MotionBodyError, load_performance

    others = [name for name in subject.parameters if name != "load"]
    if others:
        raise typer.BadParameter(f"--set {others[0]}: a file has no parameters but --load")
    if subject.up not in (None, "x", "y", "z"):
        raise typer.BadParameter(f"--up is x, y or z, not {subject.up!r}")
    try:
        return load_performance(
            subject.what,
            sex=subject.sex,
            stature=subject.stature,
            mass=subject.mass,
            percentile=subject.percentile,
            population=subject.population,
            load=subject.parameters.get("load"),
            hands=None if subject.hands is None else HANDS[subject.hands],
            markers=subject.markers,
            unit=_length(subject.unit),
            up=cast("AxisName | None", subject.up),
            static=subject.static,
            contacts=subject.contacts,
        )
    except MotionBodyError as error:
        raise typer.BadParameter(str(error)) from None


def _length(unit: str | None) -> str | float | None:
    """Return a unit by its name, or as a number of metres."""
    try:
        return None if unit is None else float(unit)
    except ValueError:
        return unit
