"""Messages about plug-ins that want to run."""

from __future__ import annotations

from robotix.server.wire.messages import Wire

__all__ = ["PluginAnswer", "PluginQuestion"]


class PluginQuestion(Wire, frozen=True, tag="plugin_question"):
    """A plug-in that has not run on this machine before; the scene waits for the answer."""

    id: int
    name: str  # in the scene
    file: str  # as the scene names it
    sha256: str  # of its code, in hexadecimal
    uses: list[str]  # modules that it imports, and built-in functions that reach files
    is_open: bool = True  # otherwise it was answered: pages close it


class PluginAnswer(Wire, frozen=True, tag="plugin_answer"):
    """Whether a plug-in may run; from the page in control."""

    id: int
    may_run: bool
