"""Plug-ins: Python modules that extend a scene.

A plug-in defines any of `setup(scene)`, `init(args)`, `loop(dt)` and `exit()`, and callbacks
`(state, args)` that rules call by name. If one raises, the error is reported, `exit` is called, and
the plug-in is disabled; the scene continues.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypeAlias

from robotix.errors import UnknownName
from robotix.scene.files import SceneFiles

__all__ = ["Plugin", "PluginHost", "Plugins", "find_plugin", "plugin_functions", "plugin_names"]

ENTRY_POINT_GROUP = "robotix.plugins"
LIFECYCLE = ("setup", "init", "loop", "exit")  # functions called by the scene, not by rules

# A module to execute, or just the function `setup`.
PluginSource: TypeAlias = ModuleSpec | Callable[["PluginHost"], object]


class PluginHost(Protocol):
    """What plug-ins need of the scene that loads them."""

    @property
    def files(self) -> SceneFiles:
        """The paths of the scene."""

    def fail(self, who: str, error: Exception) -> None:
        """Report an error."""


@dataclass(eq=False)
class Plugin:
    """A plug-in of one scene."""

    name: str
    host: PluginHost = field(repr=False)
    module: str = ""  # as given to `find_plugin`; empty: the name
    args: str = ""
    functions: dict[str, Callable[..., object]] = field(default_factory=dict, repr=False)
    is_on: bool = True
    problem: str = ""  # the error that disabled it
    has_exited: bool = False

    @property
    def callbacks(self) -> tuple[str, ...]:
        """Names of the functions that rules may call."""
        return tuple(name for name in self.functions if name not in LIFECYCLE)

    def call(self, callback: str, state: bool, args: str) -> None:
        """Call a callback; do nothing if the plug-in is disabled, which was reported."""
        if callback not in self.callbacks and self.is_on:
            raise UnknownName(f"callback of plug-in {self.name!r}", callback, self.callbacks)
        self.run(callback, state, args)

    def run(self, function: str, *args: object) -> None:
        """Call a function if the plug-in defines it; disable the plug-in if it raises."""
        defined = self.functions.get(function)
        if self.is_on and defined is not None:
            self.isolate(function, lambda: defined(*args))

    def isolate(self, where: str, call: Callable[[], object]) -> None:
        """Call code of the plug-in; an exception disables the plug-in and spares the scene."""
        try:
            call()
        except KeyboardInterrupt:  # meant for the program, not the plug-in
            raise
        except Exception as error:
            self._disable(where, error)
        except BaseException as error:  # such as sys.exit()
            self._disable(where, RuntimeError(f"tried to end the program by {error!r}"))

    def close(self) -> None:
        """Call `exit`, once, and disable the plug-in."""
        if self.has_exited:
            return
        self.has_exited = True
        if "exit" in self.functions:
            self.isolate("exit", self.functions["exit"])
        self.is_on = False

    def _disable(self, where: str, error: Exception) -> None:
        self.is_on = False
        self.problem = self.problem or f"{where}: {type(error).__name__}: {error}"
        self.host.fail(f"plug-in {self.name!r}, {where}", error)
        self.close()


class Plugins:
    """The plug-ins of a scene, in the order in which they were added."""

    def __init__(self, host: PluginHost) -> None:
        self._host = host
        self._by_name: dict[str, Plugin] = {}

    def __getitem__(self, name: str) -> Plugin:
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownName("plug-in", name, self._by_name) from None

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Plugin]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def add(self, name: str, module: str = "", *, args: str = "") -> Plugin:
        """Load a plug-in and start it.

        `module` (default: the name) is looked up by `find_plugin`, beside the scene file first.
        Raise `UnknownName` if it is not found; errors in its code are reported.
        """
        if name in self._by_name:
            raise ValueError(f"there is a plug-in {name!r} already; give this one another name")
        found = find_plugin(module or name, folder=self._host.files.assets)
        plugin = self._by_name[name] = Plugin(name, self._host, module, args)
        plugin.isolate("import", lambda: plugin.functions.update(_functions(found)))
        plugin.run("setup", self._host)
        plugin.run("init", args)
        return plugin

    def step(self, dt: float) -> None:
        """Call `loop` of every plug-in."""
        for plugin in tuple(self._by_name.values()):
            plugin.run("loop", dt)

    def close(self) -> None:
        """Close all plug-ins, the latest first, and remove them."""
        for plugin in reversed(tuple(self._by_name.values())):
            plugin.close()
        self._by_name.clear()


def plugin_names() -> tuple[str, ...]:
    """Return the names of the plug-ins that installed packages provide."""
    return tuple(sorted({point.name for point in entry_points(group=ENTRY_POINT_GROUP)}))


def find_plugin(module: str, *, folder: Path | None = None) -> PluginSource:
    """Find a plug-in without executing it.

    In this order: a file `module` or `module.py` in `folder` (default: the working directory), an
    entry point of an installed package, and a module that can be imported.
    """
    home = folder if folder is not None else Path()
    path = home / module
    if path.suffix != ".py":
        path = home / f"{module}.py"
    if path.is_file():
        name = "robotix_plugin_" + path.stem
        spec = importlib.util.spec_from_file_location(name, path.resolve())
        if spec is not None:
            return spec
    points = entry_points(group=ENTRY_POINT_GROUP, name=module)
    return _entry_point(next(iter(points))) if points else _importable(module, path)


def plugin_functions(found: PluginSource) -> tuple[str, ...] | None:
    """Return the functions that rules may call, without executing anything; None if unknown.

    They are read from the source text, including conditional definitions. Raise `SyntaxError` if
    the text is not Python.
    """
    if not isinstance(found, ModuleSpec):
        return ()
    if found.origin is None or not found.origin.endswith(".py"):
        return None
    tree = ast.parse(Path(found.origin).read_bytes(), filename=found.origin)
    names = dict.fromkeys(_names(tree.body))
    return tuple(name for name in names if not name.startswith("_") and name not in LIFECYCLE)


def _names(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements may define, in any branch."""
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=name):
                yield name
            case ast.Assign() | ast.AnnAssign():
                names = (each for each in ast.walk(statement) if isinstance(each, ast.Name))
                yield from (each.id for each in names if isinstance(each.ctx, ast.Store))
            case ast.ClassDef() | ast.AsyncFunctionDef():
                pass
            case _:
                for inner in ast.iter_child_nodes(statement):
                    if isinstance(inner, ast.stmt):
                        yield from _names([inner])
                    elif isinstance(inner, ast.ExceptHandler | ast.match_case):
                        yield from _names(inner.body)


def _entry_point(point: EntryPoint) -> PluginSource:
    if not point.attr:
        return _importable(point.module, Path(point.module))
    return lambda scene: point.load()(scene)


def _importable(module: str, path: Path) -> ModuleSpec:
    try:
        spec = importlib.util.find_spec(module)
    except Exception:  # an invalid name, or a parent package that is missing or fails
        spec = None
    if spec is None or spec.loader is None or not spec.has_location:
        raise UnknownName("plug-in", module, (*plugin_names(), f"a file {path.name}"))
    return spec


def _functions(found: PluginSource) -> dict[str, Callable[..., object]]:
    """Execute a module and return the public functions that it defines."""
    if not isinstance(found, ModuleSpec):
        return {"setup": found}
    module = _execute(found)
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and not isinstance(value, type)
        and getattr(value, "__module__", None) == module.__name__
    }


def _execute(spec: ModuleSpec) -> ModuleType:
    """Execute a fresh copy of a module, so that scenes share no state; do not register it."""
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
