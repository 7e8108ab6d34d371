"""Motions in files as performances: our own motion files, and motion capture."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robotix.ergonomics.signals.sources import recorded
from robotix.errors import BadFile, RobotixError
from robotix.human.body.anthropometry import Anthropometry, make_anthropometry
from robotix.human.body.manikin import make_manikin
from robotix.human.motion.motion_body import body_in
from robotix.motion import load_motion

if TYPE_CHECKING:
    from robotix.capture.markers import AxisName
    from robotix.human.body.skeleton import Side
    from robotix.human.motion.performance import Performance

__all__ = ["CAPTURE_SUFFIXES", "MOTION_SUFFIXES", "MotionBodyError", "load_performance"]

MOTION_SUFFIXES = (".csv", ".mcap")
CAPTURE_SUFFIXES = (".c3d", ".bvh", ".trc")
SIZE_TOLERANCE = 1e-3  # relative difference up to which two statures or masses are the same


class MotionBodyError(RobotixError, ValueError):
    """The body that a motion belongs to is unknown, or is not the one that was given."""


@dataclass(frozen=True)
class _GivenBody:
    """What the caller says about the body; None where nothing is said."""

    sex: str | None
    stature: float | None  # m
    mass: float | None  # kg
    percentile: float | None
    population: str

    @property
    def is_given(self) -> bool:
        sizes = (self.sex, self.stature, self.mass, self.percentile)
        return any(value is not None for value in sizes)

    def anthropometry(self) -> Anthropometry:
        return make_anthropometry(
            sex=self.sex or "m",
            stature=self.stature,
            mass=self.mass,
            percentile=self.percentile,
            population=self.population,
        )

    def check_same(self, body: Anthropometry, *, path: str) -> None:
        """Raise MotionBodyError if this is another body than that of the motion."""
        if not self.is_given:
            return
        given = self.anthropometry()
        wrong = "sex" if self.sex is not None and given.sex != body.sex else ""
        for name, value in (("stature", self.stature), ("mass", self.mass)):
            if value is not None or self.percentile is not None:
                ours, theirs = float(getattr(given, name)), float(getattr(body, name))
                differs = abs(ours - theirs) > SIZE_TOLERANCE * theirs
                wrong = wrong or (name if differs else "")
        if wrong:
            raise MotionBodyError(
                f"{path} is the motion of another body ({body.label}): its {wrong} is not "
                f"{getattr(given, wrong)}; give the same body, or none"
            )


def load_performance(
    path: str | os.PathLike[str],
    *,
    sex: str | None = None,
    stature: float | None = None,
    mass: float | None = None,
    percentile: float | None = None,
    population: str = "ansur2",
    load: float | None = None,
    hands: Sequence[Side] | None = None,
    markers: str | os.PathLike[str] = "cmu",
    unit: str | float | None = None,
    up: AxisName | None = None,
    static: str | os.PathLike[str] | None = None,
    contacts: Sequence[str] = (),
) -> Performance:
    """Read a motion file or a motion capture file as a performance, ready for `assess`.

    Args:
        path: A motion of the manikin (`.csv`, `.mcap`), or a recording (`.c3d`, `.bvh`, `.trc`),
            which a manikin of the recorded person's size then follows.
        sex: Of the body, `"f"` or `"m"`. Motion files that `robotix human` writes contain the body;
            for others it must be given by sex, and percentile or stature and mass.
        stature: In m; for a recording, estimated from the markers when None.
        mass: In kg; for a recording, the mean at the stature when None.
        percentile: Of stature and mass, instead of giving them; not for recordings.
        population: Survey that the percentile refers to.
        load: Mass in the hands, kg; as the file says when None, or 0.
        hands: Hands that carry it; as the file says when None, or both.
        markers: Marker plan of a recording, by name or path; see `follow_file`.
        unit: Unit of length of a recording; see `follow_file`.
        up: Upward axis of a recording; see `follow_file`.
        static: Recording in which the same person stands; see `follow_file`.
        contacts: What touches something when, for a recording; see `parse_contacts`.

    Raises:
        BadFile: The file cannot be read, or is not a motion of the manikin.
        MotionBodyError: The body is unknown, or the file contains another one than was given.
    """
    name, suffix = Path(path).name, Path(path).suffix.lower()
    given = _GivenBody(sex, stature, mass, percentile, population)
    if suffix in CAPTURE_SUFFIXES:
        from robotix.capture.body_contacts import parse_contacts
        from robotix.capture.follow_markers import follow_file
        from robotix.capture.follow_run import marked_motion, with_own_plates
        from robotix.capture.marker_report import report_on

        if percentile is not None:
            raise MotionBodyError("percentile: a recording says how tall the person is")
        subject: dict[str, Any] = {"sex": sex or "m", "stature": stature, "mass": mass}
        subject["contacts"] = parse_contacts(contacts)
        followed = follow_file(path, plan=markers, unit=unit, up=up, static=static, **subject)
        manikin = followed.recording.manikin
        report = with_own_plates(report_on(followed), followed, path=path, up=up)
        marked = marked_motion(followed, report=report)
        return recorded(marked, manikin, name=name, load=load, hands=hands)
    if suffix not in MOTION_SUFFIXES:
        expected = f"a motion: {', '.join((*MOTION_SUFFIXES, *CAPTURE_SUFFIXES))}"
        raise BadFile(os.fspath(path), f"the ending {suffix!r}", expected)
    return _load_motion(os.fspath(path), given, load=load, hands=hands)


def _load_motion(
    path: str, given: _GivenBody, *, load: float | None, hands: Sequence[Side] | None
) -> Performance:
    """Read a motion of the manikin; its body is in the file, or as given."""
    motion = load_motion(path)
    try:
        body = body_in(motion)
        if body is None:
            if not given.is_given:
                raise MotionBodyError(
                    f"{path} does not say whose motion it is: give the sex, and a percentile or "
                    "stature and mass"
                )
            body = given.anthropometry()
        else:
            given.check_same(body, path=path)
        manikin = make_manikin(body)
        return recorded(motion, manikin, name=Path(path).name, load=load, hands=hands)
    except MotionBodyError:
        raise
    except ValueError as error:
        raise BadFile(path, str(error), "a motion of the human") from None
