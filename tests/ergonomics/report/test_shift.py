"""The exposure over a shift."""

from __future__ import annotations

from support.assessed import assessed

from robotix.ergonomics import Job, assess
from robotix.ergonomics.report.shift import shift_table


def test_repetitions_mass_and_time() -> None:
    found = assess(assessed("lift").performance, job=Job(per_minute=1, hours=2))
    page = shift_table(found)
    mass = found.performance.loads[0].load.mass
    assert ">120<" in page and f"{120 * mass:.0f} kg" in page
    assert f"{120 * found.performance.motion.duration / 60:.0f} min" in page
    assert "longer than its frequency allows" not in page


def test_more_than_the_shift_has_time_for_is_said() -> None:
    found = assess(assessed("lift").performance, job=Job(per_minute=10, hours=2))
    assert "longer than its frequency allows" in shift_table(found)
    assert "mass handled" not in shift_table(assessed("stand_up"))
