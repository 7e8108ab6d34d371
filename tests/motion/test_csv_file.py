"""Motions as CSV."""

from pathlib import Path

import numpy as np
import pytest

from robotix.errors import BadFile
from robotix.model import Model
from robotix.motion import (
    Marker,
    Motion,
    load_motion,
    save_motion,
)
from robotix.motion.csv_file import load_csv


def test_a_csv_file_reads_as_a_table(tmp_path: Path, walker: Model) -> None:
    path = tmp_path / "walk.csv"
    save_motion(path, Motion.of(walker, [0.5], q=[np.arange(7) / 10], markers=[Marker(0.5, "go")]))
    assert path.read_text().splitlines() == [
        "time [s],root_x [m],root_y [m],root_z [m],"
        "root_rx [rotvec],root_ry [rotvec],root_rz [rotvec],hip [rad]",
        "0.5,0.0,0.1,0.2,0.3,0.4,0.5,0.6",
        "# marker,0.5,go",
    ]


def test_a_csv_file_may_be_written_by_hand() -> None:
    text = "\ufefftime [s],a [rad]\r\n# my own\r\n0, 1\r\n\r\n+1e-1 ,.5\r\n# marker,0.05,go\r\n"
    motion = load_csv("x", text.encode())
    assert motion.times.tolist() == [0, 0.1] and motion.q[:, 0].tolist() == [1, 0.5]
    assert motion.markers == ((0.05, "go"),)


HEAD = "time [s],a [rad],b [m]\n"


BAD_CSV = {
    "empty": ("", 1, "the file is empty"),
    "no header": ("0,1,2\n", 1, "first column '0'; expected column names"),
    "no unit": ("time [s],a\n0,1\n", 1, "column 'a'; expected a name with its unit"),
    "degrees": ("time [s],a [deg]\n0,1\n", 1, "column 'a .deg.'"),
    "a name twice": ("time [s],a [rad],a [rad]\n0,1,2\n", 1, "'a' occurs twice"),
    "no joints": ("time [s]\n0\n", 1, "no joints"),
    "half a rotation": ("time [s],a [rotvec]\n0,1\n", 1, "three coordinates"),
    "open quote": ('time [s],"a [rad]\n0,1\n', 1, "comma-separated text"),
    "no rows": (HEAD, 1, "no postures"),
    "too few columns": (HEAD + "0,1\n", 2, "2 columns; expected 3"),
    "too many columns": (HEAD + "0,1,2\n1,1,2,3\n", 3, "4 columns; expected 3"),
    "text": (HEAD + "0,1,2\n1,x,2\n", 3, "'x'; expected a finite number"),
    "nan": (HEAD + "0,1,nan\n", 2, "'nan'; expected a finite number"),
    "too large": (HEAD + "0,1,1e999\n", 2, "'1e999'; expected a finite number"),
    "infinite": (HEAD + "0,-inf,1\n", 2, "'-inf'"),
    "other digits": (HEAD + "0,١,1\n", 2, "'١'"),
    "underscore": (HEAD + "0,1_0,1\n", 2, "'1_0'"),
    "missing": (HEAD + "0,,1\n", 2, "''; expected a finite number"),
    "time stands": (HEAD + "0,1,2\n0,1,2\n", 3, "after 0.0 s; expected increasing times"),
    "before zero": (HEAD + "-1,1,2\n", 2, "increasing times"),
    "cut short": (HEAD + "0,1,2\n1,1,0.12", 3, "unfinished last line"),
    "bad marker": (HEAD + "0,1,2\n# marker,x\n", 3, "'# marker,time,label'"),
    "marker at no time": (HEAD + "0,1,2\n# marker,nan,x\n", 3, "finite number"),
    "marker before zero": (HEAD + "0,1,2\n# marker,-1,x\n", 3, "increasing times"),
}


@pytest.mark.parametrize("case", BAD_CSV)
def test_a_bad_csv_file_is_refused_with_its_line(case: str, tmp_path: Path) -> None:
    text, line, message = BAD_CSV[case]
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(BadFile, match=message) as caught:
        load_motion(path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{path}:{line}")


def test_a_bad_number_is_refused_with_its_column() -> None:
    with pytest.raises(BadFile) as caught:
        load_csv("x.csv", (HEAD + "0,1.5,oops\n").encode())
    assert str(caught.value) == "x.csv:2:7: 'oops'; expected a finite number"
    with pytest.raises(BadFile, match=r"x.csv:2: byte 0xff; expected UTF-8"):
        load_csv("x.csv", HEAD.encode() + b"\xff\n")
