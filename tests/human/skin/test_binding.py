"""Skins for graphics hardware: four bones per vertex, one matrix per bone."""

import numpy as np
import pytest
from support.people import random_q
from support.skins import skin_of

from robotix.human.skin.binding import bind_skin, bone_matrices
from robotix.kinematics import Posture


def test_weights_sum_to_one_over_at_most_four_bones() -> None:
    binding = bind_skin(skin_of("f", 50.0))
    np.testing.assert_allclose(binding.weights.sum(axis=1), 1.0)
    assert binding.bones.shape == binding.weights.shape == (len(binding.vertices), 4)
    assert (np.diff(binding.weights, axis=1) <= 1e-12).all()
    assert binding.parents[0] == -1 and all(p < k for k, p in enumerate(binding.parents))


@pytest.mark.parametrize("seed", [1, 2])
def test_vertices_of_one_bone_go_where_the_skin_has_them(seed: int) -> None:
    skin = skin_of("f", 50.0)
    binding = bind_skin(skin)
    posture = Posture(skin.manikin.model, random_q(skin.manikin.model, seed))
    alone = np.flatnonzero(skin.rig.weights.max(axis=1) > 1 - 1e-9)
    assert len(alone) > 100
    matrices = bone_matrices(skin, posture)[binding.bones[alone, 0]]
    moved = (matrices[:, :3, :3] @ binding.vertices[alone][:, :, None])[:, :, 0] + matrices[
        :, :3, 3
    ]
    np.testing.assert_allclose(moved, skin.at(posture).vertices[alone], atol=1e-6)
