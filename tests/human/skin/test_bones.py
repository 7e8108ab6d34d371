"""The bones of the skin."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import random_q
from support.skins import FAMILY, skin_of

from robotix.geometry.rotation import rotation_about
from robotix.human.body.head_and_hands import HeadAndHands
from robotix.kinematics import Posture


@pytest.mark.parametrize(("sex", "percentile"), FAMILY)
@pytest.mark.parametrize("seed", [None, 7])
def test_joint_centres_of_the_bones_are_the_manikins(
    sex: str, percentile: float, seed: int | None
) -> None:
    skin = skin_of(sex, percentile)
    person = skin.manikin
    posture = Posture(person.model, None if seed is None else random_q(person.model, seed))
    turns, moves = skin.rig.placed(posture)
    centres = person.joint_centres(posture)
    ends = {"thigh": "knee", "shank": "ankle", "foot": "toe", "upper_arm": "elbow"}
    ends |= {"forearm": "wrist", "hand": "knuckle"}
    for bone, R, t in zip(skin.rig.bones, turns, moves, strict=True):
        if bone.carried_by:
            continue
        side, _, name = bone.segment.partition("_")
        if name in ends:
            reached = R @ skin.body.centres[f"{side}_{ends[name]}"] + t
            np.testing.assert_allclose(reached, centres[f"{side}_{ends[name]}"], atol=1e-6)
        if name == "thigh":
            np.testing.assert_allclose(R @ bone.centre + t, centres[f"{side}_hip"], atol=1e-6)
        if name == "upper_arm":
            np.testing.assert_allclose(R @ bone.centre + t, centres[f"{side}_shoulder"], atol=1e-6)


def test_the_neck_turns_the_head_and_nothing_else() -> None:
    skin = skin_of("m")
    posture = Posture(skin.manikin.model, random_q(skin.manikin.model, 3))
    ahead = skin.at(posture).vertices
    turned = skin.at(posture, HeadAndHands(neck_flexion=0.4, neck_rotation=-0.6)).vertices
    weights = skin.rig.weights
    names = [bone.name for bone in skin.rig.bones]
    upper = weights[:, [names.index("neck"), names.index("head")]].sum(axis=1)
    moved = np.linalg.norm(turned - ahead, axis=1) > 1e-6
    assert (upper[moved] > 0).all() and moved[upper > 0.5].mean() > 0.99


def test_the_head_has_the_whole_rotation_of_the_neck_about_the_carried_centre() -> None:
    skin = skin_of("f")
    names = [bone.name for bone in skin.rig.bones]
    neck, head, thorax = (names.index(name) for name in ("neck", "head", "thorax"))
    turns, moves = skin.rig.placed(Posture(skin.manikin.model), HeadAndHands(0.5, 0.3))
    seen = turns[thorax].T @ turns[head]
    expected = rotation_about([0, 0, 1], 0.3) @ rotation_about([0, 1, 0], 0.5)
    np.testing.assert_allclose(seen, expected, atol=1e-12)
    for bone, carrier in ((neck, thorax), (head, neck)):
        centre = skin.rig.bones[bone].centre
        np.testing.assert_allclose(
            turns[bone] @ centre + moves[bone], turns[carrier] @ centre + moves[carrier], atol=1e-12
        )
