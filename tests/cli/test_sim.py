"""`robotix sim`: what it prints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.command_line import CommandLine

from robotix.dynamics import validation
from robotix.dynamics.validation import Check


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def one_fails() -> Iterator[Check]:
    yield Check("gap", 1e-7, 1e-6, "m")
    yield Check("energy", 2e-4, 1e-4, "")


def test_validate_prints_every_check_and_fails_with_one(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "run_checks", one_fails)
    status, out, _ = robotix.run("sim", "validate")
    first, second = out.splitlines()
    assert status == 1
    assert first.split() == ["gap", "1.00e-07", "at", "most", "1e-06", "m"]
    assert second.endswith("FAILED")
    document = robotix.json("sim", "validate", status=1)
    assert document["passed"] is False
    assert document["checks"][0] == {
        "name": "gap", "value": 1e-7, "limit": 1e-6, "unit": "m", "passed": True,
    }  # fmt: skip
