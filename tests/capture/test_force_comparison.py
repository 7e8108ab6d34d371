"""The upward force of plates against that of the followed motion."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.plates import Plate, write_plates
from support.squatting import make_plan, squatting

from robotix.capture.follow_markers import Followed, follow
from robotix.capture.follow_run import report_lines, run_follow
from robotix.capture.force_comparison import compare_forces
from robotix.capture.force_file import PlateForces
from robotix.capture.marker_recording import prepare
from robotix.capture.trc_file import dump_trc
from robotix.ergonomics import recorded
from robotix.errors import BadFile
from robotix.geometry import Array
from robotix.human.motion.zero_moment import zero_moment
from robotix.kinematics import Posture

FAR = np.array([5.0, 0.0, 0.0])  # m


@cache
def followed() -> Followed:
    return follow(prepare(squatting(), make_plan(), sex="f"))


def plates_of(found: Followed, *, factor: float = 1.0, late: float = 0.0) -> PlateForces:
    """What ideal plates would measure: two halves of m (g + a), by finite differences."""
    model = found.recording.manikin.model
    heights = np.array([Posture(model, q).com[2] for q in found.motion.q])
    dt = found.recording.dt
    up: Array = float(model.mass) * (9.81 + np.gradient(np.gradient(heights, dt), dt))
    forces = np.zeros((len(up), 2, 3))
    forces[:, :, 2] = factor * up[:, None] / 2
    return PlateForces(("right", "left"), found.motion.times + late, forces)


def test_ideal_plates_agree() -> None:
    found = compare_forces(followed(), plates_of(followed()))
    assert found.rms < 0.01 and abs(found.bias) < 0.003 and found.correlation > 0.99
    assert found.seconds == pytest.approx(followed().motion.duration - 0.2, abs=0.05)
    assert "% of the body weight off the plates" in found.line


def test_a_person_who_weighs_more_shows_as_a_bias() -> None:
    found = compare_forces(followed(), plates_of(followed(), factor=1.1))
    assert found.bias == pytest.approx(-0.1, abs=0.01)


def test_the_clock_of_the_file_counts() -> None:
    later = replace(followed(), recording=replace(followed().recording, start_time=3.0))
    found = compare_forces(later, plates_of(followed(), late=3.0))
    assert found.rms < 0.01
    with pytest.raises(ValueError, match="no time in common"):
        compare_forces(followed(), plates_of(followed(), late=100.0))


def test_following_reports_it(tmp_path: Path) -> None:
    """Ideal plates, written as a file: the report has the comparison, in words and in JSON."""
    (tmp_path / "squat.trc").write_text(dump_trc(squatting()))
    (tmp_path / "plan.toml").write_text(plan_text())
    plates = plates_of(followed())
    rows = [
        f"{time}\t0\t{force}\t0" for time, force in zip(plates.times, plates.vertical, strict=True)
    ]
    heads = ("endheader", "time\tone_vx\tone_vy\tone_vz")
    (tmp_path / "squat.mot").write_text("\n".join((*heads, *rows)))
    report = run_follow(
        tmp_path / "squat.trc",
        markers=tmp_path / "plan.toml",
        sex="f",
        forces=tmp_path / "squat.mot",
        out=tmp_path / "out",
    )
    assert report.forces is not None and report.forces.rms < 0.02
    assert list(report_lines(report))[-1] == report.forces.line
    written = json.loads((tmp_path / "out" / "report.json").read_text())
    assert written["forces"]["rms"] == pytest.approx(report.forces.rms)


def plan_text() -> str:
    """The plan of the squat as a file."""
    lines = ['title = "joint centres"', "[drive.pelvis]", 'right_hip = "right_hip"']
    lines += ['left_hip = "left_hip"', 'sacrum = { markers = "l5s1", on = "pelvis" }']
    for side in ("right", "left"):
        lines += [f"[drive.{side}_hand]", f'{side}_wrist = "{side}_wrist"', f"[drive.{side}_foot]"]
        lines += [f'{side}_{name} = "{side}_{name}"' for name in ("ankle", "toe")]
    return "\n".join(lines)


def test_plates_inside_the_recording_are_compared_with(tmp_path: Path) -> None:
    """A squat on two plates, all in one C3D file: force and centre of pressure agree."""
    (tmp_path / "plan.toml").write_text(plan_text())
    path = write_plates(tmp_path / "squat.c3d", squatting(), own_plates())
    report = run_follow(path, markers=tmp_path / "plan.toml", sex="f")
    assert report.forces is not None and report.forces_problem == ""
    assert report.forces.rms < 0.02 and report.forces.centre_rms < 0.02
    assert report.forces.seconds > 2.5
    assert "centre of pressure" in report.forces.line and "--mass" not in report.forces.line
    assert "off the plates" in report.tracking.summary


def test_plates_nobody_stands_on_and_damaged_ones_do_not_spoil_a_motion(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(plan_text())
    far = [replace(plate, corners=plate.corners + FAR) for plate in own_plates()]
    path = write_plates(tmp_path / "far.c3d", squatting(), far)
    report = run_follow(path, markers=tmp_path / "plan.toml", sex="f")
    assert report.forces is None and "no time in common" in report.forces_problem
    path = write_plates(tmp_path / "bad.c3d", squatting(), own_plates(), change={"TYPE": [2, 9]})
    report = run_follow(path, markers=tmp_path / "plan.toml", sex="f")
    assert report.success and "TYPE 9" in report.forces_problem
    assert any("force plates not compared" in line for line in report_lines(report))
    with pytest.raises(BadFile, match="TYPE 9"):  # asked for
        run_follow(path, markers=tmp_path / "plan.toml", sex="f", forces=path)


def own_plates() -> list[Plate]:
    """Half of the needed force under each foot, where the zero-moment point of the motion is."""
    found = followed()
    rows = 4 * len(squatting())
    zmp = zero_moment(recorded(found.motion, found.recording.manikin))
    times = np.arange(rows) / (4 * 50.0)
    up = np.interp(times, found.motion.times, zmp.pressing) / 2
    force = np.column_stack([0 * up, 0 * up, up])
    points = np.column_stack([np.interp(times, found.motion.times, p) for p in zmp.points.T])
    back = found.recording.base_from_recording.inverse()
    centre = np.column_stack([points, np.zeros(rows)])
    plates = []
    for side in (-1.0, 1.0):
        corners = np.array([[0.3, 0.0], [-0.3, 0.0], [-0.3, 0.5], [0.3, 0.5]]) * [1.0, side]
        if side < 0:
            corners = corners[::-1]
        flat = np.column_stack([corners, np.zeros(4)])
        at = centre + np.array([0.0, 0.1 * side, 0.0])
        plates.append(Plate(2, force, back.apply(at), corners=back.apply(flat)))
    return plates
