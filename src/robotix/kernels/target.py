"""The processor that kernels are compiled for: the same on every x86-64-v3 machine.

By default Numba compiles for the machine it runs on. Another vector width sums in another order, so
a recording would replay differently elsewhere. Here the target is the level x86-64-v3 (AVX2, FMA),
wherever the machine has it. What the user chooses by `NUMBA_CPU_NAME` stays. On other machines, ARM
among them, kernels are compiled for the machine itself.
"""

from __future__ import annotations

import os
from typing import Any

import llvmlite.binding as llvm
from numba.core import config as numba_config

from robotix.kernels.numba_cache import has_target

__all__ = ["choose_target", "target_name"]

config: Any = numba_config  # filled from the environment, so it has no types
X86_LEVEL = "x86-64-v3"
# As LLVM calls what the level x86-64-v3 has.
FEATURES = (
    "64bit avx avx2 bmi bmi2 cmov crc32 cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf "
    "sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave"
).split()
CHOICES = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX")  # by which users choose


def choose_target() -> None:
    """Let Numba compile for x86-64-v3, if this machine can run that and the user chose nothing.

    It applies to all functions that Numba compiles in this process; it is too late once a program
    has defined compiled functions of its own before it imported this package.
    """
    if has_target() or any(name in os.environ for name in CHOICES) or not _is_capable():
        return
    config.CPU_NAME = X86_LEVEL
    config.CPU_FEATURES = ",".join(f"+{name}" for name in FEATURES)


def target_name() -> str:
    """Return the processor that kernels are compiled for, such as x86-64-v3 or znver3."""
    chosen = config.CPU_NAME  # None: the machine itself
    return str(chosen or llvm.get_host_cpu_name())


def _is_capable() -> bool:
    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this processor
        return False
    return all(features.get(name, False) for name in FEATURES)
