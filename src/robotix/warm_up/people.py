"""Kernels of people and pictures, each called once."""

from __future__ import annotations

from functools import cache

import numpy as np

from robotix.human import Manikin, make_anthropometry, make_manikin
from robotix.kinematics import Posture

__all__ = ["assess_posture", "compute_joint_loads", "draw_body", "perform_task"]


@cache
def _manikin() -> Manikin:
    return make_manikin(make_anthropometry(sex="f", percentile=50))


def compute_joint_loads() -> None:
    """Compute joint loads and ground reactions of a moving person with a box in the hands."""
    from robotix.geometry import Box
    from robotix.human.evaluation.joint_loads import joint_loads
    from robotix.human.motion.contacts import sole
    from robotix.human.motion.loads import Load
    from robotix.motion import Motion

    manikin = _manikin()
    motion = Motion.of(manikin.model, np.arange(3) / 100, q=np.tile(manikin.relaxed, (3, 1)))
    soles = [sole(manikin, "right"), sole(manikin, "left")]
    box = Load("box", 1.0, ("right", "left"), Box(np.ones(3)))
    loads = joint_loads(manikin, motion, contacts=soles, loads=[box], dynamic=True)
    loads.transmitted("L5S1_flexion")


def assess_posture() -> None:
    """Assess a standing person, as the page does; make the skin."""
    from robotix.ergonomics import TenMuscles
    from robotix.ergonomics.assessment.instant import assess_instant
    from robotix.human.skin.skin import make_skin

    manikin = _manikin()
    make_skin(manikin).at(Posture(manikin.model, manikin.relaxed))
    assess_instant(manikin, manikin.relaxed)
    TenMuscles().forces(np.ones((10, 3)))  # as many rows as a motion has


def perform_task() -> None:
    """Perform a task and evaluate it: balance, limits, obstacles and penetration."""
    from robotix.human.evaluation.report import measure
    from robotix.human.tasks.tasks import perform

    measure(perform("stand_up_at_table", _manikin()))


def draw_body() -> None:
    """Render a small picture of a person."""
    from robotix.human.skin.skin import make_skin
    from robotix.view import Mesh3, orbit, render

    manikin = _manikin()
    skin = make_skin(manikin)
    surface = skin.at(Posture(manikin.model, manikin.relaxed))
    body = [
        Mesh3(surface.vertices, part.faces, surface.normals, part.colour) for part in skin.parts
    ]
    render(body, orbit((0, 0, 0.9), distance=3.0, azimuth=0.5, elevation=0.2), size=(32, 32))
