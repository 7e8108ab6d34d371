"""Force files: what is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.capture.force_file import load_forces
from robotix.errors import BadFile

HEADS = "time\tone_vx\tone_vy\tone_vz\tone_px\tone_py\tone_pz\ttwo_vx\ttwo_vy\ttwo_vz"
ROWS = ("0\t1\t300\t2\t0\t0\t0\t3\t400\t4", "0.01\t1\t310\t2\t0\t0\t0\t3\t390\t4")


def write(
    path: Path, *, heads: str = HEADS, rows: tuple[str, ...] = ROWS, end: str = "endheader"
) -> Path:
    file = path / "a.mot"
    file.write_text("\n".join(("forces", "version=1", end, heads, *rows, "")))
    return file


def test_forces_of_all_plates_with_z_up(tmp_path: Path) -> None:
    found = load_forces(write(tmp_path))
    assert found.plates == ("one", "two")
    np.testing.assert_allclose(found.times, [0, 0.01])
    np.testing.assert_allclose(found.vertical, [700, 700])
    np.testing.assert_allclose(found.forces[0, 0], [2, 1, 300])  # z of the file is forward
    np.testing.assert_allclose(load_forces(write(tmp_path), up="z").forces[0, 0], [1, 300, 2])


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"end": "nothing"}, "no endheader"),
        ({"heads": "frame\ta\tb\tc\td\te\tf\tg\th\ti"}, "the columns frame a b c"),
        ({"heads": HEADS.replace("two_vz", "two_vw")}, "the columns time"),
        ({"rows": (ROWS[0], "0.01\t1")}, "2 numbers"),
        ({"rows": (ROWS[1], ROWS[0])}, "do not rise"),
        ({"rows": (ROWS[0].replace("300", "3e6"), ROWS[1])}, "a force of 3e\\+06 N"),
        ({"rows": (ROWS[0].replace("300", "x"), ROWS[1])}, "x"),
        ({"rows": ()}, "no endheader with columns and rows"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, changes: dict[str, object], words: str) -> None:
    with pytest.raises(BadFile, match=words):
        load_forces(write(tmp_path, **changes))  # type: ignore[arg-type]
