"""The quality gate: what counts as followed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.squatting import make_plan, squatting

from robotix.capture.follow_markers import Followed, follow, follow_file
from robotix.capture.follow_run import marked_motion, report_lines
from robotix.capture.marker_plan import load_plan
from robotix.capture.marker_recording import WrongUpAxis, prepare
from robotix.capture.marker_report import FollowReport, report_on
from robotix.capture.trc_file import dump_trc
from robotix.ergonomics import Assessment, assess, recorded
from robotix.errors import BadFile
from robotix.human.motion.motion_body import tracking_in


@cache
def followed() -> Followed:
    return follow(prepare(squatting().rows(0, 40), make_plan(), sex="f"))


@cache
def report() -> FollowReport:
    return report_on(followed())


def assessed(of: FollowReport) -> Assessment:
    """Return the assessment of the motion, with the verdict of a report."""
    motion = marked_motion(followed(), report=of)
    return assess(recorded(motion, followed().recording.manikin))


def test_a_good_recording_is_followed() -> None:
    assert report().success and report().problems == ()
    assert next(iter(report_lines(report()))) == "followed: yes"
    assert report().as_dict()["success"] is True
    assert abs(report().sole_height) < 0.02


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"foot_slip": 1.07}, "standing feet slip by 1070 mm; check the markers of ankles"),
        ({"sole_height": -0.45}, "the lowest sole is -45 cm off the floor; check --up"),
        (
            {"seconds_outside": 5.0, "seconds_on_both": 10.0},
            "off balance in 50 % of the time on both feet; say what else it touches (--contact)",
        ),
    ],
)
def test_what_does_not_count_as_followed(changes: dict[str, Any], words: str) -> None:
    bad = replace(report(), **changes)
    assert not bad.success and words in bad.problems[0]
    assert words in "\n".join(report_lines(bad))


def test_residuals_beyond_the_limits_are_problems() -> None:
    wide = tuple(replace(each, rms=0.19) for each in report().landmarks)
    bad = replace(report(), landmarks=wide)
    assert [problem.split(" are ")[0] for problem in bad.problems] == [
        "driven points",
        "points not used",
    ]
    assert all("(--standing)" in problem for problem in bad.problems)


def test_a_hand_without_markers_is_named() -> None:
    assert report().unrecorded == ()
    one = replace(report(), unrecorded=("left_hand", "right_foot"))
    assert one.tracking.summary.endswith("left hand has no markers, right foot has no markers")
    lines = list(report_lines(one))
    assert "left hand has no markers: it hangs down" in lines
    assert "right foot has no markers: it is taken to stand" in lines


def test_the_motion_file_keeps_how_well_it_was_followed() -> None:
    tracking = tracking_in(marked_motion(followed()))
    assert tracking is not None and tracking.success and "cm driven" in tracking.summary
    bad = replace(report(), foot_slip=0.5)
    tracking = tracking_in(marked_motion(followed(), report=bad))
    assert tracking is not None and tracking.problems == bad.problems
    assert tracking_in(followed().motion) is None


def test_nothing_is_judged_that_was_not_followed() -> None:
    good, bad = assessed(report()), assessed(replace(report(), foot_slip=0.5))
    first = good.findings[0]
    assert (first.what, first.figure) == ("Recording", "yes") and "cm driven" in first.note
    assert good.finding("rula").verdict.is_given  # type: ignore[union-attr]
    first, *others = bad.findings
    assert first.figure == "no" and first.severity == "act"
    assert "slip by 500 mm" in first.note
    assert not any(each.verdict.is_given for each in others)
    assert [each.value for each in others] == [each.value for each in good.findings[1:]]


def test_a_wrong_upward_axis_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "squat.trc"
    path.write_text(dump_trc(squatting().rows(0, 5)))
    with pytest.raises(WrongUpAxis, match=r"not above the ankles.*give --up y"):
        follow_file(path, plan=make_plan(), up="z", sex="f")


def test_a_person_on_the_head_has_no_upward_axis(tmp_path: Path) -> None:
    upside_down = replace(squatting().rows(0, 5), positions=-squatting().rows(0, 5).positions)
    path = tmp_path / "upside_down.trc"
    path.write_text(dump_trc(upside_down))
    with pytest.raises(WrongUpAxis) as caught:
        follow_file(path, plan=make_plan(), sex="f")
    assert "--up" not in str(caught.value)
    assert np.isfinite(upside_down.positions).all()


def test_a_missing_plan_is_called_a_plan() -> None:
    with pytest.raises(BadFile, match="expected a marker plan"):
        load_plan("nosuch.toml")
