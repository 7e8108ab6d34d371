"""Figures that long campaigns measure: `make soak` ends with a table of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Figures = Callable[[str, str, str], None]
ROWS = pytest.StashKey[list[tuple[str, str, str]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ROWS] = []


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Add a row to the table: the promise, what was done, and what was measured."""

    def add(promise: str, done: str, measured: str) -> None:
        request.config.stash[ROWS].append((promise, done, measured))

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    rows = terminalreporter.config.stash.get(ROWS, [])
    if not rows:
        return
    terminalreporter.section("figures")
    for promise, done, measured in rows:
        terminalreporter.write_line(f"| {promise} | {done} | {measured} |")
