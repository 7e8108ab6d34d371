"""What is assessed: a task that is performed first, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from robotix.errors import BadFile, UnknownName

if TYPE_CHECKING:
    from robotix.capture import Followed
    from robotix.capture.markers import AxisName
    from robotix.human import Anthropometry, Manikin, Side
    from robotix.human.motion.performance import Performance
    from robotix.motion import Motion

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
    sex: str | None = None  # of a file, as it says; else a man
    stature: float | None = None
    mass: float | None = None
    percentile: float | None = None
    population: str = "ansur2"
    style: str = "natural"
    parameters: Mapping[str, float] = field(default_factory=dict)
    hands: str | None = None  # of a file, as it says; else both
    markers: str = "cmu"
    unit: str | None = None
    up: str | None = None

    def manikin(self) -> Manikin:
        """Return the body."""
        from robotix.human import make_anthropometry, make_manikin

        body = make_anthropometry(
            sex=self.sex or "m",
            stature=self.stature,
            mass=self.mass,
            percentile=self.percentile,
            population=self.population,
        )
        return make_manikin(body)

    @property
    def is_described(self) -> bool:
        """Whether anything was said about the body."""
        return any(given is not None for given in (self.sex, *self._sizes))

    @property
    def _sizes(self) -> tuple[float | None, float | None, float | None]:
        return self.stature, self.mass, self.percentile

    def check_agrees(self, body: Anthropometry) -> None:
        """Refuse to give somebody's motion to somebody else."""
        if not self.is_described:
            return
        said = self.manikin().anthropometry
        wrong = "sex" if self.sex is not None and said.sex != body.sex else ""
        for name, given in (("stature", self.stature), ("mass", self.mass)):
            if given is not None or self.percentile is not None:
                ours, theirs = float(getattr(said, name)), float(getattr(body, name))
                wrong = wrong or (name if abs(ours - theirs) > 1e-3 * theirs else "")
        if wrong:
            raise typer.BadParameter(
                f"{self.what} is the motion of another body ({body.label}): its {wrong} is not "
                f"{getattr(said, wrong)}; leave the options of the body out"
            )


def performance_of(subject: Subject) -> Performance:
    """Let the body do the task, or read the file."""
    if subject.hands not in (None, *HANDS):
        raise typer.BadParameter(f"--hands is both, right or left, not {subject.hands!r}")
    suffix = Path(subject.what).suffix.lower()
    if suffix in (*MOTIONS, *RECORDINGS):
        return _recorded(subject, is_capture=suffix in RECORDINGS)
    from robotix.human.tasks.tasks import TASKS, perform

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
    load = subject.parameters.get("load")
    hands = None if subject.hands is None else HANDS[subject.hands]
    name = Path(subject.what).name
    if not is_capture:
        motion = load_motion(subject.what)
        try:
            manikin = _mover(subject, motion)
            return recorded(motion, manikin, name=name, load=load, hands=hands)
        except ValueError as error:
            raise BadFile(subject.what, str(error), "a motion of the human") from None
    from robotix.capture.follow_run import marked_motion

    followed = _followed(subject)
    manikin = followed.recording.manikin
    return recorded(marked_motion(followed), manikin, name=name, load=load, hands=hands)


def _mover(subject: Subject, motion: Motion) -> Manikin:
    """Return the body that a motion is of: the file may say it, else the options must."""
    from robotix.human import make_manikin
    from robotix.human.motion.motion_body import body_in

    body = body_in(motion)
    if body is not None:
        subject.check_agrees(body)
        return make_manikin(body)
    if not subject.is_described:
        raise typer.BadParameter(
            f"{subject.what} does not say whose motion it is: give --sex, and --percentile or "
            "--stature and --mass"
        )
    return subject.manikin()


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
        up=cast("AxisName | None", subject.up),
        sex=subject.sex or "m",
        stature=subject.stature,
        mass=subject.mass,
    )


def _length(unit: str | None) -> str | float | None:
    """Return a unit by its name, or as a number of metres."""
    try:
        return None if unit is None else float(unit)
    except ValueError:
        return unit
