"""Loads compiled kernels from disk without getting Numba's compiler ready.

Before Numba looks whether a kernel lies on disk, it loads all that it could need to compile it,
SciPy's linear algebra included: twice as long as all the rest of a start. A kernel that is found
needs none of it but the part that counts references, so it is looked for first.
"""

from __future__ import annotations

from functools import cache
from typing import Any

__all__ = ["load_kernels_quickly"]

# What Numba's own method calls; one that does anything else is left as it is.
EXPECTED = ("refresh", "_guard_against_spurious_io_errors", "_load_overload")


@cache
def load_kernels_quickly() -> bool:
    """Let kernels of this process be looked for on disk first; tell whether this Numba can."""
    from numba.core.caching import Cache
    from numba.core.runtime.nrt import rtsys

    usual: Any = Cache.load_overload
    if usual.__code__.co_names != EXPECTED:
        return False

    def load_overload(self: Any, signature: Any, context: Any) -> Any:
        rtsys.initialize(context)
        found = self._load_overload(signature, context)
        return usual(self, signature, context) if found is None else found

    Cache.load_overload = load_overload  # type: ignore[method-assign]
    return True
