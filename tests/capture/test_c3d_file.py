"""Reading C3D files in a sandbox."""

from __future__ import annotations

from pathlib import Path

import ezc3d
import numpy as np
import pytest
from support.marker_waves import wave, with_gap

from robotix.capture import c3d_file
from robotix.capture.c3d_file import load_c3d
from robotix.capture.markers import MarkerSet
from robotix.capture.mocap_files import load_markers
from robotix.errors import BadFile
from robotix.geometry import Array


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


def test_double_labels_get_numbers(tmp_path: Path) -> None:
    path = write_c3d(tmp_path / "twice.c3d", wave(5))
    file = ezc3d.c3d(str(path))
    file["parameters"]["POINT"]["LABELS"]["value"] = ["RKNE", "RKNE"]
    file.write(str(path))
    assert load_c3d(path).names == ("RKNE", "RKNE (2)")


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
