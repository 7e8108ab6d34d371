"""Motion capture files: what they say is read exactly, and what is wrong with them is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import ezc3d
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.marker_waves import wave, with_gap

from robotix.capture import c3d_file
from robotix.capture.bvh_file import load_bvh, read_bvh
from robotix.capture.c3d_file import load_c3d
from robotix.capture.markers import MarkerSet
from robotix.capture.mocap_files import load_markers
from robotix.capture.trc_file import dump_trc, load_trc
from robotix.errors import BadFile
from robotix.geometry import Array

DATA = Path(__file__).parents[2] / "examples" / "data"

ARM = """HIERARCHY
ROOT shoulder
{
    OFFSET 1.0 2.0 3.0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
    JOINT elbow
    {
        OFFSET 30 0 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
            OFFSET 25 0 0
        }
    }
}
MOTION
Frames: 2
Frame Time: 0.01
0 0 0 0 0 0 0 0 0
10 20 30 40 50 60 70 80 -90
"""


# -- BVH -------------------------------------------------------------------------------------


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


# -- TRC -------------------------------------------------------------------------------------


def test_trc_comes_back_as_it_was_written(tmp_path: Path) -> None:
    markers = with_gap(wave(), "b", rows=slice(3, 7))
    path = tmp_path / "wave.trc"
    path.write_text(dump_trc(markers))
    back = load_trc(path)
    assert back.names == markers.names
    np.testing.assert_allclose(back.positions, markers.positions, atol=1e-5)
    np.testing.assert_allclose(back.times, markers.times)


def test_trc_unit_and_axes(tmp_path: Path) -> None:
    path = tmp_path / "one.trc"
    text = dump_trc(wave(3)).replace("\tmm\t", "\tcm\t")
    path.write_text(text)
    np.testing.assert_allclose(load_trc(path)["a"], 10 * wave(3)["a"], atol=1e-4)
    y_up = load_trc(path, unit="mm", up="z")["a"]
    np.testing.assert_allclose(y_up, wave(3)["a"][:, [1, 2, 0]], atol=1e-5)


def _cell(text: str, row: int, cell: int, new: str) -> str:
    lines = text.split("\n")
    cells = lines[row - 1].split("\t")
    cells[cell] = new
    lines[row - 1] = "\t".join(cells)
    return "\n".join(lines)


BAD_TRC: dict[str, tuple[Callable[[str], str], int, str]] = {
    "another file": (lambda s: "ply\n" + s, 1, "PathFileType"),
    "header": (lambda s: s.replace("CameraRate", "CamRate"), 2, "CameraRate"),
    "unit": (lambda s: _cell(s, 3, 4, "yard"), 3, "one of m,"),
    "marker count": (lambda s: _cell(s, 3, 3, "3"), 4, "as NumMarkers says"),
    "frame count": (lambda s: _cell(s, 3, 2, "9"), 9, "cut short"),
    "no number": (lambda s: _cell(s, 7, 3, "1,5"), 7, "a number, or nothing"),
    "infinite": (lambda s: _cell(s, 7, 3, "inf"), 7, "a number, or nothing"),
    "time goes back": (lambda s: _cell(s, 7, 1, "-1"), 7, "later than those before"),
    "too many cells": (lambda s: s.replace("\n3\t", "\n3\t0\t"), 8, "cells"),
    "name twice": (lambda s: s.replace("\tb\n", "\ta\n"), 0, "a name of its own"),
    "header only": (lambda s: "\n".join(s.split("\n")[:4]), 1, "five lines of header"),
}


@pytest.mark.parametrize("case", BAD_TRC)
def test_bad_trc_is_refused_with_the_place(case: str, tmp_path: Path) -> None:
    spoil, line, expected = BAD_TRC[case]
    path = tmp_path / "bad.trc"
    path.write_text(spoil(dump_trc(wave(3))))
    with pytest.raises(BadFile) as caught:
        load_trc(path)
    assert caught.value.line == line
    assert expected in str(caught.value)


# -- C3D -------------------------------------------------------------------------------------


def write_c3d(
    path: Path, markers: MarkerSet, *, units: str = "mm", screen: str | None = None
) -> Path:
    """Write markers as they are, whatever the axes, with the library's own writer."""
    file = ezc3d.c3d()
    point = file["parameters"]["POINT"]
    point["RATE"]["value"] = [markers.rate]
    point["LABELS"]["value"] = list(markers.names)
    point["UNITS"]["value"] = [units]
    if screen is not None:
        file.add_parameter("POINT", "Y_SCREEN", [screen])
    points = np.ones((4, len(markers.names), len(markers)))
    points[:3] = markers.positions.transpose(2, 1, 0)
    file["data"]["points"] = points
    file.write(str(path))
    return path


