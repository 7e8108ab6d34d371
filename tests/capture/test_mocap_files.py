"""Motion capture files of any format: errors have a position, and damaged files never crash."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.bvh_text import ARM
from support.marker_waves import wave, with_gap

from robotix.capture.mocap_files import load_markers
from robotix.capture.trc_file import dump_trc
from robotix.errors import BadFile


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
