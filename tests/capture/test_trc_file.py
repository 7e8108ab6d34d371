"""Reading and writing TRC files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.marker_waves import wave, with_gap

from robotix.capture.markers import MarkerSet
from robotix.capture.trc_file import dump_trc, load_trc
from robotix.errors import BadFile


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
    "header only": (lambda s: "\n".join(s.split("\n")[:4]), 1, "five lines of header"),
}


def test_a_second_marker_of_one_name_gets_a_number(tmp_path: Path) -> None:
    path = tmp_path / "twice.trc"
    path.write_text(dump_trc(wave(3)).replace("\tb\n", "\ta\n"))
    assert load_trc(path).names == ("a", "a (2)")


def test_names_of_computed_markers_without_columns_are_left_out(tmp_path: Path) -> None:
    """Cortex lists them in the header, and counts the measured ones only."""
    path = tmp_path / "cortex.trc"
    lines = dump_trc(wave(3)).split("\n")
    lines[3] += "\t\t\tV_hip\t\t\tV_knee"
    path.write_text("\n".join(lines))
    found = load_trc(path)
    assert found.names == ("a", "b")
    np.testing.assert_allclose(found.positions, wave(3).positions, atol=1e-5)


@pytest.mark.parametrize("case", BAD_TRC)
def test_bad_trc_is_refused_with_the_place(case: str, tmp_path: Path) -> None:
    spoil, line, expected = BAD_TRC[case]
    path = tmp_path / "bad.trc"
    path.write_text(spoil(dump_trc(wave(3))))
    with pytest.raises(BadFile) as caught:
        load_trc(path)
    assert caught.value.line == line
    assert expected in str(caught.value)


def test_times_in_whole_milliseconds_are_made_even(tmp_path: Path) -> None:
    """At 150 Hz Cortex writes 0.000, 0.007, 0.013, …: such a recording can be smoothed, too."""
    markers = wave(40)
    times = np.arange(40) / 150
    text = dump_trc(MarkerSet(markers.names, np.round(times, 3), markers.positions))
    (tmp_path / "cortex.trc").write_text(text)
    read = load_trc(tmp_path / "cortex.trc")
    np.testing.assert_allclose(read.times, times, atol=2e-5)
    assert len(read.smoothed(6.0)) == 40
    uneven = times + np.where(np.arange(40) > 20, 0.02, 0.0)
    text = dump_trc(MarkerSet(markers.names, uneven, markers.positions))
    (tmp_path / "uneven.trc").write_text(text)
    np.testing.assert_allclose(load_trc(tmp_path / "uneven.trc").times, uneven, atol=1e-5)
