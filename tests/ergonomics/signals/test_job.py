"""Jobs: what frequency and duration mean for the methods."""

from typing import Any

import pytest

from robotix.ergonomics import Job


@pytest.mark.parametrize(
    ("per_minute", "is_static", "is_repeated", "is_lasting", "kind"),
    [
        (0.2, False, False, False, "intermittent"),
        (4.0, False, False, True, "intermittent"),
        (4.1, False, True, True, "repeated"),
        (0.2, True, False, True, "static"),
    ],
)
def test_frequency_and_duration_decide_muscle_use(
    per_minute: float, is_static: bool, is_repeated: bool, is_lasting: bool, kind: str
) -> None:
    job = Job(per_minute=per_minute, is_static=is_static)
    assert (job.is_repeated, job.is_lasting, job.load_kind) == (is_repeated, is_lasting, kind)


def test_a_jolt_outweighs_everything() -> None:
    assert Job(per_minute=9, is_static=True, has_shocks=True).load_kind == "shock"


@pytest.mark.parametrize(
    "wrong",
    [{"hours": 9.0}, {"turned": -1.0}, {"coupling": "loose"}, {"age": "30"}, {"neutral": 1.0}],
)
def test_impossible_jobs_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Job(**wrong)


def test_years_of_an_age_group() -> None:
    assert [Job(age=age).years for age in ("18-25", "55-65", ">65")] == [25, 65, 65]
