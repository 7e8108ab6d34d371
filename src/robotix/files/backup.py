"""Backups: what a save would replace is kept beside it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["keep_backups", "move_to_backup", "write_backup"]


def move_to_backup(path: Path) -> Path | None:
    """Rename a file or folder to the first free of NAME.bak, NAME.bak2, …; return where it is now.

    Return None if there is nothing at `path`. An existing backup is never replaced.
    """
    if not path.exists() and not path.is_symlink():
        return None
    target = _free_name(path)
    path.rename(target)
    return target


def write_backup(path: Path) -> Path | None:
    """Copy a file to the first free of NAME.bak, NAME.bak2, …; None if there is no file."""
    if not path.is_file():
        return None
    target = _free_name(path)
    with target.open("xb") as file:  # never over another
        file.write(path.read_bytes())
    target.chmod(path.stat().st_mode & 0o777)
    return target


@contextmanager
def keep_backups(out: Path, *, is_folder: bool = False) -> Iterator[Path]:
    """Yield a path to write to instead of `out`; at the end, what is there is put in its place.

    A file that differs from the one that it replaces leaves that as a backup. With `is_folder`, all
    files in the folder are put into `out`, which is made if needed. Nothing is put after an error.
    """
    with TemporaryDirectory() as temporary:
        draft = Path(temporary) / (out.name or "out")
        if is_folder:
            draft.mkdir()
            yield draft
            out.mkdir(parents=True, exist_ok=True)
            for each in sorted(path for path in draft.rglob("*") if path.is_file()):
                _put(each, out / each.relative_to(draft))
        elif out.is_dir() or not out.parent.is_dir():
            yield out  # whoever writes says what is wrong
        else:
            yield draft
            _put(draft, out)


def _put(draft: Path, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    if target.is_file():
        if target.read_bytes() == draft.read_bytes():
            return
        write_backup(target)
    shutil.copyfile(draft, target)


def _free_name(path: Path) -> Path:
    suffixes = (".bak" if number == 1 else f".bak{number}" for number in count(1))
    names = (path.with_name(path.name + suffix) for suffix in suffixes)
    return next(name for name in names if not name.exists() and not name.is_symlink())
