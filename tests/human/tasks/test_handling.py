"""Lifting and carrying."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES, manikin
from support.performed_tasks import check_kept, performed

from robotix.human.evaluation.report import measure
from robotix.human.tasks.tasks import perform


@pytest.mark.parametrize(("load", "is_on_toes"), [(8.0, True), (25.0, False)])
def test_who_squats_raises_the_heels_unless_the_load_is_too_heavy(
    load: float, is_on_toes: bool
) -> None:
    performance = perform("lift", manikin(), style="squat", parameters={"load": load})
    report = measure(performance)
    check_kept(report)
    assert report.success, report.problems
    (held,) = performance.loads
    bearing = {contact.name for contact in performance.span_at(held.start).contacts}
    assert bearing == {f"{side}_{'toes' if is_on_toes else 'foot'}" for side in SIDES}
    end = {contact.name for contact in performance.span_at(performance.motion.duration).contacts}
    assert end == {f"{side}_foot" for side in SIDES}


def test_the_box_ends_on_the_table() -> None:
    performance = performed("lift")
    (phase,) = performance.loads
    positions, rotations = performance.load_poses("box")
    table = performance.environment.solids["table"]
    top = table.pose.translation[2] + 0.015  # half of its thickness
    assert positions[-1, 2] - phase.load.box.size[2] / 2 == pytest.approx(top, abs=2e-3)
    assert positions[0, 2] == pytest.approx(phase.load.box.size[2] / 2, abs=5e-3)
    np.testing.assert_allclose(rotations[-1], np.eye(3), atol=0.05)
    taken, put = performance.row_at(phase.start), performance.row_at(phase.end)
    assert (positions[:taken] == positions[0]).all() and (positions[put:] == positions[-1]).all()
