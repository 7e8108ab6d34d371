"""Asks the pages whether a plug-in may run; only the one in control can answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from robotix.server.live.hub import Client, Hub, encode
from robotix.server.wire.plugins import PluginAnswer, PluginQuestion
from robotix.server.wire.protocol import Announced

if TYPE_CHECKING:
    from robotix.scene.plugins import PluginRequest

__all__ = ["PluginQuestions"]

NOT_IN_CONTROL = "only the page in control can answer; take control first"


class PluginQuestions:
    """At most one open question at a time.

    `ask` and `close` are for the thread that loads the scene, all else for the server's thread;
    `call` runs a function there.
    """

    def __init__(self, hub: Hub, call: Callable[[Callable[[], object]], None]) -> None:
        self._hub = hub
        self._call = call
        self._numbers = count(1)
        self._question: PluginQuestion | None = None
        self._answer: Future[bool] = Future()

    def ask(self, request: PluginRequest) -> Future[bool]:
        """Show a question in all pages, also in those that come later; return its answer to be."""
        answer: Future[bool] = Future()
        question = PluginQuestion(
            next(self._numbers), request.name, request.file, request.digest, list(request.needs)
        )

        def show() -> None:
            self._question, self._answer = question, answer
            self._hub.send_all(question)

        self._call(show)
        return answer

    def close(self) -> None:
        """Take the question back, as it was answered elsewhere or nobody waits any more."""
        self._call(self._close)

    def show_to(self, client: Client) -> None:
        """Show the open question to a page that has just come."""
        if self._question is not None:
            client.send(encode(self._question))

    def receive(self, client: Client, answer: PluginAnswer) -> None:
        """Take an answer, if it comes from the page in control and to the open question."""
        if self._question is None or answer.id != self._question.id:
            return  # it was answered meanwhile
        if not client.can_drive or self._hub.lease.holder != client.name:
            client.send(encode(Announced(NOT_IN_CONTROL, "plug-in")))
            return
        self._answer.set_result(answer.may_run)
        self._close()

    def _close(self) -> None:
        question, self._question = self._question, None
        if question is not None:
            self._hub.send_all(msgspec.structs.replace(question, is_open=False))
