"""How compiled code is compiled: `kernel` for entry points, `part` for what they are made of.

`fast_kernel` and `inlined_kernel` also let sums be reordered and multiplications fused, which
vectorises them; NaN and infinity keep their meaning in all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

from numba import njit
from numba.extending import register_jitable

__all__ = ["fast_kernel", "inlined_kernel", "kernel", "part"]

P = ParamSpec("P")
R = TypeVar("R")

STRICT: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
FAST: dict[str, Any] = STRICT | {"fastmath": {"reassoc", "contract", "nsz", "arcp"}}

# Packages whose compiled functions call each other, and their files with code or constants in them.
SHARED = ("geometry", "model", "kinematics")
WATCHED = (
    *("*kernel*.py", "arena.py", "hierarchy.py", "least_squares.py", "path.py", "quadratic.py"),
    *("rows.py", "search.py", "tables.py", "tick.py"),
)
Stamp: TypeAlias = tuple[tuple[str, int, int], ...]  # name, time and size of files


@cache
def _stamp_of(*files: Path) -> Stamp:
    return tuple((f.name, f.stat().st_mtime_ns, f.stat().st_size) for f in files)


@cache
def _shared_files() -> tuple[Path, ...]:
    root = Path(__file__).resolve().parent.parent
    return tuple(
        sorted(f for name in SHARED for pattern in WATCHED for f in (root / name).rglob(pattern))
    )


def _source_stamp(own: Path) -> Stamp:
    """State of all sources that a function of the file `own` may contain.

    Those are the shared ones, and for the kernels of another package its own: a change there
    concerns no other package.
    """
    shared = _shared_files()
    if own in shared or not own.is_file():
        return _stamp_of(*shared)
    return _stamp_of(*shared) + _stamp_of(*sorted({own, *own.parent.glob("*kernel*.py")}))


def _compile(function: Callable[P, R], options: dict[str, Any]) -> Callable[P, R]:
    """Compile on first use and keep the result on disk.

    Numba takes it for fresh as long as the function's own file is unchanged, although it contains
    code of other files too; here it is stale as soon as any of those changes.
    """
    compiled: Any
    try:
        compiled = njit(cache=True, **options)(function)
    except RuntimeError:  # no place to write to, or no file to watch: compile in every process
        compiled = njit(**options)(function)
    cache_file: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if hasattr(cache_file, "_source_stamp"):
        cache_file._source_stamp = _source_stamp(Path(function.__code__.co_filename).resolve())
    return compiled  # type: ignore[no-any-return]


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an entry point on first use, for every caller, without the interpreter lock."""
    return _compile(function, STRICT)


def fast_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an entry point that may reorder its sums."""
    return _compile(function, FAST)


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a fast kernel into its callers: where handing over the arguments costs too much."""
    return _compile(function, FAST | {"forceinline": True})


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call `function`; Python itself still runs the plain source.

    Cheaper to compile than a kernel, since it gets no wrapper for Python.
    """
    registered: Any = register_jitable(**STRICT)
    return registered(function)  # type: ignore[no-any-return]
