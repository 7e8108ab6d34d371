"""What is assessed: a task that is performed first, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from robotix.errors import UnknownName

if TYPE_CHECKING:
    from robotix.capture import Followed
    from robotix.capture.markers import Axis
    from robotix.human import Manikin, Side
    from robotix.human.contacts import ContactPhase
    from robotix.human.performance import Performance

__all__ = ["Subject", "performance_of"]

MOTIONS = (".csv", ".mcap")
RECORDINGS = (".c3d", ".bvh", ".trc")
HANDS: dict[str, tuple[Side, ...]] = {
    "both": ("right", "left"),
    "right": ("right",),
    "left": ("left",),
}


@dataclass(frozen=True)
class Subject:
    """A task or a file, and the body that does it."""

    what: str
    sex: str = "m"
    stature: float | None = None
    mass: float | None = None
    percentile: float | None = None
    population: str = "ansur2"
    style: str = "natural"
    parameters: Mapping[str, float] = field(default_factory=dict)
    hands: str = "both"
    markers: str = "cmu"
    unit: str | None = None
    up: str | None = None

    def manikin(self) -> Manikin:
        """Return the body."""
        from robotix.human import make_anthropometry, make_manikin

        body = make_anthropometry(
            sex=self.sex,
            stature=self.stature,
            mass=self.mass,
            percentile=self.percentile,
            population=self.population,
        )
        return make_manikin(body)


def performance_of(subject: Subject) -> Performance:
    """Let the body do the task, or read the file."""
    if subject.hands not in HANDS:
        raise typer.BadParameter(f"--hands is both, right or left, not {subject.hands!r}")
    suffix = Path(subject.what).suffix.lower()
    if suffix in (*MOTIONS, *RECORDINGS):
        return _recorded(subject, is_capture=suffix in RECORDINGS)
    from robotix.human.tasks import TASKS, perform

    if subject.what not in TASKS:
        endings = (f"FILE{ending}" for ending in (*MOTIONS, *RECORDINGS))
        raise UnknownName("task or motion file", subject.what, (*TASKS, *endings))
    return perform(
        subject.what,
        subject.manikin(),
        style=subject.style,
        parameters=dict(subject.parameters),
    )


def _recorded(subject: Subject, *, is_capture: bool) -> Performance:
    from robotix.ergonomics import recorded
    from robotix.motion import load_motion

    others = [name for name in subject.parameters if name != "load"]
    if others:
        raise typer.BadParameter(f"--set {others[0]}: a file has no parameters but --load")
    load, hands = float(subject.parameters.get("load", 0.0)), HANDS[subject.hands]
    name = Path(subject.what).name
    if not is_capture:
        manikin = subject.manikin()
        motion = load_motion(subject.what, model=manikin.model)
        return recorded(motion, manikin, name=name, load=load, hands=hands)
    followed = _followed(subject)
    manikin = followed.recording.manikin
    contacts = _stances(followed, manikin)
    return recorded(followed.motion, manikin, name=name, load=load, hands=hands, contacts=contacts)


def _followed(subject: Subject) -> Followed:
    from robotix.capture import follow_file

    if subject.percentile is not None:
        raise typer.BadParameter("--percentile: a recording says how tall the person is")
    if subject.up not in (None, "x", "y", "z"):
        raise typer.BadParameter(f"--up is x, y or z, not {subject.up!r}")
    return follow_file(
        subject.what,
        plan=subject.markers,
        unit=_length(subject.unit),
        up=cast("Axis | None", subject.up),
        sex=subject.sex,
        stature=subject.stature,
        mass=subject.mass,
    )


def _length(unit: str | None) -> str | float | None:
    """Return a unit by its name, or as a number of metres."""
    try:
        return None if unit is None else float(unit)
    except ValueError:
        return unit


def _stances(followed: Followed, manikin: Manikin) -> list[ContactPhase]:
    """Return when the recorded feet stood."""
    import numpy as np

    from robotix.human.contacts import ContactPhase, sole

    times, phases = followed.motion.times, []
    for side, foot in followed.feet.items():
        edges = np.flatnonzero(np.diff(np.r_[False, foot.stands, False]))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            span = float(times[start]), float(times[stop - 1])
            phases.append(ContactPhase(sole(manikin, side), *span))
    return phases
