"""Performances as tables: one row per tick, names with units."""

import numpy as np
from support.performed_tasks import performed

from robotix.human.evaluation.report import measure
from robotix.human.evaluation.tables import performance_table
from robotix.kinematics import Posture


def test_columns_are_those_of_the_motion_and_the_report() -> None:
    lift = performed("lift")
    table = performance_table(lift)
    assert {len(column) for column in table.values()} == {len(lift.motion.times)}
    np.testing.assert_array_equal(table["time [s]"], lift.motion.times)
    np.testing.assert_array_equal(table["root_x [m]"], lift.motion.q[:, 0])
    np.testing.assert_array_equal(
        table["right_knee_flexion [rad]"],
        lift.motion.q[:, lift.manikin.model.dof_index("right_knee_flexion")],
    )
    assert table["balance margin [m]"].min() >= measure(lift).com_margin - 1e-12
    row = 40
    head = Posture(lift.manikin.model, lift.motion.q[row]).position("head")
    np.testing.assert_allclose([table[f"head {axis} [m]"][row] for axis in "xyz"], head)


def test_the_load_counts_from_grasp_to_release() -> None:
    lift = performed("lift")
    (phase,) = lift.loads
    load = performance_table(lift)["load [kg]"]
    first, last = lift.row_at(phase.start), lift.row_at(phase.end)
    assert set(load[first:last]) == {phase.load.mass}
    assert set(load[:first]) == set(load[last + 1 :]) == {0.0}
