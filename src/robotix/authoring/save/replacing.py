"""Replaces several files at once: either all of them are the new ones, or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

__all__ = ["replace_all"]


def replace_all(texts: Mapping[Path, str], back_up: Callable[[], None]) -> None:
    """Write every file under a temporary name, back up the old ones, then rename all of them."""
    waiting: list[tuple[str, Path]] = []
    try:
        for path, text in texts.items():
            with tempfile.NamedTemporaryFile(
                "wb", dir=path.parent, prefix=f".{path.name}.", delete=False
            ) as file:
                waiting.append((file.name, path))
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            _copy_mode(file.name, path)
        back_up()
        for name, path in waiting:
            os.replace(name, path)
    finally:
        for name, _ in waiting:
            with suppress(FileNotFoundError):
                os.unlink(name)


def _copy_mode(name: str, path: Path) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    os.chmod(name, mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
