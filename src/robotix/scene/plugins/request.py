"""A request to run a plug-in: what whoever decides about it should know."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.scene.plugins.source import PluginSource

__all__ = ["PluginRequest"]


@dataclass(frozen=True)
class PluginRequest:
    """A plug-in that a scene wants to run."""

    name: str  # in the scene
    source: PluginSource

    @property
    def digest(self) -> str:
        """SHA-256 of the code, in hexadecimal; empty if the code is not a source file."""
        return self.source.digest

    @property
    def file(self) -> str:
        """The file as the scene names it, or the entry point."""
        path = self.source.path
        if self.source.is_installed or path is None:
            return self.source.module
        module = self.source.module
        return module if module.endswith(".py") else f"{module}.py"

    @property
    def needs(self) -> tuple[str, ...]:
        """Modules that the code imports and built-in functions that reach files or run text.

        A hint for the reader, not a proof: code can hide what it does.
        """
        try:
            outline = self.source.outline
        except SyntaxError:
            return ()
        return (*outline.imports, *(f"{name}()" for name in outline.builtins))
