"""The command that calls a plug-in."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import PluginName
from robotix.scene.scene import Scene

__all__ = ["CallPlugin"]


@dataclass(frozen=True)
class CallPlugin:
    """Call a function of a plug-in with the state of the event (on or off) and a text."""

    plugin: PluginName
    callback: str
    args: str = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Call it for both states."""
        scene.plugins[self.plugin].call(self.callback, event.state, self.args)
