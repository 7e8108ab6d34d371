"""Kernels of people and pictures, each called once."""

from __future__ import annotations

from functools import cache

import numpy as np

from robotix.human import Manikin, make_anthropometry, make_manikin
from robotix.kinematics import Posture

__all__ = ["assess_posture", "draw_body", "perform_task", "weigh_body"]


@cache
def _manikin() -> Manikin:
    return make_manikin(make_anthropometry(sex="f", percentile=50))


def weigh_body() -> None:
    """Find what joints and floor carry while a person moves, with a box in the hands."""
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
    """Assess a person who stands, as the page shows it; make the skin."""
    from robotix.ergonomics.assessment.instant import assess_instant
    from robotix.human.skin.skin import make_skin

    manikin = _manikin()
    make_skin(manikin).at(Posture(manikin.model, manikin.relaxed))
    assess_instant(manikin, manikin.relaxed)


def perform_task() -> None:
    """Let a person stand up at a table, and measure it: balance, limits, obstacles and bumps."""
    from robotix.human.evaluation.report import measure
    from robotix.human.tasks.tasks import perform

    measure(perform("stand_up_at_table", _manikin()))


def draw_body() -> None:
    """Draw a person, very small."""
    from robotix.human.skin.skin import make_skin
    from robotix.view import Mesh3, orbit, render

    manikin = _manikin()
    skin = make_skin(manikin)
    surface = skin.at(Posture(manikin.model, manikin.relaxed))
    body = [
        Mesh3(surface.vertices, part.faces, surface.normals, part.colour) for part in skin.parts
    ]
    render(body, orbit((0, 0, 0.9), distance=3.0, azimuth=0.5, elevation=0.2), size=(32, 32))
