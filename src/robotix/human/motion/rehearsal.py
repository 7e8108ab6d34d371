"""Rehearsals: a task is performed again until the zero-moment point stays inside the support.

A script moves the mass centre as if the body could stop at any instant. Its inertia shifts the
zero-moment point from there. After each performance the true zero-moment point of all bodies is
computed, and the mass centre is displaced over the whole motion so that the point would stay
inside; the next performance follows that, and plans its steps from where the hips really were.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.mass_centre_plan import CartTable, displaced
from robotix.human.motion.performance import Performance
from robotix.human.motion.scenario import Scenario, run_scenario
from robotix.human.motion.zero_moment import ZeroMoment, zero_moment
from robotix.kinematics.batch import forward_batch, mass_centre_batch

__all__ = ["rehearse"]

MAX_REHEARSALS = 5
MARGIN = 0.015  # m, of the zero-moment point inside the polygon while planning
GOOD_MARGIN, MAX_LACK = 0.004, 0.1  # m, with which rehearsing ends; what counts of one row


def rehearse(make: Callable[[], Scenario], *, task: str) -> Performance:
    """Return the performance of a scenario with the best zero-moment point of some rehearsals.

    A scenario is made for each of them. What cannot be done is not rehearsed.
    """
    best = current = run_scenario(make(), task=task)
    found = zero_moment(best)
    least = _lack(found)
    for _ in range(MAX_REHEARSALS):
        if least == 0.0 or current.shortfalls:
            break
        table = _cart_table(current, found)
        plan, _ = displaced(table, margin=MARGIN)
        scenario = make()
        scenario.person.follow_mass_centre(plan)
        scenario.person.rehearsed_hips = _hips(current, plan - table.com)
        current = run_scenario(scenario, task=task)
        found = zero_moment(current)
        if not current.shortfalls and _lack(found) < least:
            best, least = current, _lack(found)
    return best


def _hips(performance: Performance, displacement: Array) -> dict[Side, Array]:
    """Return where the hips will be when the mass centre is displaced (n, 2), by side, (n, 3)."""
    moved = np.pad(displacement, ((0, 0), (0, 1)))
    model, q = performance.manikin.model, performance.motion.q
    return {side: forward_batch(model, q, point=f"{side}_hip")[0] + moved for side in SIDES}


def _lack(found: ZeroMoment) -> float:
    """Return the mean of what margins lack, m; those of one row count little."""
    return float(np.mean(np.clip(GOOD_MARGIN - found.margins, 0.0, MAX_LACK)))


def _cart_table(performance: Performance, found: ZeroMoment) -> CartTable:
    """Return a performance as cart and table; the cart is the body without its loads."""
    model, motion = performance.manikin.model, performance.motion
    com = mass_centre_batch(model, motion.q).com
    gravity = float(np.linalg.norm(model.gravity))
    total = np.full(len(com), model.mass)
    for phase in performance.loads:
        during = (motion.times >= phase.start) & (motion.times < phase.end)
        total[during] += phase.load.mass
    zmp = np.where(np.isfinite(found.points), found.points, com[:, :2])
    lift = np.maximum(found.pressing / total, gravity / 4)
    return CartTable(
        dt=float(np.median(np.diff(motion.times))),
        com=com[:, :2].copy(),
        zmp=zmp,
        lag=(com[:, 2] - found.heights) / lift,
        share=model.mass / total,
        polygons=found.polygons,
        polygon=found.polygon,
    )
