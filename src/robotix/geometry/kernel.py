"""How compiled code is compiled: `kernel` for entry points, `part` for what they are made of.

The `fast_` ones, `inlined_part` and `merged_part` also let sums be reordered and multiplications
fused, which vectorises them; NaN and infinity keep their meaning in all.

Whatever calls a part is compiled together with it, again and again up to the kernel. So the wrapper
for Python, inlining and how often a part is copied decide how long all of it takes to compile.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

from numba import njit, types
from numba.extending import intrinsic, register_jitable

__all__ = ["fast_kernel", "fast_part", "inlined_part", "kernel", "part", "stay_apart"]

P = ParamSpec("P")
R = TypeVar("R")

# No wrapper for C, from where nobody calls. Numba hands an option that is left open down to all
# that is called: were `forceinline` not shut, an inlined part would take everything below along.
STRICT: dict[str, Any] = {
    "error_model": "numpy",
    "forceinline": False,
    "no_cfunc_wrapper": True,
    "nogil": True,
}
FAST: dict[str, Any] = STRICT | {"fastmath": {"reassoc", "contract", "nsz", "arcp"}}

# Packages whose compiled functions call each other, and their files with code or constants in them.
SHARED = ("geometry", "collision", "model", "kinematics")
WATCHED = (
    "*kernel*.py",
    "kernels/*.py",
    "path.py",
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
        lock = Path(cache_file._cache_path) / "kernels.lock"
        cache_file.load = _one_at_a_time(cache_file.load, lock)
        cache_file.save = _one_at_a_time(cache_file.save, lock)
    return compiled  # type: ignore[no-any-return]


def _one_at_a_time(action: Callable[P, R], lock: Path) -> Callable[P, R]:
    """Let one process at a time do it: Numba's index could name what another is about to write."""

    def run(*args: P.args, **options: P.kwargs) -> R:
        with suppress(OSError), lock.open("a") as file:  # where nothing can be written, nothing is
            fcntl.flock(file, fcntl.LOCK_EX)
            return action(*args, **options)
        return action(*args, **options)

    return run


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an entry point on first use, for every caller, without the interpreter lock."""
    return _compile(function, STRICT)


def fast_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an entry point that may reorder its sums."""
    return _compile(function, FAST)


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call `function`; Python itself still runs the plain source.

    Cheaper to compile than a kernel, since it gets no wrapper for Python.
    """
    registered: Any = register_jitable(**STRICT)
    return registered(function)  # type: ignore[no-any-return]


def fast_part(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels, and only them, call `function`, which may reorder its sums."""
    return _bare(function, FAST)


def inlined_part(function: Callable[P, R]) -> Callable[P, R]:
    """Copy a fast part into its callers: where handing over the arguments costs too much."""
    return _bare(function, FAST | {"forceinline": True})


def merged_part(function: Callable[P, R]) -> Callable[P, R]:
    """Make a fast part one with its only caller, before anything of it is compiled."""
    return _bare(function, FAST | {"inline": "always"})


def _bare(function: Callable[P, R], options: dict[str, Any]) -> Callable[P, R]:
    """Compile for other compiled code: without a wrapper, and once, whoever calls."""
    bare: dict[str, Any] = options | {"no_cpython_wrapper": True}
    compiled: Any = njit(**bare)(function)
    return compiled  # type: ignore[no-any-return]


def _mark_apart(_context):  # type: ignore[no-untyped-def]
    """Keep the part that says this out of its callers: one copy of what is long or seldom needed.

    A caller is compiled together with all that was copied into it, once for every copy.
    """

    def generate(context, builder, _signature, _arguments):  # type: ignore[no-untyped-def]
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.none(), generate


_apart: Any = intrinsic(_mark_apart)
stay_apart: Callable[[], None] = _apart
