"""The report on a performance: margins and slip of known motions."""

from dataclasses import replace

import numpy as np
import pytest
from support.people import manikin

from robotix.human import Manikin
from robotix.human.evaluation.report import com_margins, measure
from robotix.human.motion.contacts import ContactPhase, sole
from robotix.human.motion.performance import Environment, Performance
from robotix.motion import Motion


def standing(person: Manikin, shift: float = 0.0) -> Performance:
    """Both feet in contact for a second, while the whole body slides by `shift` along x."""
    q = np.tile(person.relaxed, (11, 1))
    q[:, 0] += np.linspace(0.0, shift, 11)
    motion = Motion.of(person.model, np.linspace(0.0, 1.0, 11), q=q)
    contacts = tuple(ContactPhase(sole(person, side), 0.0, 1.0) for side in ("right", "left"))
    return Performance("standing", person, motion, contacts, (), Environment(), ())


def test_standing_is_in_balance_without_slip() -> None:
    report = measure(standing(manikin("m")))
    assert report.com_margin > 0.02
    assert report.foot_slip == 0.0 and report.limit_violation == 0.0
    assert report.success


def test_sliding_feet_are_reported_with_their_distance() -> None:
    report = measure(standing(manikin("m"), shift=0.03))
    assert report.foot_slip == pytest.approx(0.03)
    assert not report.success and any("slip" in problem for problem in report.problems)


def test_a_body_that_leans_out_of_its_support_has_a_negative_margin() -> None:
    still = standing(manikin("m"))
    q = still.motion.q.copy()
    q[:, 4] = 0.5  # pitch about the pelvis, feet and all
    margins = com_margins(replace(still, motion=replace(still.motion, q=q)))
    assert len(margins) == len(still.spans())
    assert min(float(each.min()) for each in margins) < 0.0 < com_margins(still)[0].min()
