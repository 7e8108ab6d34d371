"""What tests of the command line share."""

from __future__ import annotations

import pytest
from support.command_line import CommandLine


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Return the command line; its lines are 120 characters wide."""
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)
