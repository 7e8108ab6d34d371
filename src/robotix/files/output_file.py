"""Files to write: checked before the work, and complete once they have their name."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["atomic_file", "check_folder", "check_new_file", "check_writable"]


def check_folder(path: str | Path) -> Path:
    """Return the path of a file to write, without links; raise ValueError if it has no folder."""
    final = Path(path).resolve()
    if not final.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {final.parent}; make it first")
    return final


def check_writable(path: str | Path) -> None:
    """Raise ValueError if a file has no folder, OSError if that folder cannot be written to."""
    folder = check_folder(path).parent
    try:
        with tempfile.TemporaryFile(dir=folder):  # rights do not tell whether the disk is read-only
            return
    except OSError as error:
        number = error.errno or errno.EACCES
        why = f"{folder} cannot be written to ({os.strerror(number)}); choose another folder"
        raise OSError(number, why, str(path)) from None


def check_new_file(path: str | Path) -> None:
    """Raise FileExistsError if there is such a file or folder, and as `check_writable` does."""
    if Path(path).exists():
        raise FileExistsError(errno.EEXIST, "is there already; choose a new name", str(path))
    check_writable(path)


@contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """Yield a path to write to; at the end the file gets its name, replacing another.

    After an error nothing is left, and a file that was there is as before. Raises ValueError if
    the folder does not exist.
    """
    final = check_folder(path)
    partial = final.with_name(f".{final.name}.{os.getpid()}.part")
    try:
        yield partial
        partial.replace(final)
    except OSError as error:
        if str(error.filename) != str(partial):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        partial.unlink(missing_ok=True)
