"""Saving, extending and loading motions: `.csv` for people, `.mcap` and `.parquet` for machines.

Writing is atomic: a new file gets its name only when it is complete, and a failed append leaves the
file unchanged.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from robotix.errors import BadFile
from robotix.files.output_file import atomic_file, check_folder
from robotix.files.source_file import read_source
from robotix.model import Model
from robotix.motion.csv_file import append_csv, dump_csv, load_csv
from robotix.motion.mcap_file import dump_mcap, load_mcap
from robotix.motion.motion import Motion
from robotix.motion.parquet_file import dump_parquet, load_parquet

__all__ = ["MotionExtension", "append_motion", "extend_motion", "load_motion", "save_motion"]

_DUMPERS = {".csv": dump_csv, ".mcap": dump_mcap, ".parquet": dump_parquet}
_LOADERS = {".csv": load_csv, ".mcap": load_mcap, ".parquet": load_parquet}
MAX_FILE_BYTES = 1 << 30  # an hour of 40 joints at 120 Hz takes a fifth of this


def load_motion(path: str | Path, *, model: Model | None = None) -> Motion:
    """Read a motion; with a model, raise BadFile unless the joints are those of the model.

    Of a truncated MCAP file all complete chunks are read, with a warning in the log.

    Examples:
        >>> model = rx.load("planar_3r")
        >>> rx.save_motion("arm.csv", rx.Motion.of(model, [0.0, 1.0], q=np.zeros((2, 3))))
        >>> rx.load_motion("arm.csv", model=model).duration
        1.0
    """
    motion = _LOADERS[_suffix(path)](
        str(path), read_source(path, what="a motion", limit=MAX_FILE_BYTES)
    )
    if model is not None:
        try:
            motion.check_model(model)
        except ValueError as error:
            raise BadFile(str(path), str(error), "a motion of that model", line=1) from None
    return motion


def save_motion(path: str | Path, motion: Motion) -> None:
    """Write a motion to a file, replacing an existing one.

    Examples:
        >>> motion = rx.Motion.of(rx.load("planar_3r"), [0.0, 1.0], q=np.zeros((2, 3)))
        >>> rx.save_motion("arm.mcap", motion)
    """
    data = _DUMPERS[_suffix(path)](motion)
    with atomic_file(path) as partial, partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def append_motion(
    path: str | Path, motion: Motion, *, gap: float | None = None, known: Motion | None = None
) -> Motion:
    """Append a motion to a file, which is created if necessary; return what the file holds then.

    With a `gap` the motion is shifted to start `gap` seconds after the file's last posture;
    without, its own times must be later. `known` is what the file holds, if it was read before.
    """
    old = None
    if Path(path).exists():
        old = load_motion(path) if known is None else known
    extension = extend_motion(path, old, motion, gap=gap)
    extension.write()
    return extension.whole


@dataclass(frozen=True, eq=False)
class MotionExtension:
    """A motion that is to be appended to a file."""

    path: Path
    whole: Motion  # what the file will hold
    later: Motion  # what is appended
    is_new: bool  # there is no such file yet

    def write(self) -> None:
        """Write it."""
        if _suffix(self.path) == ".csv" and not self.is_new:
            append_csv(self.path, self.later)
        else:
            save_motion(self.path, self.whole)


def extend_motion(
    path: str | Path, old: Motion | None, motion: Motion, *, gap: float | None = None
) -> MotionExtension:
    """Return what `append_motion` will write after the motion that a file holds, None if none."""
    _suffix(path)
    if old is None:
        check_folder(path)
        return MotionExtension(Path(path), motion, motion, is_new=True)
    if old.dofs != motion.dofs:
        raise BadFile(
            str(path), f"joints {', '.join(old.names)}", f"joints {', '.join(motion.names)}", line=1
        )
    last = float(old.times[-1])
    later = motion if gap is None else motion.shifted(last + gap - float(motion.times[0]))
    return MotionExtension(Path(path), old.joined(later), later, is_new=False)


def _suffix(path: str | Path) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in _DUMPERS:
        raise ValueError(f"{path}: a motion file is called .csv, .mcap or .parquet, not {suffix!r}")
    return suffix
