"""A performance as a table with one row per tick, for spreadsheets and data frames."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.evaluation.report import com_margins
from robotix.human.motion.performance import Performance
from robotix.kinematics.batch import forward_batch, mass_centre_batch

__all__ = ["performance_table"]

_LIMB_ENDS = tuple(f"{side}_{part}" for side in SIDES for part in ("hand", "foot"))
TABLE_POINTS = ("pelvis", "head", *_LIMB_ENDS)


def performance_table(performance: Performance) -> dict[str, Array]:
    """Return columns by name and unit, (k,) each: joints, centre of mass, balance, points, load.

    The centre of mass includes loads in the hands; where contacts change, the later ones apply.
    """
    motion, model = performance.motion, performance.manikin.model
    columns = {"time [s]": np.array(motion.times)}
    for (name, unit), values in zip(motion.dofs, motion.q.T, strict=True):
        columns[f"{name} [{'m' if unit == 'm' else 'rad'}]"] = np.array(values)
    com, margin, mass = (np.empty((len(motion.times), n)) for n in (3, 1, 1))
    for span, inside in zip(performance.spans(), com_margins(performance), strict=True):
        rows = slice(span.first, span.last + 1)
        com[rows] = mass_centre_batch(performance.model_with(span.loads), motion.q[rows]).com
        margin[rows, 0], mass[rows] = inside, sum(load.mass for load in span.loads)
    columns |= _xyz("centre of mass", com)
    columns |= {"balance margin [m]": margin[:, 0], "load [kg]": mass[:, 0]}
    for point in TABLE_POINTS:
        columns |= _xyz(point, forward_batch(model, motion.q, point=point)[0])
    return columns


def _xyz(name: str, positions: Array) -> dict[str, Array]:
    return {f"{name} {axis} [m]": positions[:, k] for k, axis in enumerate("xyz")}
