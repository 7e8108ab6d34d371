"""People in postures and at tasks, assessed once for all tests."""

from __future__ import annotations

from functools import cache

import numpy as np
from support.people import manikin

from robotix.ergonomics import Assessment, Job, assess, held
from robotix.geometry import Array
from robotix.human import Manikin
from robotix.human.motion.performance import Performance
from robotix.human.tasks.tasks import perform
from robotix.kinematics import Posture


@cache
def man() -> Manikin:
    return manikin("m")


@cache
def woman() -> Manikin:
    return manikin("f")


def turned(who: Manikin, **degrees: float) -> Array:
    """Return standing upright with some coordinates elsewhere; without a side, both sides."""
    q = np.zeros(who.model.n_dof)
    for name, value in degrees.items():
        sides = [name] if name in who.model.dof_names else [f"right_{name}", f"left_{name}"]
        for each in sides:
            q[who.model.dof_index(each)] = np.radians(value)
    return q


def stooped(who: Manikin, bend: float = 70.0, **degrees: float) -> Array:
    """Return a trunk bent forward at the hips, legs upright, arms hanging down."""
    return turned(who, root_ry=bend, hip_flexion=bend, shoulder_flexion=bend, **degrees)


def assessed_posture(
    who: Manikin, q: Array, *, load: float = 0.0, job: Job | None = None
) -> Assessment:
    return assess(held(Posture(who.model, q), who, load=load), job=job)


@cache
def performed(task: str, sex: str = "f", load: float | None = None) -> Performance:
    parameters = {} if load is None else {"load": load}
    return perform(task, woman() if sex == "f" else man(), parameters=parameters)


@cache
def assessed(task: str, sex: str = "f", load: float | None = None) -> Assessment:
    return assess(performed(task, sex, load))
