"""Rooms whose trials end when a test says so."""

from __future__ import annotations

from collections.abc import Callable

from robotix.experiments.session import LiveStatus
from robotix.experiments.trial import TrialOutcome, TrialPlan


class ManualRooms:
    """Stands for rooms with people in them."""

    def __init__(self) -> None:
        self.plan: TrialPlan | None = None
        self.is_stopped = False
        self._on_done: Callable[[TrialOutcome], None] = lambda outcome: None

    def start(self, plan: TrialPlan, on_done: Callable[[TrialOutcome], None]) -> None:
        self.plan, self._on_done, self.is_stopped = plan, on_done, False

    def finish(self, outcome: TrialOutcome) -> None:
        self.plan = None
        self._on_done(outcome)

    def status(self) -> LiveStatus:
        return LiveStatus("Do it.", "", 3, 1.0, 0, self.is_stopped)

    def drive_address(self) -> str:
        return "http://127.0.0.1:1/login?c=drive"

    def watch_address(self) -> str:
        return "http://127.0.0.1:1/login?t=watch"

    def abort(self) -> None:
        self.finish(TrialOutcome("aborted", 1.0))

    def stop(self) -> None:
        self.is_stopped = True

    def resume(self) -> None:
        self.is_stopped = False
