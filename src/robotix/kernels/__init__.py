"""Decorators for compiled code: `kernel` for entry points, `part` for what only kernels call."""

from robotix.kernels.decorators import (
    fast_kernel,
    fast_part,
    inlined_part,
    kernel,
    merged_part,
    part,
    stay_apart,
)

__all__ = [
    "fast_kernel",
    "fast_part",
    "inlined_part",
    "kernel",
    "merged_part",
    "part",
    "stay_apart",
]
