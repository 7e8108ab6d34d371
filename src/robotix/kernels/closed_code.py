"""Machine code of a kernel that calls nothing of other kernels, so that its bits never change.

Numba copies the parts that a kernel calls into it, and shares copies of the same part between
kernels: all call the one that came into the process first. These copies are optimised differently,
so a kernel would compute other last bits after another kernel has been loaded, or in the process
that compiled it, where the part itself came first. Here every kernel calls its own copies.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

__all__ = ["ClosedCode", "KernelCompiler"]

SHARED = "linkonce_odr"  # what Numba calls a copy that other code may use, or replace


class ClosedCode(JITCodeLibrary):
    """The compiled code of one kernel, in which all copies of parts are its own."""

    def _finalize_final_module(self) -> None:
        self._shared_module = _shared(self._final_module)  # what other kernels copy
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == SHARED:
                function.linkage = "internal"
        super()._finalize_final_module()  # type: ignore[no-untyped-call]


class KernelCompiler(Compiler):
    """Numba's compiler of a function, with closed code as its result."""

    def define_pipelines(self) -> Any:
        """Return the steps of Numba's compiler, which put their result into closed code."""
        if self.state.library is None:
            make: Any = ClosedCode
            self.state.library = make(
                self.state.targetctx.codegen(), self.state.func_id.func_qualname
            )
            self.state.library.enable_object_caching()
        return super().define_pipelines()  # type: ignore[no-untyped-call]


def _shared(module: Any) -> Any:
    """Return a copy of a module in which all functions may be copied."""
    copy = module.clone()
    for function in copy.functions:
        if not function.is_declaration and function.linkage.name == "external":
            function.linkage = SHARED
    return copy
