"""A disk cache of computed data in the user's folder.

It is only an optimisation: entries that are missing, damaged, owned by another user or written by
another version of the program are computed again, and write errors are ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

__all__ = ["digest_of", "keep", "recall", "stamp_of", "user_cache_folder"]

MAX_FILES = 64  # of a kind; the oldest are removed
DIGEST_BYTES = 16  # bytes


def user_cache_folder() -> Path:
    """Return the folder, which may not exist yet; `ROBOTIX_CACHE` overrides it."""
    chosen = os.environ.get("ROBOTIX_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "robotix"


def digest_of(parts: Iterable[bytes]) -> str:
    """Return the cache key of these sources."""
    found = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


@cache
def stamp_of(*files: Path) -> bytes:
    """Return a text that changes with the program that computes the data."""
    states = [file.stat() for file in files]
    return repr([(state.st_mtime_ns, state.st_size) for state in states]).encode()


def recall(kind: str, key: str) -> bytes | None:
    """Return the data of a key; None when it is missing or damaged."""
    with suppress(OSError, RuntimeError):  # no such file, or no home
        path = _path(kind, key)
        if not _is_own(path):
            return None
        data = path.read_bytes()
        if blake2b(data[DIGEST_BYTES:], digest_size=DIGEST_BYTES).digest() == data[:DIGEST_BYTES]:
            return data[DIGEST_BYTES:]
    return None


def keep(kind: str, key: str, data: bytes) -> None:
    """Store the data of a key atomically."""
    with suppress(OSError, RuntimeError):
        path = _path(kind, key)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = path.with_name(f"{key}.{os.getpid()}.part")
        part.write_bytes(blake2b(data, digest_size=DIGEST_BYTES).digest() + data)
        part.replace(path)
        _remove_old(path.parent)


def _path(kind: str, key: str) -> Path:
    return user_cache_folder() / kind / key


def _is_own(path: Path) -> bool:
    return path.stat().st_uid == os.getuid()


def _remove_old(folder: Path) -> None:
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in files[MAX_FILES:]:
        file.unlink(missing_ok=True)
