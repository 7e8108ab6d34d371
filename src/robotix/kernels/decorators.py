"""Decorators of compiled code: `kernel` for entry points, `part` for what they are made of.

The `fast_` ones, `inlined_part` and `merged_part` also let sums be reordered and multiplications
fused, which vectorises them; NaN and infinity keep their meaning in all.

Whatever calls a part is compiled together with it, again and again up to the kernel. So the wrapper
for Python, inlining and how often a part is copied decide how long all of it takes to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from numba import njit, types
from numba.extending import intrinsic, register_jitable

from robotix.kernels.closed_code import KernelCompiler
from robotix.kernels.numba_cache import keep_on_disk
from robotix.kernels.sources import fingerprint_of
from robotix.kernels.target import choose_target

__all__ = [
    "fast_kernel",
    "fast_part",
    "inlined_part",
    "kernel",
    "merged_part",
    "part",
    "stay_apart",
]

choose_target()  # before anything is compiled

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


def _compile(function: Callable[P, R], options: dict[str, Any]) -> Callable[P, R]:
    """Compile on first use and keep the result on disk, until a source of it changes."""
    compiled: Any = njit(pipeline_class=KernelCompiler, **options)(function)
    file = Path(function.__code__.co_filename)
    if file.is_file():
        keep_on_disk(compiled, fingerprint_of(file.resolve(), function.__module__))
    return compiled  # type: ignore[no-any-return]


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
