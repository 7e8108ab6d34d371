"""Closing of the hands."""

from __future__ import annotations

import numpy as np
from support.skins import skin_of

from robotix.human.body.head_and_hands import HeadAndHands
from robotix.kinematics import Posture


def test_closing_a_hand_moves_its_fingers_only() -> None:
    skin = skin_of("m")
    posture = Posture(skin.manikin.model)
    open_hand = skin.at(posture)
    fist = skin.at(posture, HeadAndHands(fingers={"right": np.radians(200.0)}))
    moved = np.linalg.norm(fist.vertices - open_hand.vertices, axis=1) > 1e-6
    assert moved.any()
    assert (open_hand.vertices[moved, 1] < 0).all()  # on the right
    wrist = skin.manikin.skeleton["right_wrist"]
    assert (open_hand.vertices[moved, 2] < wrist[2]).all()
    grip = skin.manikin.skeleton["right_grip"]
    assert abs(fist.vertices[moved] - grip).max() < 0.12


def test_fingertips_come_to_the_palm_as_the_hand_closes() -> None:
    skin = skin_of("f")
    posture = Posture(skin.manikin.model)
    names = [bone.name for bone in skin.rig.bones]
    tips = skin.rig.weights[:, names.index("left_fingers_3")] > 0.99
    wrist = skin.manikin.skeleton["left_wrist"]
    assert tips.any()
    distances = []
    for bend in np.radians([0.0, 60.0, 120.0, 180.0]):
        vertices = skin.at(posture, HeadAndHands(fingers={"left": bend})).vertices[tips]
        distances.append(np.linalg.norm(vertices - wrist, axis=1).mean())
    assert (np.diff(distances) < 0).all()


def test_the_weights_of_a_hand_are_shared_out_completely() -> None:
    skin = skin_of("m")
    names = [bone.name for bone in skin.rig.bones]
    parts = [k for k, name in enumerate(names) if name.startswith(("right_fingers", "right_thumb"))]
    assert len(parts) == 4
    assert (skin.rig.weights >= 0).all()
    assert all((skin.rig.weights[:, k] > 0.9).any() for k in parts)
