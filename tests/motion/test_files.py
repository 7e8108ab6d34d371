"""Motion files: exact round trips, clear refusals, and nothing lost when things go wrong."""

import json
import logging
import math
import random
import resource
import signal
import string
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.errors import BadFile
from robotix.geometry import Array
from robotix.model import Model
from robotix.motion import (
    Dof,
    Marker,
    Motion,
    MotionLog,
    append_motion,
    load_motion,
    save_motion,
)
from robotix.motion.csv_file import dump_csv, load_csv
from robotix.motion.mcap_file import FLUSH_INTERVAL, dump_mcap, load_mcap

SUFFIXES = (".csv", ".mcap")
LOADERS = {".csv": (dump_csv, load_csv), ".mcap": (dump_mcap, load_mcap)}
LONG_AGO = Marker(0.125, 'ünder "way", 50 %')
SAMPLE = Motion(
    (Dof("rail, left", "m"), Dof("r/ellbögen"), Dof('say "a"')),
    np.array([0.1, 0.2, 1 / 3]),
    np.array([[0.1, -0.0, 1e-300], [math.pi, 5e-324, -1e308], [1 / 3, 2 / 3, 1e16]]),
    (LONG_AGO, Marker(0.3, "")),
)
finite = st.floats(allow_nan=False, allow_infinity=False)


def assert_same(a: Motion, b: Motion) -> None:
    assert a.dofs == b.dofs and a.markers == b.markers
    assert a.times.tobytes() == b.times.tobytes()  # to the last bit, and the sign of zero
    assert a.q.tobytes() == b.q.tobytes()


def motion_from(start: float, model: Model, *, rows: int = 3) -> Motion:
    return Motion.of(model, start + 0.5 * np.arange(rows), q=np.full((rows, model.n_dof), start))


# -- round trips ----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_saved_motion_comes_back_to_the_last_bit(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"motion{suffix}"
    save_motion(path, SAMPLE)
    assert_same(load_motion(path), SAMPLE)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]  # nothing else left behind


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=50)
@given(
    q=arrays(float, (3, 2), elements=finite),
    times=st.lists(st.floats(0, 9e9), min_size=3, max_size=3, unique=True),
    names=st.lists(st.text(min_size=1), min_size=2, max_size=2, unique=True),
    label=st.text(),
)
def test_every_motion_survives(
    suffix: str, q: Array, times: list[float], names: list[str], label: str
) -> None:
    try:
        dofs = tuple(Dof(name) for name in names)
        motion = Motion(dofs, np.array(sorted(times)), q, (Marker(times[0], label),))
    except ValueError:
        return  # names and labels that are not one line of text
    dump, load = LOADERS[suffix]
    assert_same(load("x", dump(motion)), motion)


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


def test_mcap_postures_are_plain_cdr_with_a_field_a_joint() -> None:
    """Viewers need nothing of ours: the schema in the file tells how to read it."""
    import io

    from mcap.reader import make_reader

    reader = make_reader(io.BytesIO(dump_mcap(SAMPLE)))
    messages = [m for m in reader.iter_messages(topics=["/posture"])]
    schema, channel, message = messages[1]
    assert schema is not None and (schema.encoding, channel.message_encoding) == ("ros2msg", "cdr")
    fields = [line.split() for line in schema.data.decode().splitlines()]
    assert fields == [[b, n] for b, n in fields if b == "float64"]
    assert [name for _, name in fields] == ["time", "q0_rail_left", "q1_r_ellb_gen", "q2_say_a"]
    assert message.data[:4] == b"\0\1\0\0"
    assert struct.unpack("<4d", message.data[4:]) == (0.2, *SAMPLE.q[1])
    assert message.log_time == 200_000_000
    (_, _, marker) = next(iter(reader.iter_messages(topics=["/marker"])))
    assert json.loads(marker.data) == {"time": 0.125, "label": LONG_AGO.label}


# -- appending ------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_appending_goes_on(suffix: str, tmp_path: Path, arm: Model) -> None:
    path = tmp_path / f"motion{suffix}"
    append_motion(path, motion_from(0, arm))
    append_motion(path, motion_from(2, arm))
    append_motion(path, motion_from(0, arm, rows=1), gap=0.25)
    motion = load_motion(path, model=arm)
    assert motion.times.tolist() == [0, 0.5, 1, 2, 2.5, 3, 3.25]
    assert motion.q[:, 0].tolist() == [0, 0, 0, 2, 2, 2, 0]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_append_that_is_refused_changes_nothing(
    suffix: str, tmp_path: Path, arm: Model, walker: Model
) -> None:
    path = tmp_path / f"motion{suffix}"
    save_motion(path, motion_from(0, arm))
    before = path.read_bytes()
    with pytest.raises(BadFile, match=r"joints rail, shoulder, elbow; expected joints root_x, "):
        append_motion(path, motion_from(5, walker))
    with pytest.raises(ValueError, match="cannot follow"):
        append_motion(path, motion_from(1, arm))
    with pytest.raises(ValueError, match="cannot follow"):
        append_motion(path, motion_from(1, arm), gap=0.0)
    assert path.read_bytes() == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_full_disk_leaves_the_old_file(
    suffix: str, tmp_path: Path, arm: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"motion{suffix}"
    save_motion(path, motion_from(0, arm))
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)  # by then the bytes have been handed over
    with pytest.raises(OSError, match="No space left"):
        append_motion(path, motion_from(5, arm))
    with pytest.raises(OSError, match="No space left"):
        save_motion(path, motion_from(7, arm))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_row_that_does_not_fit_on_the_disk_is_taken_back(tmp_path: Path, arm: Model) -> None:
    path = tmp_path / "motion.csv"
    save_motion(path, motion_from(0, arm))
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            append_motion(path, motion_from(5, arm))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before


