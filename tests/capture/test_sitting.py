"""Who sits is found, and need not balance over the feet; who squats does."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support.people import manikin
from support.squatting import RATE, make_plan, record, squatting

from robotix.capture.body_contacts import parse_contacts
from robotix.capture.follow_markers import Followed, follow
from robotix.capture.follow_run import marked_motion, report_lines
from robotix.capture.marker_recording import prepare
from robotix.capture.marker_report import report_on
from robotix.capture.markers import MarkerSet
from robotix.ergonomics import recorded
from robotix.human import perform
from robotix.motion import Motion


@cache
def risen() -> Motion:
    """Our own manikin, which rises from a seat."""
    return perform("stand_up", manikin("f", stature=1.7)).motion


@cache
def rising() -> tuple[MarkerSet, MarkerSet]:
    """That motion as markers, and the upright posture as a static trial."""
    person, motion = manikin("f", stature=1.7), risen()
    times = np.arange(motion.times[0], motion.times[-1], 1 / RATE)
    rows = [motion.at(float(time)) for time in times]
    upright = np.array(person.relaxed)
    return record(person, rows), record(person, [upright, upright])


@cache
def followed() -> Followed:
    moving, still = rising()
    return follow(prepare(moving, make_plan(), sex="f", static=still))


def test_who_rises_from_a_seat_is_followed() -> None:
    report = report_on(followed())
    assert report.rms(driven=True) < 0.02 and report.rms(driven=False) < 0.06
    assert report.success, report.problems
    assert 0.5 < report.seconds_seated < report.duration - 0.5
    assert any("seated for" in line for line in report_lines(report))


def test_the_seat_bears_until_the_pelvis_rises() -> None:
    sits = followed().sits
    first, last = np.flatnonzero(sits)[[0, -1]]
    assert first == 0 and sits[first : last + 1].all()
    assert (followed().unsteady | ~sits).all()  # who sits is not balanced on the feet
    motion = marked_motion(followed())
    labels = [mark.label for mark in motion.markers]
    assert "seat touches" in labels and "seat leaves" in labels
    performance = recorded(motion, followed().recording.manikin)
    assert any(phase.contact.name == "seat" for phase in performance.contacts)


def test_without_a_seat_the_body_falls_short() -> None:
    moving, still = rising()
    prepared = prepare(moving, make_plan(), sex="f", static=still)
    nothing = parse_contacts(["hands=none"])
    blind = report_on(follow(prepared, seat=False, contacts=nothing))
    assert blind.seconds_seated == 0
    assert blind.rms(driven=True) > 2 * report_on(followed()).rms(driven=True)


def test_who_squats_does_not_sit() -> None:
    found = follow(prepare(squatting(), make_plan(), sex="f"))
    assert not found.sits.any() and not found.unsteady.any()


def test_a_given_seat_holds_whoever_is_low_and_slow() -> None:
    person = manikin("f", stature=1.7)
    motion = risen()
    low = [motion.at(float(motion.times[0]))] * 30
    still = record(person, [np.array(person.relaxed)])
    found = follow(prepare(record(person, low), make_plan(), sex="f", static=still), seat=True)
    assert found.sits.all()


def test_a_static_trial_gives_the_lengths() -> None:
    moving, still = rising()
    body = prepare(moving, make_plan(), sex="f", static=still).manikin.anthropometry
    assert body.stature == pytest.approx(1.7, abs=0.01)
