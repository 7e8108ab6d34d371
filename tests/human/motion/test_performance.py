"""Performances: spans of constant contacts and loads, and the poses of loads."""

from itertools import pairwise

import numpy as np
import pytest
from support.performed_tasks import performed

from robotix.errors import UnknownName


def test_spans_cover_all_rows_and_change_at_every_phase() -> None:
    lift = performed("lift")
    spans = lift.spans()
    assert (spans[0].first, spans[-1].last) == (0, len(lift.motion.times) - 1)
    assert all(a.last == b.first for a, b in pairwise(spans))
    starts = [phase.start for phase in lift.contacts] + [phase.start for phase in lift.loads]
    changes = {lift.row_at(start) for start in starts}
    assert changes <= {span.first for span in spans}


def test_at_a_change_the_later_contacts_and_loads_apply() -> None:
    lift = performed("lift")
    (phase,) = lift.loads
    assert phase.load in lift.span_at(phase.start).loads
    assert phase.load not in lift.span_at(phase.end).loads
    assert lift.span_at(1e9).first == len(lift.motion.times) - 1


@pytest.mark.parametrize("offset", [-1e-4, 0.0, 1e-4])
def test_the_nearest_row_is_found(offset: float) -> None:
    lift = performed("lift")
    for row in (0, 7, len(lift.motion.times) - 1):
        assert lift.row_at(float(lift.motion.times[row]) + offset) == row


def test_a_load_rests_before_the_grasp_and_after_the_release() -> None:
    lift = performed("lift")
    (phase,) = lift.loads
    first, last = lift.row_at(phase.start), lift.row_at(phase.end)
    positions, rotations = lift.load_poses(phase.load.name)
    assert np.ptp(positions[: first + 1], axis=0).max() == 0.0
    assert np.ptp(positions[last:], axis=0).max() == 0.0
    assert positions[first:last, 2].max() > positions[0, 2] + 0.3
    np.testing.assert_allclose(
        rotations @ rotations.transpose(0, 2, 1), [np.eye(3)] * len(rotations), atol=1e-12
    )
    np.testing.assert_array_equal(lift.load_pose(phase.load.name, 3).translation, positions[3])


def test_an_unknown_load_is_named() -> None:
    with pytest.raises(UnknownName, match="anvil"):
        performed("lift").load_poses("anvil")
