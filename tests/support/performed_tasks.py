"""Tasks performed once for all tests."""

from __future__ import annotations

from functools import cache

from support.people import manikin

from robotix.human.evaluation.report import Report
from robotix.human.motion.performance import Performance
from robotix.human.tasks.tasks import perform

BODIES = [(sex, percentile) for sex in "fm" for percentile in (5.0, 50.0, 95.0)]


@cache
def performed(task: str, sex: str = "m", percentile: float = 50.0) -> Performance:
    return perform(task, manikin(sex, percentile=percentile))


def check_kept(report: Report) -> None:
    """What every performance keeps, whether it succeeds or not."""
    assert report.com_margin > 0 or report.zmp_outside <= 0.01, report
    assert report.foot_slip < 1e-3, report
    assert report.limit_violation == 0, report
    assert report.penetration < 1e-3, report
