"""The code of plug-ins: where it lies, what it says, and how it is executed.

A plug-in is a file in the folder of the scene, or an entry point that an installed package
registers in the group `robotix.plugins`. Finding and reading one executes nothing of it.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from robotix.errors import BadFile, UnknownName
from robotix.scene.plugins.outline import Outline, read_outline

__all__ = ["ENTRY_POINT_GROUP", "LIFECYCLE", "PluginSource", "find_plugin", "plugin_names"]

ENTRY_POINT_GROUP = "robotix.plugins"
LIFECYCLE = ("setup", "init", "loop", "exit")  # functions called by the scene, not by rules
MAX_BYTES = 2**20  # of a plug-in's file


@dataclass(frozen=True, eq=False)
class PluginSource:
    """The code of a plug-in, read once: what was hashed is what runs."""

    module: str  # as the scene names it
    text: bytes | None = field(default=None, repr=False)  # its source; None: not known
    path: Path | None = None  # of the source
    spec: ModuleSpec | None = field(default=None, repr=False)  # None: an entry point's function
    point: EntryPoint | None = None  # of the package that provides it; None: beside the scene

    @property
    def is_installed(self) -> bool:
        """Whether an installed package provides it."""
        return self.point is not None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the source, in hexadecimal; empty if the source is not known."""
        return "" if self.text is None else sha256(self.text).hexdigest()

    @cached_property
    def outline(self) -> Outline:
        """What the source says, read without executing it; raise `SyntaxError` if not Python."""
        return read_outline(self.text or b"", str(self.path or self.module))

    @property
    def callbacks(self) -> tuple[str, ...] | None:
        """Functions that rules may call, from the source text; None if that is not known."""
        if self.spec is None:
            return ()
        if self.text is None:
            return None
        names = self.outline.functions
        return tuple(name for name in names if not name.startswith("_") and name not in LIFECYCLE)

    def execute(self) -> dict[str, Callable[..., object]]:
        """Execute it and return the public functions that it defines."""
        if self.spec is None:
            assert self.point is not None
            return {"setup": self.point.load()}
        module = _execute(self.spec)
        return {
            name: value
            for name, value in vars(module).items()
            if not name.startswith("_")
            and callable(value)
            and not isinstance(value, type)
            and getattr(value, "__module__", None) == module.__name__
        }


def plugin_names() -> tuple[str, ...]:
    """Return the names of the plug-ins that installed packages provide."""
    return tuple(sorted({point.name for point in entry_points(group=ENTRY_POINT_GROUP)}))


def find_plugin(module: str, *, folder: Path | None = None) -> PluginSource:
    """Find a plug-in without executing anything.

    First a file `module` or `module.py` in `folder` (default: the working directory) or below, then
    an entry point of an installed package. Raise `UnknownName` if there is neither, and `BadFile`
    for a file that leads out of the folder or cannot be read.
    """
    home = folder if folder is not None else Path()
    path = home / (module if module.endswith(".py") else f"{module}.py")
    if _is_file(path):
        return _beside(module, path, home)
    points = entry_points(group=ENTRY_POINT_GROUP, name=module)
    if not points:
        raise UnknownName("plug-in", module, (*plugin_names(), f"a file {path.name}"))
    return _installed(module, next(iter(points)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long a name, or one with a null character
        return False


def _beside(module: str, path: Path, home: Path) -> PluginSource:
    real = path.resolve()
    if not real.is_relative_to(home.resolve()):
        found = "a plug-in that lies outside of the scene's folder"
        raise BadFile(str(path), found, "a file in that folder, not a link; copy it there")
    text = _read(real)
    loader = _TextLoader("robotix_plugin_" + path.stem, real, text)
    spec = importlib.util.spec_from_file_location(loader.name, real, loader=loader)
    return PluginSource(module, text, real, spec)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        text = file.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise BadFile(str(path), f"more than {MAX_BYTES} bytes", "a plug-in of fewer")
    return text


def _installed(module: str, point: EntryPoint) -> PluginSource:
    if point.attr:
        return PluginSource(module, point=point)
    spec = _find_spec(point.module)
    if spec is None or spec.loader is None or not spec.has_location:
        raise UnknownName("module of the plug-in", point.module, ())
    if spec.origin is None or not spec.origin.endswith(".py"):
        return PluginSource(module, spec=spec, point=point)
    path = Path(spec.origin)
    return PluginSource(module, _read(path), path, spec, point)


def _find_spec(module: str) -> ModuleSpec | None:
    """Find a module without importing the packages that it lies in."""
    first, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(first)
        for part in rest:
            if spec is None or spec.submodule_search_locations is None:
                return None
            locations = list(spec.submodule_search_locations)
            spec = PathFinder.find_spec(f"{spec.name}.{part}", locations)
    except (ImportError, ValueError):  # an invalid name
        return None
    return spec


class _TextLoader(SourceLoader):
    """Loads a module from source that was read before; never from byte code beside the file."""

    def __init__(self, name: str, path: Path, text: bytes) -> None:
        self.name, self._path, self._text = name, path, text

    def get_filename(self, fullname: str) -> str:
        return str(self._path)

    def get_data(self, path: str | bytes) -> bytes:
        return self._text


def _execute(spec: ModuleSpec) -> ModuleType:
    """Execute a fresh copy of a module, so that scenes share no state; do not register it."""
    package = spec.name.rpartition(".")[0]
    if package:
        importlib.import_module(package)  # for its relative imports
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(spec.name)
    sys.modules[spec.name] = module  # needed by dataclasses during execution
    try:
        assert spec.loader is not None
        spec.loader.exec_module(module)
    finally:
        if before is None:
            sys.modules.pop(spec.name, None)
        else:
            sys.modules[spec.name] = before
    return module
