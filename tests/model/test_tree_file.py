"""Files of bodies: the humanoid of the library, mirrored sides, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles.recursive_fk import world_poses

from robotix.errors import BadFile
from robotix.geometry import Box
from robotix.model import Model
from robotix.model.robots import describe_robot, load
from robotix.model.tree_file import parse_tree_file

LEG = ("hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll")
ARM = (
    *("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow"),
    *("wrist_yaw", "wrist_pitch", "wrist_roll"),
)
SMALL = """
name = "small"
[[body]]
name = "trunk"
kind = "floating"
mass = 1.0
box = [0.1, 0.2, 0.3]
[[body]]
name = "leg"
parent = "trunk"
sides = true
joint = "hip"
kind = "revolute"
axis = [1, 0, 0]
xyz = [0.0, 0.1, 0.0]
lower_deg = -10
upper_deg = 45
mass = 0.5
radius = 0.02
shape = [[0, 0.01, 0], [0, 0.01, -0.2]]
"""


@pytest.fixture(scope="module")
def humanoid() -> Model:
    return load("vhrp26")


def test_the_humanoid_has_the_joints_height_and_mass_of_the_testbed(humanoid: Model) -> None:
    sides = [f"{side}_{joint}" for chain in (LEG, ARM) for side in ("left", "right")
             for joint in chain]  # fmt: skip
    assert list(humanoid.dof_names[6:]) == sides
    assert len(sides) == 26
    assert humanoid.mass == pytest.approx(8.0, abs=1e-9)
    poses = world_poses(humanoid, humanoid.neutral)
    tops = [
        poses[body.name].apply(solid.pose.translation)[2] + sign * solid.size[2] / 2
        for body in humanoid.bodies
        for solid in body.collision
        if isinstance(solid, Box)
        for sign in (-1, 1)
    ]
    assert max(tops) == pytest.approx(0.54, abs=1e-12)
    assert min(tops) == pytest.approx(0.0, abs=1e-12)
    for side in ("left", "right"):
        assert poses[f"{side}_sole"].translation[2] == pytest.approx(0.0, abs=1e-12)


def test_the_humanoid_is_its_own_mirror_image(humanoid: Model) -> None:
    mirror = np.diag([1.0, -1.0, 1.0])
    for body in humanoid.bodies:
        if not body.name.startswith("left_"):
            continue
        other = humanoid.body(body.name.replace("left_", "right_"))
        assert body.mass == other.mass
        np.testing.assert_allclose(mirror @ body.com, other.com, atol=1e-15)
        np.testing.assert_allclose(mirror @ body.inertia @ mirror, other.inertia, atol=1e-15)
        np.testing.assert_allclose(
            mirror @ body.placement.translation, other.placement.translation, atol=1e-15
        )
        if abs(body.joint.axis[1]) > 0.5:
            assert (other.joint.lower, other.joint.upper) == (body.joint.lower, body.joint.upper)
        else:
            assert (other.joint.lower, other.joint.upper) == (-body.joint.upper, -body.joint.lower)


def test_every_body_of_the_humanoid_can_be_a_solid(humanoid: Model) -> None:
    for body in humanoid.bodies:
        a, b, c = np.linalg.eigvalsh(body.inertia)
        assert body.mass > 0 and a > 0 and a + b >= c, body.name
        size = np.sqrt(c / body.mass)  # radius of gyration
        assert 0.004 < size < 0.08, body.name


def test_the_eyes_look_forward_from_the_head(humanoid: Model) -> None:
    poses = world_poses(humanoid, humanoid.neutral)
    left, right, middle = (poses[name] for name in ("left_eye", "right_eye", "head_camera"))
    for eye in (left, right, middle):
        np.testing.assert_allclose(eye.rotation[:, 2], [1, 0, 0], atol=1e-15)  # into the picture
        np.testing.assert_allclose(eye.rotation[:, 0], [0, -1, 0], atol=1e-15)  # to its right
    np.testing.assert_allclose(right.inverse().apply(left.translation), [-0.03, 0, 0], atol=1e-15)
    np.testing.assert_allclose((left.translation + right.translation) / 2, middle.translation)


def test_what_is_assumed_about_the_humanoid_is_said() -> None:
    info = describe_robot("vhrp26")
    assert info.confidence == "low"
    assert {each.parameter for each in info.provenance if each.confidence == "assumed"} >= {
        "velocity",
        "effort",
        "inertia",
        "payload",
        "shape",
    }
    assert any("assumed" in note for note in info.notes)


def test_sides_are_mirrored() -> None:
    model = parse_tree_file(SMALL).model
    assert [body.name for body in model.bodies] == ["trunk", "left_leg", "right_leg"]
    left, right = model.body("left_leg"), model.body("right_leg")
    np.testing.assert_allclose(right.com, left.com * [1, -1, 1])
    assert right.joint.upper == pytest.approx(np.radians(10))


def test_a_box_has_the_inertia_of_a_box() -> None:
    trunk = parse_tree_file(SMALL).model.body("trunk")
    expected = np.array([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04]) / 12
    np.testing.assert_allclose(trunk.inertia, np.diag(expected), atol=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("[[body]]", "[[bodies]]", "unknown key"),
        ('parent = "trunk"', 'parent = "trnk"', "unknown body"),
        ("box = [0.1, 0.2, 0.3]\n", "", "mass without a shape"),
        ("radius = 0.02\n", "", "both or neither"),
        ("upper_deg = 45", "upper_deg = 45\nupper = 1", "alone"),
        ('kind = "floating"', 'kind = "floating"\naxis = [0, 0, 1]', "revolute or prismatic"),
        ("upper_deg = 45", "uper_deg = 45", "upper_deg"),
        ("lower_deg = -10", "lower_deg = 90", "not an interval"),
    ],
)
def test_mistakes_are_refused(old: str, new: str, what: str) -> None:
    with pytest.raises(BadFile, match=what):
        parse_tree_file(SMALL.replace(old, new))


def test_a_part_of_a_sided_body_needs_sides() -> None:
    with pytest.raises(BadFile, match="sides = true"):
        parse_tree_file(SMALL + '[[body]]\nname = "toe"\nparent = "leg"\n')


def test_a_tree_file_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    assert load(path).n_dof == 8
