"""Closing of the hands."""

from __future__ import annotations

import numpy as np
from support.skins import skin_of

from robotix.kinematics import Posture


def test_closing_a_hand_moves_its_fingers_only() -> None:
    skin = skin_of("m")
    posture = Posture(skin.manikin.model)
    open_hand, fist = skin.at(posture), skin.at(posture, grip={"right": 1.0})
    moved = np.linalg.norm(fist.vertices - open_hand.vertices, axis=1) > 1e-6
    assert moved.any()
    assert (open_hand.vertices[moved, 1] < 0).all()  # on the right
    wrist = skin.manikin.skeleton["right_wrist"]
    assert (open_hand.vertices[moved, 2] < wrist[2]).all()
    grip = skin.manikin.skeleton["right_grip"]
    assert abs(fist.vertices[moved] - grip).max() < 0.12
