"""Kernels on disk: the only module that relies on internals of Numba.

Numba keeps a compiled function on disk if asked to. Three things have to differ for kernels:

- Numba takes a function for fresh as long as its own file is unchanged, although it contains code
  of other files too. Here it is stale as soon as any of those changes (see `sources`).
- Two processes that compile the same function may leave an index that names a file which is not
  written yet. Here one process at a time reads or writes.
- Before it looks on disk, Numba loads all that it could need to compile, SciPy's linear algebra
  included: twice as long as the rest of a start. Here the disk comes first; a kernel that is found
  needs only the part of Numba that counts references.

All of it is a subclass of Numba's cache, set for our own functions only. It is used with the
versions of Numba that it was written for. With any other, kernels are compiled in every process.
"""

from __future__ import annotations

import fcntl
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys

__all__ = ["KernelCache", "is_supported", "keep_on_disk"]

OLDEST, FIRST_UNKNOWN = (0, 61), (0, 69)  # Numba's versions; pyproject.toml says the same


def keep_on_disk(dispatcher: Any, fingerprint: str) -> bool:
    """Let a compiled function be looked for on disk and written there; return whether it can be.

    It cannot without a folder to write to, for a function without a file, or with a Numba that is
    not supported.
    """
    if not is_supported(numba.__version__):
        _warn_once(numba.__version__)
        return False
    try:
        dispatcher._cache = KernelCache(dispatcher.py_func, fingerprint)
    except RuntimeError:  # no folder to write to
        return False
    return True


def is_supported(version: str) -> bool:
    """Return whether this module knows the internals of a version of Numba."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return match is not None and OLDEST <= (int(match[1]), int(match[2])) < FIRST_UNKNOWN


@cache
def _warn_once(version: str) -> None:
    newest = f"{FIRST_UNKNOWN[0]}.{FIRST_UNKNOWN[1] - 1}"
    logging.getLogger("robotix").warning(
        "Numba %s is not known to work: kernels are compiled again in every process. "
        "Install one up to %s.",
        version,
        newest,
    )


class KernelCache(FunctionCache):
    """Numba's cache of one function, with a fingerprint of all sources in it."""

    def __init__(self, function: Any, fingerprint: str) -> None:
        super().__init__(function)
        self._cache_file = _LockedFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=fingerprint,
        )

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load a function for a signature, if it is on disk; else get ready to compile it."""
        rtsys.initialize(context)
        found = self._load_overload(signature, context)
        if found is None:
            context.refresh()
        return found


class _LockedFile(IndexDataCacheFile):
    """Index and code of one function on disk, for one process at a time."""

    def load(self, key: Any) -> Any:
        with _locked(Path(self._cache_path)):
            return super().load(key)

    def save(self, key: Any, data: Any) -> None:
        with _locked(Path(self._cache_path)):
            super().save(key, data)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Wait until no other process is here; where no lock can be written, nothing is locked."""
    try:
        file = (folder / "kernels.lock").open("a")
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
