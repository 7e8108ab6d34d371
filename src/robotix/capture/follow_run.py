"""From a motion capture file to a motion and a report in one call."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from robotix.capture.body_contacts import GivenContact
from robotix.capture.c3d_plates import load_c3d_plates
from robotix.capture.follow_markers import Followed, follow_file
from robotix.capture.force_comparison import compare_forces
from robotix.capture.force_file import PlateForces, load_forces
from robotix.capture.marker_filter import runs_of
from robotix.capture.marker_report import FollowReport, report_on
from robotix.capture.markers import AxisName
from robotix.errors import BadFile
from robotix.files.json_text import json_text
from robotix.human.motion.motion_body import with_body, with_tracking
from robotix.motion import Marker, Motion, save_motion

__all__ = ["marked_motion", "report_lines", "run_follow", "with_own_plates"]

MOTION_FILE, REPORT_FILE = "motion.csv", "report.json"


def run_follow(
    path: str | os.PathLike[str],
    *,
    markers: str | os.PathLike[str] = "cmu",
    out: str | os.PathLike[str] | None = None,
    unit: str | float | None = None,
    up: AxisName | None = None,
    sex: str = "m",
    stature: float | None = None,
    mass: float | None = None,
    static: str | os.PathLike[str] | None = None,
    forces: str | os.PathLike[str] | None = None,
    contacts: Sequence[GivenContact] = (),
) -> FollowReport:
    """Track a recording with a manikin; with `out`, save motion and report in that folder.

    `markers` is the name of a marker plan, or the path of one; `forces` a file of what plates
    measured, to compare with, or a C3D file with plates: those of the recording itself when None.
    For the rest see `follow_file`.
    """
    plates = None if forces is None else _given_plates(forces, up=up)
    followed = follow_file(
        path,
        plan=markers,
        unit=unit,
        up=up,
        sex=sex,
        stature=stature,
        mass=mass,
        static=static,
        contacts=contacts,
    )
    report = report_on(followed)
    if plates is not None:
        report = replace(report, forces=compare_forces(followed, plates))
    else:
        report = with_own_plates(report, followed, path=path, up=up)
    if out is not None:
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        save_motion(folder / MOTION_FILE, marked_motion(followed, report=report))
        text = json_text({"file": os.fspath(path), **report.as_dict()})
        (folder / REPORT_FILE).write_text(text, encoding="utf-8")
    return report


def _given_plates(path: str | os.PathLike[str], *, up: AxisName | None) -> PlateForces:
    if Path(path).suffix.lower() != ".c3d":
        return load_forces(path)
    plates = load_c3d_plates(path, up=up)
    if plates is None:
        raise BadFile(os.fspath(path), "no force plates", "a C3D file with force plates")
    return plates


def with_own_plates(
    report: FollowReport,
    followed: Followed,
    *,
    path: str | os.PathLike[str],
    up: AxisName | None = None,
) -> FollowReport:
    """Return a report with the comparison with the plates of the recording's file, if it has any.

    Plates that cannot be read, or on which nobody stands, do not spoil the motion: the report says
    why there is no comparison.
    """
    if Path(path).suffix.lower() != ".c3d":
        return report
    try:
        plates = load_c3d_plates(path, up=up)
        if plates is None:
            return report
        return replace(report, forces=compare_forces(followed, plates))
    except (BadFile, ValueError) as error:
        return replace(report, forces_problem=str(error))


def marked_motion(followed: Followed, *, report: FollowReport | None = None) -> Motion:
    """Return the motion with markers: body, stance phases, and how well it was followed."""
    tracking = (report_on(followed) if report is None else report).tracking
    motion = with_body(followed.motion, followed.recording.manikin.anthropometry)
    motion = with_tracking(motion, tracking)
    marks = list(motion.markers)
    phases = {"seat": followed.sits, **followed.touches}
    for side, foot in followed.feet.items():
        kneels = followed.touches.get(f"{side}_knee", np.zeros_like(foot.stands))
        phases[f"{side}_foot"] = foot.stands
        phases[f"{side}_toes"] = kneels  # behind the knee, heel up
    for name, rows in phases.items():
        for start, stop in runs_of(rows):
            first, last = float(motion.times[start]), float(motion.times[stop - 1])
            marks += [Marker(first, f"{name} touches"), Marker(last, f"{name} leaves")]
    return replace(motion, markers=tuple(marks))


def report_lines(report: FollowReport) -> Iterator[str]:
    """Yield a report as lines of text."""
    yield f"followed: {'yes' if report.success else 'no'}"
    yield from (f"  {problem}" for problem in report.problems)
    yield f"{report.duration:.2f} s, stature {report.stature:.2f} m"
    yield f"{'landmark':<18} {'':<8} {'rms':>6} {'median':>6} {'max':>6}  cm"
    for error in report.landmarks:
        used = "driven" if error.is_driven else "not used"
        figures = " ".join(f"{100 * x:6.1f}" for x in (error.rms, error.median, error.largest))
        yield f"{error.landmark:<18} {used:<8} {figures}"
    if report.angles:
        yield f"{'angle':<18} {'':<8} {'rms':>6} {'median':>6} {'max':>6}  degrees"
    for angle in report.angles:
        values = (angle.rms, angle.median, angle.largest)
        yield f"{angle.angle:<18} {'':<8} " + " ".join(f"{math.degrees(x):6.1f}" for x in values)
    driven, other = (_cm(report.rms(driven=driven)) for driven in (True, False))
    yield f"all landmarks: {driven} driven, {other} not used"
    if report.seconds_seated:
        yield f"seated for {report.seconds_seated:.1f} s"
    for part, seconds in report.seconds_touching.items():
        yield f"{part.replace('_', ' ')} touches something for {seconds:.1f} s"
    for part in report.unrecorded:
        rest = "hangs down" if part.endswith("hand") else "is taken to stand"
        yield f"{part.replace('_', ' ')} has no markers: it {rest}"
    yield f"standing feet slip by at most {1000 * report.foot_slip:.2f} mm"
    if math.isfinite(report.balance_margin):
        outside = f"{report.seconds_outside:.2f} s outside the support of both feet"
        yield f"centre of mass: {outside}, smallest margin {_cm(report.balance_margin)}"
    if report.forces is not None:
        yield report.forces.line
    if report.forces_problem:
        yield f"force plates not compared: {report.forces_problem}"


def _cm(metres: float) -> str:
    return f"{100 * metres:.1f} cm"
