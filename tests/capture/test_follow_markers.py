"""Following markers: a manikin that was recorded is found again, and real people nearly."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.people import SIDES, manikin

from robotix.capture.follow_markers import Followed, follow, follow_file
from robotix.capture.follow_run import report_lines, run_follow
from robotix.capture.marker_body import fit_body, measured_lengths
from robotix.capture.marker_feet import follow_feet
from robotix.capture.marker_plan import MarkerCentre, MarkerPlan, load_plan, plan_names, with_hips
from robotix.capture.marker_recording import prepare
from robotix.capture.marker_report import FollowReport, report_on
from robotix.capture.markers import MarkerSet
from robotix.capture.trc_file import dump_trc
from robotix.errors import BadFile, UnknownName
from robotix.geometry import Array, Pose
from robotix.human import Manikin
from robotix.kinematics import Posture, forward_batch
from robotix.motion import load_motion

DATA = Path(__file__).parents[2] / "examples" / "data"
RATE = 50.0
TOE = np.array([0.13, 0.0, -0.045])  # from the ankle, m
SEEN = {name: (MarkerCentre(name, (name,)),) for name in ("right_wrist", "left_wrist")}


def make_plan() -> MarkerPlan:
    """Every joint centre has a marker of its name; knees, elbows and shoulders are not used."""
    drive: dict[str, tuple[MarkerCentre, ...]] = {
        "pelvis": (
            MarkerCentre("right_hip", ("right_hip",)),
            MarkerCentre("left_hip", ("left_hip",)),
            MarkerCentre("sacrum", ("l5s1",), "pelvis"),
        ),
        "head": (MarkerCentre("skull", ("head",), "head"),),
    }
    for side in SIDES:
        drive[f"{side}_hand"] = SEEN[f"{side}_wrist"]
        drive[f"{side}_foot"] = tuple(
            MarkerCentre(f"{side}_{name}", (f"{side}_{name}",)) for name in ("ankle", "toe")
        )
    check = [f"{side}_{name}" for side in SIDES for name in ("knee", "elbow", "shoulder")]
    return MarkerPlan("joint centres", drive, tuple(MarkerCentre(name, (name,)) for name in check))


def squat(person: Manikin, depth: float) -> Array:
    """A posture with bent legs, flat feet where they stand, and arms forward."""
    model = person.model
    q = person.relaxed.copy()
    for side in SIDES:
        bent = {"hip_flexion": 1.2, "knee_flexion": 1.0, "ankle_dorsiflexion": 0.34}
        for name, angle in (bent | {"shoulder_flexion": 0.8}).items():
            q[model.dof_index(f"{side}_{name}")] += depth * angle
        q[model.dof_index(f"{side}_elbow_flexion")] += 0.5 * depth
    tilt = Posture(model, q).pose("right_foot").rotation
    q[3:6] = Pose(tilt.T, np.zeros(3)).rotation_vector
    q[:3] += Posture(model).position("right_foot") - Posture(model, q).position("right_foot")
    return q


def record(person: Manikin, rows: list[Array]) -> MarkerSet:
    centres = [person.joint_centres(Posture(person.model, q)) for q in rows]
    names = tuple(centres[0])
    positions = np.array([[row[name] for name in names] for row in centres])
    return MarkerSet(names, np.arange(len(rows)) / RATE, positions)


@cache
def squatting() -> MarkerSet:
    """Down and up within three seconds."""
    person = manikin("f", stature=1.7)
    depths = np.sin(np.pi * np.arange(150) / 149) ** 2
    return record(person, [squat(person, depth) for depth in depths])


@cache
def followed_squat() -> Followed:
    return follow(prepare(squatting(), make_plan(), sex="f"))


@cache
def pick_up() -> FollowReport:
    return report_on(follow_file(DATA / "pick_up.bvh", plan="cmu", unit="cmu"))


# -- the body --------------------------------------------------------------------------------


def test_the_body_is_found_in_its_markers() -> None:
    person = manikin("f", stature=1.7).anthropometry
    body = fit_body(measured_lengths(squatting(), make_plan()), sex="f")
    assert body.stature == pytest.approx(1.7, abs=0.01)
    for name in ("thigh_length", "shank_length", "upper_arm_length", "forearm_length"):
        assert body[name] == pytest.approx(person[name], abs=1e-9)
        assert body.source(name) == "measured between markers"
    assert body["shoulder_height"] == pytest.approx(person["shoulder_height"], abs=0.01)


def test_lengths_of_a_body_add_up_after_stretching() -> None:
    body = fit_body({"thigh_length": 0.45, "shank_length": 0.40, "trunk_length": 0.50}, sex="m")
    assert body["hip_height"] - body["knee_height"] == pytest.approx(0.45)
    assert body["knee_height"] - body["ankle_height"] == pytest.approx(0.40)
    assert body["shoulder_height"] - body["hip_height"] == pytest.approx(0.50)
    assert body.stature > body["neck_height"] > body["shoulder_height"]


def test_a_wrong_unit_is_told() -> None:
    small = replace(squatting(), positions=squatting().positions / 1000)
    with pytest.raises(ValueError, match="Give the file's unit"):
        prepare(small, make_plan())


def test_stature_may_be_given() -> None:
    assert fit_body({"forearm_length": 0.25}, sex="m", stature=1.8).stature == pytest.approx(1.8)


# -- plans -----------------------------------------------------------------------------------


def test_plans_of_the_package_load() -> None:
    assert "cmu" in plan_names()
    plan = load_plan("cmu")
    assert set(plan.drive) == {
        *("pelvis", "head", "right_hand", "left_hand", "right_foot", "left_foot")
    }
    with pytest.raises(UnknownName, match="did you mean 'cmu'"):
        load_plan("cmuu")


PELVIS = '[drive.pelvis]\nright_hip = "a"\nleft_hip = "b"\n'
BAD_PLANS = {
    "no title": (PELVIS, "no key 'title'"),
    "no pelvis": ('title = "t"\n', r"no \[drive.pelvis\]"),
    "no hips": ('title = "t"\n[drive.pelvis]\nsacrum = {markers = "a"}\n', "right_hip and left"),
    "unknown control": (f'title = "t"\n{PELVIS}[drive.tail]\n', "unknown key 'tail'"),
    "unknown place": (f'title = "t"\n{PELVIS}[check]\nright_kne = "a"\n', "a joint centre"),
    "no markers": (f'title = "t"\n{PELVIS}[check]\nright_knee = []\n', "one name or more"),
    "segment": (f'title = "t"\n{PELVIS}[check]\nx = {{markers = "a", on = "shin"}}', "one of pelv"),
    "half a foot": (f'title = "t"\n{PELVIS}[drive.left_foot]\nleft_toe = "a"\n', "left_ankle and"),
}


@pytest.mark.parametrize("case", BAD_PLANS)
def test_bad_plans_are_refused(case: str, tmp_path: Path) -> None:
    text, message = BAD_PLANS[case]
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(BadFile, match=message):
        load_plan(path)


def test_a_missing_marker_is_named() -> None:
    with pytest.raises(UnknownName, match="no marker 'right_toe'"):
        prepare(squatting().only([n for n in squatting().names if n != "right_toe"]), make_plan())


def test_hip_centres_lie_between_and_below_the_spines() -> None:
    names = ("RASI", "LASI", "RPSI", "LPSI")
    places = np.array([[0.1, -0.12, 1.0], [0.1, 0.12, 1.0], [-0.1, -0.05, 1.0], [-0.1, 0.05, 1.0]])
    bones = dict(zip(("right_asis", "left_asis", "right_psis", "left_psis"), names, strict=True))
    plan = replace(make_plan(), pelvis_markers=bones)
    turn = Pose.at(0.3, 0.2, 0.1, rpy=(0.3, -0.4, 2.0))
    found = with_hips(MarkerSet(names, np.zeros(1), turn.apply(places)[None]), plan)
    right = turn.inverse().apply(found["right_hip_centre"][0])
    np.testing.assert_allclose(right, [0.1 - 0.19 * 0.24, -0.36 * 0.24, 1 - 0.3 * 0.24])
    left = turn.inverse().apply(found["left_hip_centre"][0])
    np.testing.assert_allclose(left, right * [1, -1, 1])


# -- feet ------------------------------------------------------------------------------------


def stepping(rate: float = 100.0) -> tuple[Array, Array]:
    """Ankle and toe of a foot that stands, steps 0.5 m forward within 0.4 s, and stands again."""
    t = np.arange(200) / rate
    s = np.clip((t - 0.8) / 0.4, 0, 1)
    s = s**3 * (10 - 15 * s + 6 * s**2)
    ankle = np.column_stack([0.5 * s, np.zeros(200), 0.07 + 0.4 * s * (1 - s)])
    return ankle, ankle + TOE


def test_a_standing_foot_stands_still_and_a_step_joins_its_ends() -> None:
    ankle, toe = stepping()
    rng = np.random.default_rng(0)
    noisy = toe + 5e-4 * rng.normal(size=toe.shape) * [1, 1, 0]
    still = np.tile(ankle[0] + [0.0, 0.2, 0.0], (200, 1))
    paths = follow_feet(
        manikin(),
        {"right": ankle, "left": still},
        toes={"right": noisy, "left": still + TOE},
        rate=100.0,
    )
    foot = paths["right"]
    assert paths["left"].stands.all()
    assert foot.stands[:78].all() and foot.stands[125:].all() and not foot.stands[90:110].any()
    assert np.ptp(foot.positions[foot.stands & (np.arange(200) < 100)], axis=0).max() == 0
    assert np.linalg.norm(np.diff(foot.positions, axis=0), axis=1).max() < 0.04
    assert foot.positions[-1, 0] - foot.positions[0, 0] == pytest.approx(0.5, abs=2e-3)
    assert (foot.positions[:, 2] >= manikin().skeleton["right_toe"][2] - 1e-12).all()
    np.testing.assert_allclose(
        foot.rotations @ foot.rotations.transpose(0, 2, 1),
        np.tile(np.eye(3), (200, 1, 1)),
        atol=1e-12,
    )


# -- following -------------------------------------------------------------------------------


def test_a_recorded_manikin_is_found_again() -> None:
    report = report_on(followed_squat())
    assert report.rms(driven=True) < 0.01
    assert report.rms(driven=False) < 0.03
    assert max(error.largest for error in report.angles) < np.radians(12)
    assert report.foot_slip < 1e-3
    assert report.limit_violation == 0
    assert report.balance_margin > 0


def test_the_motion_is_on_the_floor_and_faces_x_wherever_it_was_recorded() -> None:
    elsewhere = Pose.at(3.0, -2.0, 0.7, rpy=(0, 0, 2.5))
    moved = follow(prepare(squatting().rows(0, 40).moved(elsewhere), make_plan(), sex="f"))
    same = follow(prepare(squatting().rows(0, 40), make_plan(), sex="f"))
    np.testing.assert_allclose(moved.motion.q, same.motion.q, atol=1e-4)
    assert np.linalg.norm(same.motion.q[0, :2]) < 0.02
    assert abs(same.motion.q[0, 5]) < 0.02
    back = moved.recording.base_from_recording @ elsewhere
    np.testing.assert_allclose(back.rotation, np.eye(3), atol=1e-6)


def test_a_hand_that_is_lost_comes_back_without_a_jump() -> None:
    positions = squatting().positions.copy()
    positions[40:100, squatting().names.index("right_wrist")] = np.nan
    gappy = replace(squatting(), positions=positions)
    lost = follow(prepare(gappy, make_plan(), sex="f"))
    joints = lost.motion.velocities[:, 6:]
    assert abs(joints).max() < 6.0  # rad/s
    report = report_on(lost)
    wrist = next(error for error in report.landmarks if error.landmark == "right_wrist")
    assert wrist.median < 0.005 and wrist.at == pytest.approx(2.0, abs=0.1)  # as it comes back
    rows = forward_batch(lost.recording.manikin.model, lost.motion.q[-40:], point="right_wrist")[0]
    gaps = np.linalg.norm(rows - lost.recording.markers["right_wrist"][-40:], axis=1)
    assert gaps.max() < 0.01


def test_a_point_that_is_never_seen_is_told() -> None:
    positions = squatting().positions.copy()
    positions[:, squatting().names.index("right_wrist")] = np.nan
    with pytest.raises(ValueError, match="'right_wrist' should drive the manikin"):
        follow(prepare(replace(squatting(), positions=positions), make_plan(), sex="f"))


def test_a_recording_too_short_for_its_plan_is_told() -> None:
    with pytest.raises(ValueError, match="has 1 rows; the plan needs row 3"):
        prepare(squatting().rows(0, 1), replace(make_plan(), first_row=3))


def test_a_single_row_is_a_posture() -> None:
    one = follow(prepare(squatting().rows(0, 1), make_plan(), sex="f"))
    assert one.motion.q.shape == (1, 39)
    assert report_on(one).rms(driven=True) < 0.01


# -- recorded people: the figures of docs/capture.md -------------------------------------


def test_the_recorded_pick_up_is_followed() -> None:
    report = pick_up()
    of = {error.landmark: error for error in report.landmarks}
    assert report.stature == pytest.approx(1.65, abs=0.01)
    assert max(of[f"{side}_wrist"].largest for side in SIDES) < 0.04
    assert max(of[f"{side}_hip"].median for side in SIDES) < 0.01
    assert max(of[f"{side}_knee"].median for side in SIDES) < 0.05
    assert max(of[f"{side}_elbow"].median for side in SIDES) < 0.10
    assert report.rms(driven=True) < 0.06 and report.rms(driven=False) < 0.13
    assert report.foot_slip < 1e-3 and report.limit_violation == 0
    assert report.seconds_outside < 0.6  # after the step, and after the heels rise
    angles = {error.angle: error for error in report.angles}
    assert max(angles[f"{side}_{name}"].median for side in SIDES for name in ("knee", "hip")) < 0.1


def test_the_recorded_box_lift_is_followed(tmp_path: Path) -> None:
    report = run_follow(
        DATA / "box_lift.c3d", markers=DATA / "box_lift.toml", sex="f", out=tmp_path / "new"
    )
    assert report.rms(driven=True) < 0.015
    assert report.rms(driven=False) < 0.06
    assert report.balance_margin > 0.05 and report.foot_slip < 1e-4
    document = json.loads((tmp_path / "new" / "report.json").read_text())
    assert document["rms_not_used"] == pytest.approx(report.rms(driven=False))
    motion = load_motion(tmp_path / "new" / "motion.csv")
    assert motion.duration == pytest.approx(report.duration)
    assert any("right_elbow" in line and "not used" in line for line in report_lines(report))


def test_files_follow_like_markers(tmp_path: Path) -> None:
    path = tmp_path / "squat.trc"
    path.write_text(dump_trc(squatting().rows(0, 10)))
    short = follow_file(path, plan=make_plan(), sex="f")
    assert report_on(short).rms(driven=True) < 0.01
