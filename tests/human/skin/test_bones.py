"""The bones of the skin."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import random_q
from support.skins import FAMILY, skin_of

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
        side, _, name = bone.segment.partition("_")
        if name in ends:
            reached = R @ skin.body.centres[f"{side}_{ends[name]}"] + t
            np.testing.assert_allclose(reached, centres[f"{side}_{ends[name]}"], atol=1e-6)
        if name == "thigh":
            np.testing.assert_allclose(R @ bone.centre + t, centres[f"{side}_hip"], atol=1e-6)
        if name == "upper_arm":
            np.testing.assert_allclose(R @ bone.centre + t, centres[f"{side}_shoulder"], atol=1e-6)
