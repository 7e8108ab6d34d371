"""Which plug-ins may run: the option `--trust`, and a question in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeAlias

import typer

if TYPE_CHECKING:
    from robotix.authoring.trust import Trust
    from robotix.scene.plugins import PluginRequest

__all__ = ["TrustOption", "ask_in_terminal", "plugin_document", "terminal_trust"]

TrustOption: TypeAlias = Annotated[
    bool, typer.Option("--trust", help="Run the plug-ins of this file without asking.")
]


def terminal_trust(*, trust: bool) -> Trust:
    """Return what decides about plug-ins: `--trust`, or a question if there is a terminal."""
    if trust:
        return True
    return ask_in_terminal if _is_terminal(sys.stdin) and _is_terminal(sys.stderr) else False


def ask_in_terminal(request: PluginRequest) -> bool:
    """Ask whether a plug-in may run, and remember a yes."""
    from robotix.authoring.trust import remember

    typer.echo(
        f"This scene wants to run Python code that has not run here before:\n"
        f"  plug-in  {request.name}\n"
        f"  file     {request.source.path}\n"
        f"  SHA-256  {request.digest}\n"
        f"  uses     {', '.join(request.needs) or 'nothing'}\n"
        "It can do all that you can do on this machine. Say yes only if you have read it or trust\n"
        "who made it. A yes is remembered until the file changes.",
        err=True,
    )
    if not typer.confirm("Run it?", default=False, err=True):
        return False
    remember(request)
    return True


def plugin_document(request: PluginRequest) -> dict[str, Any]:
    """Return a plug-in as a JSON document."""
    from robotix.authoring.trust import is_known

    return {
        "name": request.name,
        "file": request.file,
        "sha256": request.digest,
        "uses": list(request.needs),
        "trusted": is_known(request),
    }


def _is_terminal(stream: TextIO | None) -> bool:
    """Return whether somebody can answer there; a closed standard stream is None."""
    return stream is not None and stream.isatty()
