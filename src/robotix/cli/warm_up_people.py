"""What is compiled for people and pictures, called once: stages of `robotix compile`."""

from __future__ import annotations

from functools import cache

import numpy as np

from robotix.human import Manikin, make_anthropometry, make_manikin
from robotix.kinematics import Posture

__all__ = ["draw_body", "weigh_body"]


@cache
def _manikin() -> Manikin:
    return make_manikin(make_anthropometry(sex="f", percentile=50))


def weigh_body() -> None:
    """Find the torques and ground reactions of a person who stands, and of one who moves."""
    from robotix.dynamics import Support, inverse_dynamics, solve_reactions

    manikin = _manikin()
    model, q = manikin.model, manikin.relaxed
    still = np.zeros(model.n_dof)
    soles = [Support(f"{side} sole", manikin.support_points(side)) for side in ("right", "left")]
    inverse_dynamics(model, q, dq=still, ddq=still)
    solve_reactions(model, q, supports=soles)


def draw_body() -> None:
    """Draw a person, very small."""
    from robotix.human.skin import make_skin
    from robotix.view import Mesh3, orbit, render

    manikin = _manikin()
    skin = make_skin(manikin)
    surface = skin.at(Posture(manikin.model, manikin.relaxed))
    body = [
        Mesh3(surface.vertices, part.faces, surface.normals, part.colour) for part in skin.parts
    ]
    render(body, orbit((0, 0, 0.9), distance=3.0, azimuth=0.5, elevation=0.2), size=(32, 32))