# -- refusing -------------------------------------------------------------------------------------

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


def test_only_motions_of_the_model_are_loaded(tmp_path: Path, arm: Model, walker: Model) -> None:
    for suffix in SUFFIXES:
        path = tmp_path / f"arm{suffix}"
        save_motion(path, motion_from(0, arm))
        with pytest.raises(BadFile, match=r"does not fit model 'walker': it lacks root_x, .*hip"):
            load_motion(path, model=walker)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        load_motion(tmp_path / "none.csv")
    with pytest.raises(ValueError, match="there is no folder"):
        save_motion(tmp_path / "none" / "motion.csv", SAMPLE)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(BadFile, match="this is a folder"):
        load_motion(tmp_path / "folder.csv")
    with pytest.raises(ValueError, match=r"is called .csv or .mcap, not '.txt'"):
        load_motion(tmp_path / "motion.txt")
    (tmp_path / "text.mcap").write_text("time [s],a [rad]\n")
    with pytest.raises(BadFile, match="MCAP"):
        load_motion(tmp_path / "text.mcap")


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a few of them changed, lost, doubled or swapped for telling ones."""
    result = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(result))
        j = min(len(result), i + rng.randint(1, 12))
        match rng.randrange(5):
            case 0:
                result[i] = rng.randrange(256)
            case 1:
                del result[i:j]
            case 2:
                result[i:i] = result[i:j]
            case 3:
                result[i:j] = rng.choice(
                    [b"nan", b"\n", b'"', b",", b"-", b"e999", b"# marker", b"\0"]
                )
            case _:
                result[i] = ord(rng.choice(string.printable))
        if not result:
            break
    return bytes(result)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_mutated_file_is_a_motion_or_a_bad_file(suffix: str) -> None:
    dump, load = LOADERS[suffix]
    data, refused = dump(SAMPLE), 0
    logging.disable(logging.WARNING)
    try:
        for seed in range(1500):
            try:
                motion = load("x", mutated(data, random.Random(seed)))
            except BadFile as error:
                refused += 1
                assert "x" in str(error)
            else:
                assert np.isfinite(motion.q).all() and (np.diff(motion.times) > 0).all()
    finally:
        logging.disable(logging.NOTSET)
    assert 300 < refused < 1500  # both ways are taken


# -- sudden ends ----------------------------------------------------------------------------------


def test_a_log_holds_all_but_the_last_moments_at_any_time(tmp_path: Path, arm: Model) -> None:
    path, dt = tmp_path / "log.mcap", 1 / 120
    sizes = []
    with MotionLog(path, arm) as log:
        for tick in range(60):
            log.add(tick * dt, np.full(3, tick / 100))
            sizes.append(path.stat().st_size)
        log.mark("done")
    data = path.read_bytes()
    whole = load_motion(path)
    assert len(whole.times) == 60 and whole.markers == ((59 * dt, "done"),)
    for tick, size in enumerate(sizes):
        motion = load_mcap("x", data[:size])
        assert tick * dt - motion.times[-1] <= FLUSH_INTERVAL
        np.testing.assert_array_equal(motion.q, whole.q[: len(motion.q)])


def test_a_cut_file_is_recovered_up_to_the_cut(
    tmp_path: Path, arm: Model, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "log.mcap"
    with MotionLog(path, arm) as log:
        for tick in range(60):
            log.add(tick / 100, np.full(3, tick / 100))
    data, last = path.read_bytes(), 0
    whole = load_motion(path)
    assert not caplog.records
    for cut in sorted(random.Random(1).sample(range(len(data)), 400)):
        try:
            motion = load_mcap("cut.mcap", data[:cut])
        except BadFile:
            assert not last  # only before the first posture
            continue
        assert len(motion.times) >= max(last, 1)
        last = len(motion.times)
        np.testing.assert_array_equal(motion.q, whole.q[:last])
    assert last == 60
    assert "cut.mcap: cut short" in caplog.text


def test_a_killed_writer_loses_at_most_the_last_moments(tmp_path: Path) -> None:
    path, dt, ticks = tmp_path / "log.mcap", 0.008, 1003
    program = f"""
import os, signal
from robotix.model import Body, Joint, Model
from robotix.motion import MotionLog
log = MotionLog({str(path)!r}, Model("m", (Body("b", Joint("j", "revolute")),)))
for tick in range({ticks}):
    log.add(tick * {dt}, [tick / 10])
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    motion = load_motion(path)
    assert (ticks - 1) * dt - motion.times[-1] <= FLUSH_INTERVAL
    np.testing.assert_array_equal(motion.q[:, 0], np.arange(len(motion.times)) / 10)
    append_motion(path, motion, gap=dt)  # and the file can be used again
    assert len(load_motion(path).times) == 2 * len(motion.times)


def test_a_log_refuses_nonsense_and_older_files(tmp_path: Path, arm: Model) -> None:
    path = tmp_path / "log.mcap"
    with MotionLog(path, arm) as log:
        with pytest.raises(ValueError, match="marker"):
            log.mark("too early")
        log.add(1.0, np.zeros(3))
        with pytest.raises(ValueError, match="time"):
            log.add(1.0, np.zeros(3))
        with pytest.raises(ValueError, match="posture"):
            log.add(2.0, [0.0, math.nan, 0.0])
    log.close()  # once more does no harm
    assert len(load_motion(path).times) == 1
    with pytest.raises(FileExistsError):
        MotionLog(path, arm)
    with MotionLog(tmp_path / "empty.mcap", arm):
        pass
    with pytest.raises(BadFile, match="no postures"):
        load_motion(tmp_path / "empty.mcap")
