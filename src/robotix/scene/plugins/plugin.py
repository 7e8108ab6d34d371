"""Plug-ins: Python modules that extend a scene.

A plug-in defines any of `setup(scene)`, `init(args)`, `loop(dt)` and `exit()`, and callbacks
`(state, args)` that rules call by name. If one raises, the error is reported, `exit` is called, and
the plug-in is disabled; the scene continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from robotix.errors import UnknownName
from robotix.inputs.problem import Problem
from robotix.scene.events.messages import Message
from robotix.scene.files import SceneFiles
from robotix.scene.plugins.source import LIFECYCLE, PluginSource, find_plugin

__all__ = ["Plugin", "PluginHost", "Plugins"]


class PluginHost(Protocol):
    """What plug-ins need of the scene that loads them."""

    @property
    def files(self) -> SceneFiles:
        """The paths of the scene."""

    def fail(self, who: str, error: Exception) -> None:
        """Report an error."""

    def send(self, message: Message) -> None:
        """Send a message to the clients."""


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
    was_trusted: bool = True  # otherwise none of its code was executed

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

    def copied(self) -> Plugins:
        """Return a list of the same plug-ins."""
        other = Plugins(self._host)
        other._by_name = dict(self._by_name)
        return other

    def add(
        self, name: str, module: str = "", *, args: str = "", source: PluginSource | None = None
    ) -> Plugin:
        """Load a plug-in and start it; the caller has decided that it may run.

        `module` (default: the name) is looked up by `find_plugin`, unless its `source` is given.
        Raise `UnknownName` if it is not found; errors in its code are reported.
        """
        self._check_new(name)
        found = source or find_plugin(module or name, folder=self._host.files.assets)
        plugin = self._by_name[name] = Plugin(name, self._host, module, args)
        plugin.isolate("import", lambda: plugin.functions.update(found.execute()))
        plugin.run("setup", self._host)
        plugin.run("init", args)
        return plugin

    def add_disabled(self, name: str, module: str = "", *, args: str = "", why: str) -> Plugin:
        """Add a plug-in that may not run: none of its code is executed, and `why` is reported."""
        self._check_new(name)
        plugin = Plugin(name, self._host, module, args, is_on=False, problem=why, has_exited=True)
        plugin.was_trusted = False
        self._by_name[name] = plugin
        self._host.send(Problem(f"plug-in {name!r}", why))
        return plugin

    def _check_new(self, name: str) -> None:
        if name in self._by_name:
            raise ValueError(f"there is a plug-in {name!r} already; give this one another name")

    def step(self, dt: float) -> None:
        """Call `loop` of every plug-in."""
        for plugin in tuple(self._by_name.values()):
            plugin.run("loop", dt)

    def close(self) -> None:
        """Close all plug-ins, the latest first, and remove them."""
        for plugin in reversed(tuple(self._by_name.values())):
            plugin.close()
        self._by_name.clear()
