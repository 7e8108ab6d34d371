"""Every check of the simulation passes, can fail, and is what the page says."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from robotix.dynamics.simulation import CONTROL, RigidObject, Simulation, World
from robotix.dynamics.validation import CHECKS, Check
from robotix.dynamics.validation.continuity import continuity_checks
from robotix.dynamics.validation.four_bar import four_bar_checks
from robotix.geometry import Box, Halfspace, Pose

PAGE = Path(__file__).parents[3] / "docs" / "dynamics_validation.md"
ROW = re.compile(
    r"^\| (?P<name>[^|]+) \| (?P<value>[^|]+) \| (?P<limit>[\d.e+-]+)( (?P<unit>[^|]+))? \|$", re.M
)
ROUNDING = 1e-12
FACTOR = 3.0  # between machines, what is amplified by the motion differs in its digits


def shown() -> dict[str, tuple[str, float, str]]:
    """Return what the page shows of each check: deviation, limit and unit."""
    found = ROW.finditer(PAGE.read_text())
    return {
        row["name"]: (row["value"], float(row["limit"]), row["unit"] or "")
        for row in found
        if row["name"] != "check" and not row["name"].startswith("---")
    }


@pytest.mark.parametrize("group", CHECKS)
def test_checks_pass_with_the_figures_of_the_page(group: str) -> None:
    checks, page = list(CHECKS[group]()), shown()
    assert checks
    assert [check for check in checks if not check.passed] == []
    for check in checks:
        value, limit, unit = page[check.name]
        assert (limit, unit) == (float(f"{check.limit:.0e}"), check.unit)
        if value in ("0", "rounding"):
            assert check.value < ROUNDING
        else:
            assert float(value) / FACTOR < max(check.value, ROUNDING) < float(value) * FACTOR


def test_the_page_shows_no_other_checks() -> None:
    # `python docs/make_validation.py` writes the table
    groups = ("double pendulum", "four-bar", "free fall", "caught chain", "connect", "cut",
              "incline", "bounce", "forward dynamics", "spinning body", "hanging chain",
              "rolling ball")  # fmt: skip
    assert shown()
    assert [name for name in shown() if not name.startswith(groups)] == []


def test_what_the_page_says_of_the_default_settings() -> None:
    checks = [*four_bar_checks(CONTROL), *continuity_checks(CONTROL)]
    found = {check.name: check.value for check in checks}
    assert 0.1 < found["four-bar: energy"] < 0.16
    assert found["four-bar: crank angle"] > 1
    assert 1e-5 < found["connect, ball: momentum after 1 s"] < 1e-4


@pytest.mark.parametrize(("ratio", "depth"), [(1e2, 0.12e-3), (1e3, 1.2e-3), (1e4, 12e-3)])
def test_what_the_page_says_of_mass_ratios(ratio: float, depth: float) -> None:
    floor = RigidObject("floor", (Halfspace(),), mobility="static")
    cubes = [
        RigidObject(name, (Box(np.full(3, 0.1)),), Pose.at(0, 0, z), mass=mass)
        for name, z, mass in (("lower", 0.05, 1.0), ("upper", 0.15, ratio))
    ]
    simulation = Simulation(World((floor, *cubes)))
    simulation.step(3000)
    assert 0.05 - simulation.pose("lower").translation[2] == pytest.approx(depth, rel=0.1)


def test_a_deviation_that_is_too_large_or_no_number_fails() -> None:
    assert Check("gap", 1.0, 1.0, "m").passed
    assert not Check("gap", 1.1, 1.0, "m").passed
    assert not Check("gap", math.nan, 1.0, "m").passed
