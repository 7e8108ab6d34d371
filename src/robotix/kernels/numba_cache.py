"""Kernels on disk: with `closed_code` the only module that relies on internals of Numba.

Numba can cache compiled functions on disk. Kernels need four changes:

- Numba invalidates a function only when its own file changes, although it contains code of other
  files. Here any of those files invalidates it (see `sources`).
- Two processes that compile the same function may leave an index that refers to a missing file.
  Here a lock allows one process at a time.
- A damaged file makes Numba raise an exception of pickle at every start. Here such a file is
  deleted and the function compiled again; check sums detect damage that pickle would not.
- Before reading the cache, Numba loads everything needed to compile, including SciPy's linear
  algebra, which triples the start-up time. Here the cache is read first; a cached kernel needs only
  Numba's reference counting.

This is a subclass of Numba's cache, set for our own functions only, and for the versions of Numba
that it was tested with. With other versions, kernels are compiled in every process.
"""

from __future__ import annotations

import fcntl
import glob
import logging
import pickle
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

__all__ = ["KernelCache", "has_target", "is_supported", "keep_on_disk"]

MIN_NUMBA, FIRST_UNSUPPORTED_NUMBA = (
    (0, 61),
    (0, 69),
)  # the same as in pyproject.toml


DIGEST_MARK = b"robotix code 1: "
DIGEST_BYTES = len(DIGEST_MARK) + 16
LOG = logging.getLogger(__name__)


def keep_on_disk(dispatcher: Any, fingerprint: str) -> bool:
    """Cache a compiled function on disk; return whether that is possible.

    It is not without a writable folder, for a function without a file, or with an unsupported
    version of Numba.
    """
    if not is_supported(numba.__version__):
        _warn_once(numba.__version__)
        return False
    try:
        dispatcher._cache = KernelCache(dispatcher.py_func, fingerprint)
    except RuntimeError:  # no folder to write to
        return False
    return True


def has_target() -> bool:
    """Return whether Numba has chosen the processor that it compiles for, which is final."""
    return "_toplevel_target_context" in vars(cpu_target)


def is_supported(version: str) -> bool:
    """Return whether this module supports a version of Numba."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return (
        match is not None and MIN_NUMBA <= (int(match[1]), int(match[2])) < FIRST_UNSUPPORTED_NUMBA
    )


@cache
def _warn_once(version: str) -> None:
    newest = f"{FIRST_UNSUPPORTED_NUMBA[0]}.{FIRST_UNSUPPORTED_NUMBA[1] - 1}"
    logging.getLogger("robotix").warning(
        "Numba %s is not supported: kernels are compiled again in every process. "
        "Install version %s or older.",
        version,
        newest,
    )


class KernelCache(FunctionCache):
    """Numba's cache of one function, with a fingerprint of all sources in it."""

    def __init__(self, function: Any, fingerprint: str) -> None:
        super().__init__(function)
        self._cache_file: _LockedFile = _LockedFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=fingerprint,
        )

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load a function for a signature from disk; otherwise prepare Numba to compile it."""
        rtsys.initialize(context)
        try:
            found = self._load_overload(signature, context)
        except Exception as error:  # damaged files raise whatever pickle and LLVM think of
            LOG.warning("damaged kernels are compiled again: %s: %r", self._name, error)
            self._cache_file.discard()
            found = None
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
            try:
                super().save(key, data)
            except (EOFError, ValueError, TypeError, pickle.UnpicklingError):  # a damaged index
                self._remove()
                super().save(key, data)

    def discard(self) -> None:
        """Delete index and code."""
        with _locked(Path(self._cache_path)):
            self._remove()

    def _remove(self) -> None:
        folder, base = Path(self._cache_path), Path(self._index_path).stem
        for path in (Path(self._index_path), *folder.glob(f"{glob.escape(base)}.*.nbc")):
            with suppress(OSError):
                path.unlink()

    def _save_data(self, name: str, data: Any) -> None:
        code = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(code + _digest(code))  # pickle reads no further than its own end

    def _load_data(self, name: str) -> Any:
        data = Path(self._data_path(name)).read_bytes()
        code, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
        if digest.startswith(DIGEST_MARK):  # otherwise written by Numba itself
            if digest != _digest(code):
                raise ValueError("the check sum does not match")
        return pickle.loads(data)


def _digest(code: bytes) -> bytes:
    return DIGEST_MARK + blake2b(code, digest_size=16).digest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; without write access nothing is locked."""
    try:
        file = (folder / "kernels.lock").open("a")
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
