"""Which plug-ins may run: the option `--trust`, and a question in the terminal and the page."""

from __future__ import annotations

import math
import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from select import select
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeAlias

import typer

from robotix.cli.output import explain
from robotix.errors import RobotixError

if TYPE_CHECKING:
    from robotix.authoring.trust import Trust
    from robotix.scene.plugins import PluginRequest
    from robotix.server import RoomService

__all__ = ["TrustOption", "ask_in_terminal", "plugin_document", "plugin_trust"]

ANSWER_INTERVAL = 0.1  # s between looks at the terminal, while pages are asked
WAITING_MESSAGE = "waiting for an answer in the page; --trust runs it without asking"

TrustOption: TypeAlias = Annotated[
    bool, typer.Option("--trust", help="Run the plug-ins of this file without asking.")
]


def plugin_trust(
    *, trust: bool, service: RoomService | None = None, seconds: float | None = None
) -> Trust:
    """Return what decides about plug-ins: `--trust`, or a question to whoever is there.

    Those are the terminal and, with a `service`, the pages; the first answer counts. Without a
    terminal, pages are waited for, at most for `seconds`.
    """
    if trust:
        return True
    at_terminal = _is_terminal(sys.stdin) and _is_terminal(sys.stderr)
    if service is not None:
        return partial(_ask, service=service, at_terminal=at_terminal, seconds=seconds)
    return ask_in_terminal if at_terminal else False


def ask_in_terminal(request: PluginRequest) -> bool:
    """Ask whether a plug-in may run, and remember a yes."""
    typer.echo(_question(request), err=True)
    return typer.confirm("Run it?", default=False, err=True) and _remember(request)


def _ask(
    request: PluginRequest, *, service: RoomService, at_terminal: bool, seconds: float | None
) -> bool:
    """Ask in the pages and, if there is one, in the terminal; remember a yes."""
    answer = service.questions.ask(request)
    typer.echo(_question(request), err=True)
    prompt = "Run it? Answer here or in the page [y/N]: " if at_terminal else WAITING_MESSAGE
    typer.echo(prompt, nl=not at_terminal, err=True)
    end = math.inf if at_terminal or seconds is None else time.monotonic() + seconds
    try:
        may_run = _first_answer(answer, at_terminal=at_terminal, end=end)
    finally:
        service.questions.close()
    return may_run and _remember(request)


def _first_answer(answer: Future[bool], *, at_terminal: bool, end: float) -> bool:
    """Wait for the answer of a page or the terminal; False if the time is over."""
    while time.monotonic() < end:
        with suppress(TimeoutError):
            may_run = answer.result(ANSWER_INTERVAL)
            typer.echo("yes, said the page" if may_run else "no, said the page", err=True)
            return may_run
        if at_terminal and select([sys.stdin], [], [], 0)[0]:
            return sys.stdin.readline().strip().lower() in ("y", "yes")
    typer.echo("nobody has answered: it does not run", err=True)
    return False


def _question(request: PluginRequest) -> str:
    return (
        f"This scene wants to run Python code that has not run here before:\n"
        f"  plug-in  {request.name}\n"
        f"  file     {request.source.path}\n"
        f"  SHA-256  {request.digest}\n"
        f"  uses     {', '.join(request.needs) or 'nothing'}\n"
        "It can do all that you can do on this machine. Say yes only if you have read it or trust\n"
        "who made it. A yes is remembered until the file changes."
    )


def _remember(request: PluginRequest) -> bool:
    """Remember a yes, and return it; where nothing can be stored, it holds for this run."""
    from robotix.authoring.trust import remember

    try:
        remember(request)
    except (RobotixError, OSError, RuntimeError) as error:
        typer.echo(f"the yes holds for this run only: {explain(error)}", err=True)
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
