"""The upward force of plates against that of the followed motion."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.squatting import make_plan, squatting

from robotix.capture.follow_markers import Followed, follow
from robotix.capture.follow_run import report_lines, run_follow
from robotix.capture.force_comparison import compare_forces
from robotix.capture.force_file import PlateForces
from robotix.capture.marker_recording import prepare
from robotix.capture.trc_file import dump_trc
from robotix.geometry import Array
from robotix.kinematics import Posture


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
