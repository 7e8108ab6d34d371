"""Plug-ins: Python modules that take part in the room.

A plug-in has any of `setup(scene)`, `init(args)`, `loop(dt)` and `exit()`, and callbacks
`(state, args)` that rules call by name. One that raises is reported, asked to `exit` and not called
again; the room goes on.
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
from typing import TYPE_CHECKING

from robotix.errors import UnknownName
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import PluginName

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["CallPlugin", "Plugin", "Plugins", "find_plugin", "plugin_functions", "plugin_names"]

GROUP = "robotix.plugins"  # of entry points
TURNS = ("setup", "init", "loop", "exit")  # called by the room, not by rules
Found = ModuleSpec | Callable[["Scene"], object]  # a module to run, or the one function `setup`


@dataclass(frozen=True)
class CallPlugin:
    """Call a function of a plug-in with the state of the event (on or off) and a text."""

    plugin: PluginName
    callback: str
    args: str = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Call it, on or off."""
        scene.plugins[self.plugin].call(self.callback, event.state, self.args)


@dataclass(eq=False)
class Plugin:
    """One plug-in of one room."""

    name: str
    scene: Scene = field(repr=False)
    module: str = ""  # where it was found; its name when empty
    args: str = ""
    functions: dict[str, Callable[..., object]] = field(default_factory=dict, repr=False)
    is_on: bool = True
    problem: str = ""  # why it is off
    has_left: bool = False

    @property
    def callbacks(self) -> tuple[str, ...]:
        """Names of the functions that rules may call."""
        return tuple(name for name in self.functions if name not in TURNS)

    def call(self, callback: str, state: bool, args: str) -> None:
        """Call a callback; one that is off stays silent, since it was reported."""
        if callback not in self.callbacks and self.is_on:
            raise UnknownName(f"callback of plug-in {self.name!r}", callback, self.callbacks)
        self.turn(callback, state, args)

    def turn(self, function: str, *args: object) -> None:
        """Call a function if there is one, and give the plug-in up when it raises."""
        call = self.functions.get(function)
        if self.is_on and call is not None:
            self.guard(function, lambda: call(*args))

    def guard(self, where: str, run: Callable[[], object]) -> None:
        """Run the plug-in's own code; whatever it raises ends the plug-in, not the room."""
        try:
            run()
        except KeyboardInterrupt:  # it is not the plug-in that was meant
            raise
        except Exception as error:
            self._give_up(where, error)
        except BaseException as error:  # sys.exit() and the like would take the room along
            self._give_up(where, RuntimeError(f"tried to end the program by {error!r}"))

    def leave(self) -> None:
        """Let the plug-in say goodbye, once."""
        if self.has_left:
            return
        self.has_left = True
        if "exit" in self.functions:
            self.guard("exit", self.functions["exit"])
        self.is_on = False

    def _give_up(self, where: str, error: Exception) -> None:
        self.is_on = False
        self.problem = self.problem or f"{where}: {type(error).__name__}: {error}"
        self.scene.fail(f"plug-in {self.name!r}, {where}", error)
        self.leave()


class Plugins:
    """The plug-ins of a room, in the order in which they came."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
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

        `module` (the name itself when empty) is what `find_plugin` finds, beside the scene's file
        first. What cannot be found is refused; what fails is reported.
        """
        if name in self._by_name:
            raise ValueError(f"there is a plug-in {name!r} already; give this one another name")
        source = self._scene.source
        found = find_plugin(module or name, folder=source.parent if source is not None else None)
        plugin = self._by_name[name] = Plugin(name, self._scene, module, args)
        plugin.guard("import", lambda: plugin.functions.update(_functions(found)))
        plugin.turn("setup", self._scene)
        plugin.turn("init", args)
        return plugin

    def step(self, dt: float) -> None:
        """Let every plug-in have its turn in this tick."""
        for plugin in tuple(self._by_name.values()):
            plugin.turn("loop", dt)

    def close(self) -> None:
        """Let all say goodbye, the latest first, and forget them."""
        for plugin in reversed(tuple(self._by_name.values())):
            plugin.leave()
        self._by_name.clear()


def plugin_names() -> tuple[str, ...]:
    """Names of the plug-ins that installed packages offer."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def find_plugin(module: str, *, folder: Path | None = None) -> Found:
    """Find a plug-in without running it.

    In this order: a file `module` or `module.py` in `folder` (here when None), one that an
    installed package offers under that name, and a module that can be imported.
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
    points = entry_points(group=GROUP, name=module)
    return _offered(next(iter(points))) if points else _importable(module, path)


def plugin_functions(found: Found) -> tuple[str, ...] | None:
    """Return the functions that rules may call, without running anything; None: nobody knows.

    They are read from the text, also those that are made under a condition. A text that is no
    Python raises `SyntaxError`.
    """
    if not isinstance(found, ModuleSpec):
        return ()
    if found.origin is None or not found.origin.endswith(".py"):
        return None
    tree = ast.parse(Path(found.origin).read_bytes(), filename=found.origin)
    names = dict.fromkeys(_names(tree.body))
    return tuple(name for name in names if not name.startswith("_") and name not in TURNS)


def _names(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield what statements may define, whichever way they go."""
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


def _offered(point: EntryPoint) -> Found:
    if not point.attr:
        return _importable(point.module, Path(point.module))
    return lambda scene: point.load()(scene)


def _importable(module: str, path: Path) -> ModuleSpec:
    try:
        spec = importlib.util.find_spec(module)
    except Exception:  # no name at all; no package above it, or one that fails
        spec = None
    if spec is None or spec.loader is None or not spec.has_location:
        raise UnknownName("plug-in", module, (*plugin_names(), f"a file {path.name}"))
    return spec


def _functions(found: Found) -> dict[str, Callable[..., object]]:
    """Run a module and return the functions that it defines, its own and public ones only."""
    if not isinstance(found, ModuleSpec):
        return {"setup": found}
    module = _run(found)
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and not isinstance(value, type)
        and getattr(value, "__module__", None) == module.__name__
    }


def _run(spec: ModuleSpec) -> ModuleType:
    """Run a module anew, so that two rooms share nothing; others who import it see their own."""
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(spec.name)
    sys.modules[spec.name] = module  # dataclasses and the like look themselves up while they run
    try:
        assert spec.loader is not None
        spec.loader.exec_module(module)
    finally:
        if before is None:
            sys.modules.pop(spec.name, None)
        else:
            sys.modules[spec.name] = before
    return module