def test_c3d_is_read_with_units_gaps_and_axes(tmp_path: Path) -> None:
    markers = with_gap(wave(20), "b", rows=slice(3, 7))
    path = write_c3d(tmp_path / "wave.c3d", markers)
    read = load_markers(path)
    assert read.names == ("a", "b") and read.rate == pytest.approx(100)
    np.testing.assert_allclose(read.positions, markers.positions / 1000, atol=1e-9)
    y_up = load_c3d(write_c3d(path, markers, units="m", screen="+Y"))
    np.testing.assert_allclose(y_up.positions, markers.positions[..., [2, 0, 1]], atol=1e-6)
    np.testing.assert_allclose(
        load_c3d(path, unit="cm", up="z").positions, markers.positions / 100, atol=1e-8
    )


def test_c3d_unit_must_be_known(tmp_path: Path) -> None:
    path = write_c3d(tmp_path / "odd.c3d", wave(5), units="ell")
    with pytest.raises(BadFile, match="POINT:UNITS 'ell'"):
        load_c3d(path)


def test_c3d_without_the_library_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_c3d(tmp_path / "wave.c3d", wave(5))
    hidden = tmp_path / "ezc3d.py"
    hidden.write_text("raise ImportError('not there')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ImportError, match=r'pip install "robotix\[mocap\]"'):
        load_c3d(path)


def test_c3d_reader_may_crash_or_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_c3d(tmp_path / "wave.c3d", wave(5))
    worker = tmp_path / "worker.py"
    monkeypatch.setattr(c3d_file, "_WORKER", worker)
    worker.write_text("import os; os.abort()")
    with pytest.raises(BadFile, match="the reader crashed"):
        load_c3d(path)
    worker.write_text("while True: pass")
    with pytest.raises(BadFile, match=r"not read after 0\.2 s"):
        load_c3d(path, timeout=0.2)


def test_what_is_no_c3d_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "text.c3d"
    path.write_text("hello" * 200)
    with pytest.raises(BadFile, match="second byte"):
        load_c3d(path)


# -- any file --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.bvh", "a.trc", "a.c3d"])
def test_missing_and_empty_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(BadFile, match="there is no such file"):
        load_markers(path)
    path.write_bytes(b" \n")
    with pytest.raises(BadFile, match="empty"):
        load_markers(path)


def test_ending_says_what_a_file_is(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"\.c3d, \.bvh or \.trc"):
        load_markers(tmp_path / "motion.fbx")


def test_binary_in_text_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    path.write_bytes(b"HIERARCHY\n\xff\xfe")
    with pytest.raises(BadFile, match="not UTF-8") as caught:
        load_markers(path)
    assert caught.value.line == 2


WORDS = [b"nan", b"inf", b"1e308", b"-1e999", b"0", b"-1", b"9" * 400, b"{", b"}", b"\t", b"\n"]
WORDS += [b"ROOT", b"JOINT a", b"End Site", b"CHANNELS 3", b"MOTION", b"\xff", b"\0", b"", b"99999"]


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with a few things wrong with it."""
    for _ in range(int(rng.integers(1, 4))):
        at, size = int(rng.integers(len(data) + 1)), int(rng.integers(1, 30))
        match rng.integers(5):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + data[at + size :]
            case 2:
                data = data[:at] + WORDS[rng.integers(len(WORDS))] + data[at + size // 6 :]
            case 3:
                data = data[:at] + bytes(rng.integers(0, 256, 1, dtype=np.uint8)) + data[at + 1 :]
            case _:
                data = data[:at] + data[max(at - size, 0) : at] * 2 + data[at:]
        data = data or b"x"
    return data


@pytest.mark.parametrize("ending", ["bvh", "trc"])
def test_damaged_text_loads_or_is_refused_with_a_place(ending: str, tmp_path: Path) -> None:
    good = {"bvh": ARM, "trc": dump_trc(with_gap(wave(4), "b", rows=slice(1, 2)))}[ending].encode()
    path, rng = tmp_path / f"damaged.{ending}", np.random.default_rng(5)
    loaded = 0
    for _ in range(400):
        path.write_bytes(mutated(good, rng))
        try:
            markers = load_markers(path)
        except BadFile as error:
            assert error.line >= 1 or "two markers" in str(error), error
            continue
        loaded += 1
        assert not np.isinf(markers.positions).any()
    assert 0 < loaded < 300


def damaged_c3d(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a C3D file with wrong bytes where they hurt: header and parameters."""
    out = bytearray(data)
    if rng.random() < 0.25:
        return bytes(out[: int(rng.integers(512, len(out)))])
    for at in rng.integers(2, min(len(out), 1500), int(rng.integers(1, 8))):
        out[at] = int(rng.integers(256))
    return bytes(out)


def test_damaged_c3d_never_takes_this_process_down(tmp_path: Path) -> None:
    good = write_c3d(tmp_path / "good.c3d", wave(20)).read_bytes()
    path, rng = tmp_path / "damaged.c3d", np.random.default_rng(7)
    outcomes = []
    for _ in range(10):
        path.write_bytes(damaged_c3d(good, rng))
        try:
            markers: Array | None = load_c3d(path, timeout=1.0).positions
        except BadFile:
            markers = None
        outcomes.append(markers is not None)
        assert markers is None or not np.isinf(markers).any()
    assert not all(outcomes)
    assert len(load_c3d(tmp_path / "good.c3d", timeout=60.0)) == 20  # and this one still works
