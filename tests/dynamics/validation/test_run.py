"""Every check of the simulation passes, and can fail."""

from __future__ import annotations

import math

import pytest

from robotix.dynamics.validation import CHECKS, Check


@pytest.mark.parametrize("group", CHECKS)
def test_checks_pass(group: str) -> None:
    checks = list(CHECKS[group]())
    assert checks
    assert [check for check in checks if not check.passed] == []


def test_a_deviation_that_is_too_large_or_no_number_fails() -> None:
    assert Check("gap", 1.0, 1.0, "m").passed
    assert not Check("gap", 1.1, 1.0, "m").passed
    assert not Check("gap", math.nan, 1.0, "m").passed
