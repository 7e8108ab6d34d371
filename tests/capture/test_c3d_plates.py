"""Force plates of C3D files: types 1 to 4, either sign, any axes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.marker_waves import wave
from support.plates import CORNERS, PER_FRAME, Plate, write_plates

from robotix.capture.c3d_plates import load_c3d_plates
from robotix.errors import BadFile
from robotix.geometry import Array

FRAMES = 20
SAMPLES = PER_FRAME * FRAMES
AWAY = np.array([1.0, 0.0, 0.02])
OTHER_WAY = CORNERS[[1, 0, 3, 2]] + AWAY  # z of this plate points upwards


def stepping() -> tuple[Array, Array]:
    """A foot that rolls over a plate: force on the person, and where it acts."""
    s = np.linspace(0, 1, SAMPLES)
    force = np.column_stack([60 - 120 * s, 15 + 0 * s, 400 + 300 * np.sin(np.pi * s)])
    force[: SAMPLES // 4] = 0.0  # not there yet
    centre = np.column_stack([0.1 + 0.2 * s, 0.35 + 0.02 * s, 0 * s])
    return force, centre


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("screen", ["+Z", "+Y"])
def test_force_and_centre_come_back(tmp_path: Path, kind: int, sign: float, screen: str) -> None:
    force, centre = stepping()
    calibration = np.diag([3.0, 3.0, 12.0, 1600.0, 1600.0, 800.0]) + 0.1 if kind == 4 else np.eye(6)
    first = Plate(kind, force, centre, sign=sign, calibration=calibration)
    beside = Plate(
        kind,
        0.5 * force,
        centre + AWAY,
        corners=OTHER_WAY,
        sign=sign,
        calibration=calibration,
    )
    path = write_plates(tmp_path / "plates.c3d", wave(FRAMES), [first, beside], screen=screen)
    read = load_c3d_plates(path)
    assert read is not None and read.plates == ("plate 1", "plate 2") and read.centres is not None
    assert read.times[-1] == pytest.approx((SAMPLES - 1) / (PER_FRAME * 100))
    np.testing.assert_allclose(read.forces[:, 0], force, atol=1e-3)
    np.testing.assert_allclose(read.forces[:, 1], 0.5 * force, atol=1e-3)
    stands = force[:, 2] > 0
    np.testing.assert_allclose(read.centres[stands, 0], centre[stands], atol=1e-5)
    np.testing.assert_allclose(read.centres[stands, 1], (centre + AWAY)[stands], atol=1e-5)
    assert np.isnan(read.centres[~stands]).all()
    np.testing.assert_allclose(read.vertical, 1.5 * force[:, 2], atol=1e-3)
    whole = (centre + (centre + AWAY) / 2) / 1.5
    np.testing.assert_allclose(read.centre_of_pressure[stands], whole[stands, :2], atol=1e-5)


def test_the_frames_that_the_file_names_are_the_zero(tmp_path: Path) -> None:
    force, centre = stepping()
    plates = [Plate(2, force, centre)]
    kept = write_plates(tmp_path / "kept.c3d", wave(FRAMES), plates, offset=7.0)
    zeroed = write_plates(tmp_path / "zero.c3d", wave(FRAMES), plates, offset=7.0, zero=(1, 4))
    biased, found = load_c3d_plates(kept), load_c3d_plates(zeroed)
    assert biased is not None and found is not None
    assert abs(biased.vertical - force[:, 2]).max() > 5
    np.testing.assert_allclose(found.vertical, force[:, 2], atol=1e-3)


def test_a_file_without_plates_has_none(tmp_path: Path) -> None:
    force, centre = stepping()
    path = write_plates(
        tmp_path / "none.c3d", wave(FRAMES), [Plate(2, force, centre)], change={"USED": [0]}
    )
    assert load_c3d_plates(path) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"TYPE": [7]}, "TYPE 7; expected a plate of type 1, 2, 3 or 4"),
        ({"CHANNEL": np.array([[1, 2, 3, 4, 5, 60]]).T}, "CHANNEL 60, which the file has not"),
        ({"CHANNEL": np.array([[1, 2, 3]]).T}, "too few CHANNELs; expected 6 for type 2"),
        ({"CORNERS": np.zeros((3, 4, 1))}, "corners of a plate that coincide"),
        ({"CORNERS": np.zeros((3, 2, 1))}, "CORNERS of the shape"),
        ({"USED": [2]}, "force plate 2: TYPE 0"),
    ],
)
def test_wrong_descriptions_are_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    force, centre = stepping()
    path = write_plates(
        tmp_path / "bad.c3d", wave(FRAMES), [Plate(2, force, centre)], change=change
    )
    with pytest.raises(BadFile, match=words):
        load_c3d_plates(path)


def test_a_force_that_nobody_has_is_refused(tmp_path: Path) -> None:
    force, centre = stepping()
    path = write_plates(tmp_path / "strong.c3d", wave(FRAMES), [Plate(2, 1e4 * force, centre)])
    with pytest.raises(BadFile, match=r"a force of .* N; expected at most"):
        load_c3d_plates(path)


def test_sensors_nobody_knows_the_places_of_give_forces_only(tmp_path: Path) -> None:
    force, centre = stepping()
    origin = np.array([[0.0], [0.0], [-50.0]])
    path = write_plates(
        tmp_path / "kistler.c3d",
        wave(FRAMES),
        [Plate(3, force, centre)],
        change={"ORIGIN": origin},
    )
    found = load_c3d_plates(path)
    assert found is not None and found.centres is not None and np.isnan(found.centres).all()
    np.testing.assert_allclose(found.vertical, force[:, 2], atol=1e-3)
