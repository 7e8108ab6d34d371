"""Index of the groups of kernels that are on disk, stored beside them.

The index lists every module with kernels of a group, and its fingerprint. A group counts as
compiled while all fingerprints match.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba

from robotix.kernels.numba_cache import KernelCache
from robotix.kernels.sources import PACKAGE, fingerprint_of, has_kernels
from robotix.kernels.target import target_name

__all__ = ["is_compiled", "mark_compiled"]


def is_compiled(group: str) -> bool:
    """Return whether the kernels of a group were compiled from the current sources."""
    modules = _read().get(group, {})
    return bool(modules) and modules == _fingerprints(modules)


def mark_compiled(*groups: str) -> None:
    """Record that the kernels of all loaded modules are on disk, for these groups."""
    file = _file()
    if file is None:
        return
    modules = _fingerprints(_loaded_modules())
    index = _read() | dict.fromkeys(groups, modules)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.{os.getpid()}.part")
        part.write_text(json.dumps({_version(): index}))
        part.replace(file)


def _fingerprints(modules: Any) -> dict[str, str]:
    files = {module: PACKAGE.parent.joinpath(*module.split(".")) for module in modules}
    return {
        module: fingerprint_of(path.with_suffix(".py"), module)
        for module, path in files.items()
        if path.with_suffix(".py").is_file()
    }


def _loaded_modules() -> list[str]:
    """Return the modules of this package that are loaded and hold compiled code."""
    files = {name: getattr(each, "__file__", None) for name, each in sys.modules.copy().items()}
    return sorted(
        name
        for name, file in files.items()
        if name.startswith("robotix.")
        and file is not None
        and Path(file).name != "__init__.py"
        and has_kernels(Path(file))
    )


def _read() -> dict[str, dict[str, str]]:
    file = _file()
    with suppress(OSError, ValueError, AttributeError):
        if file is not None:
            found = json.loads(file.read_text()).get(_version(), {})
            return {str(group): dict(modules) for group, modules in found.items()}
    return {}


def _version() -> str:
    return f"{sys.implementation.cache_tag} numba {numba.__version__} for {target_name()}"


def _file() -> Path | None:
    """Return the path of the index, in Numba's cache folder of this package."""
    try:
        return Path(KernelCache(_file, "").cache_path) / "compiled_groups.json"
    except RuntimeError:  # there is no such folder
        return None
