"""Backups: what a save would replace is kept beside it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

__all__ = ["move_to_backup", "write_backup"]


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


def _free_name(path: Path) -> Path:
    suffixes = (".bak" if number == 1 else f".bak{number}" for number in count(1))
    names = (path.with_name(path.name + suffix) for suffix in suffixes)
    return next(name for name in names if not name.exists() and not name.is_symlink())
