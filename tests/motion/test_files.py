"""Motion files: exact round trips, clear refusals, and nothing lost when things go wrong."""

import logging
import random
import resource
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.sample_motion import SAMPLE

from robotix.errors import BadFile
from robotix.geometry import Array
from robotix.model import Model
from robotix.motion import (
    Dof,
    Marker,
    Motion,
    append_motion,
    load_motion,
    save_motion,
)
from robotix.motion.csv_file import dump_csv, load_csv
from robotix.motion.mcap_file import dump_mcap, load_mcap

SUFFIXES = (".csv", ".mcap")


LOADERS = {".csv": (dump_csv, load_csv), ".mcap": (dump_mcap, load_mcap)}


finite = st.floats(allow_nan=False, allow_infinity=False)


def assert_same(a: Motion, b: Motion) -> None:
    assert a.dofs == b.dofs and a.markers == b.markers
    assert a.times.tobytes() == b.times.tobytes()  # to the last bit, and the sign of zero
    assert a.q.tobytes() == b.q.tobytes()


def motion_from(start: float, model: Model, *, rows: int = 3) -> Motion:
    return Motion.of(model, start + 0.5 * np.arange(rows), q=np.full((rows, model.n_dof), start))


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
    with pytest.raises(ValueError, match=r"is called .csv, .mcap or .parquet, not '.txt'"):
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
