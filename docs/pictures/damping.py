"""Draw `damping.svg`: the damping factor of two laws while an arm is stretched."""

from pathlib import Path

import numpy as np

from robotix.geometry import Array
from robotix.kinematics import Damping, Limits, PointTask, Posture, Solver
from robotix.kinematics.kernels import tick
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.kinematics.solver import DampingLaw
from robotix.model.robots import load
from robotix.view.charts import Chart, Curve
from robotix.view.plots import joined_charts

PICTURE = Path(__file__).with_suffix(".svg")
ROBOT = "planar_3r"
BENDS = np.radians(np.linspace(40.0, 0.0, 400))  # of both elbows; 0 is stretched


def factors(law: DampingLaw) -> Array:
    """Return the damping factor of a law at every bend."""
    model = load(ROBOT)
    solver = Solver(
        model, [PointTask(None, np.zeros(3), "xy")], dt=0.01, limits=Limits.none(model),
        damping=Damping(law=law, reach=0.0),
    )  # fmt: skip
    found = []
    for bend in BENDS:
        solver.step([0.3, bend, bend])
        found.append(solver.arena.flat(FloatBlock.REPORT)[tick.DAMPING_SQUARED])
    return np.sqrt(found)


if __name__ == "__main__":
    model = load(ROBOT)
    sigma = [np.linalg.svd(Posture(model, [0.3, b, b]).jacobian()[:2])[1][-1] for b in BENDS]
    curves = [
        Curve("smallest", factors("smallest"), "#1b62c4"),
        Curve("adaptive", factors("adaptive"), "#c4341b", "6 4"),
    ]
    smallest = [Curve("σ of J", sigma, "#1a8754")]
    degrees = np.degrees(BENDS[::-1])
    charts = [
        Chart("damping factor", "λ", degrees, [
            Curve(c.label, np.asarray(c.values)[::-1], c.colour, c.dashes) for c in curves
        ], time_unit="° bend"),
        Chart("smallest singular value", "σ", degrees, [
            Curve(c.label, np.asarray(c.values)[::-1], c.colour) for c in smallest
        ], height=150.0, time_unit="° bend"),
    ]  # fmt: skip
    PICTURE.write_text(joined_charts(charts))
    print(f"wrote {PICTURE.name}")
