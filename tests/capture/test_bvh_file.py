"""Reading BVH files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.bvh_text import ARM

from robotix.capture.bvh_file import load_bvh, read_bvh
from robotix.capture.mocap_files import load_markers
from robotix.errors import BadFile

DATA = Path(__file__).parents[2] / "examples" / "data"


def test_bvh_joints_turn_in_the_order_of_their_channels(tmp_path: Path) -> None:
    path = tmp_path / "arm.bvh"
    path.write_text(ARM)
    file = read_bvh(path)
    assert [joint.name for joint in file.joints] == ["shoulder", "elbow", "elbow_end"]
    upper = Rotation.from_euler("ZYX", [40, 50, 60], degrees=True)
    lower = upper * Rotation.from_euler("ZXY", [70, 80, -90], degrees=True)
    shoulder = np.array([11.0, 22.0, 33.0])
    elbow = shoulder + upper.apply([30.0, 0, 0])
    end = elbow + lower.apply([25.0, 0, 0])
    np.testing.assert_allclose(file.positions()[1], [shoulder, elbow, end], atol=1e-12)


def test_bvh_is_read_in_metres_with_z_up(tmp_path: Path) -> None:
    path = tmp_path / "arm.bvh"
    path.write_text(ARM.replace("{", "{\n").replace("\n", "\r\n"))  # from another system
    markers = load_bvh(path)
    np.testing.assert_allclose(markers["shoulder"][0], [0.03, 0.01, 0.02])
    np.testing.assert_allclose(markers.times, [0.0, 0.01])


def test_recorded_skeleton_keeps_its_lengths() -> None:
    markers = load_markers(DATA / "pick_up.bvh", unit="cmu")
    assert len(markers) == 158 and markers.rate == pytest.approx(40)
    for upper, lower in (("LeftUpLeg", "LeftLeg"), ("RightArm", "RightForeArm")):
        lengths = np.linalg.norm(markers[upper] - markers[lower], axis=1)
        assert 0.25 < lengths[0] < 0.5 and np.ptp(lengths) < 1e-9
    assert (markers["Head"][:, 2] > markers["LeftFoot"][:, 2] + 0.4).all()


BAD_BVH: dict[str, tuple[Callable[[str], str], int, str]] = {
    "no hierarchy": (lambda s: s.replace("HIERARCHY", "SKELETON"), 1, "the word HIERARCHY"),
    "two roots": (lambda s: s.replace("JOINT elbow", "ROOT elbow"), 6, "JOINT"),
    "unknown word": (lambda s: s.replace("OFFSET 30", "OFSET 30"), 8, "OFFSET"),
    "short offset": (lambda s: s.replace("30 0 0", "30 0"), 8, "OFFSET x y z"),
    "not a number": (lambda s: s.replace("30 0 0", "30 O 0"), 8, "a number"),
    "no offset": (lambda s: s.replace("            OFFSET 25 0 0\n", ""), 12, "OFFSET x y z"),
    "bad channel": (lambda s: s.replace("3 Zrotation X", "3 Zrotaton X"), 9, "each at most once"),
    "channel count": (
        lambda s: s.replace("3 Zrotation X", "4 Zrotation X"),
        9,
        "the number of channels",
    ),
    "name twice": (lambda s: s.replace("JOINT elbow", "JOINT shoulder"), 6, "a name of its own"),
    "missing brace": (lambda s: s.replace("}\nMOTION", "MOTION"), 15, "a brace"),
    "no frames": (lambda s: s.replace("Frames: 2", "Frames: 0"), 17, "a whole number"),
    "many frames": (lambda s: s.replace("Frames: 2", "Frames: 3"), 20, "cut short"),
    "few frames": (lambda s: s.replace("Frames: 2", "Frames: 1"), 20, "as Frames: says"),
    "frame time": (lambda s: s.replace("0.01", "-1"), 18, "1e-6 to 60 s"),
    "infinite": (lambda s: s.replace("40 50", "inf 50"), 20, "a number"),
    "nan": (lambda s: s.replace("40 50", "nan 50"), 20, "a number"),
    "underscore": (lambda s: s.replace("40 50", "4_0 50"), 20, "a number"),
    "short row": (lambda s: s.replace("40 50 ", "40 "), 20, "one for every channel"),
    "cut": (lambda s: s[: s.index("MOTION")], 15, "a joint, or MOTION"),
}


@pytest.mark.parametrize("case", BAD_BVH)
def test_bad_bvh_is_refused_with_the_place(case: str, tmp_path: Path) -> None:
    spoil, line, expected = BAD_BVH[case]
    path = tmp_path / "bad.bvh"
    path.write_text(spoil(ARM))
    with pytest.raises(BadFile) as caught:
        load_bvh(path)
    assert caught.value.line == line
    assert expected in str(caught.value)
