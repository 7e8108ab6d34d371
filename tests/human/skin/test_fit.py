"""The template fitted to the measures of a manikin."""

from __future__ import annotations

import numpy as np
import pytest
from support.skins import FAMILY, skin_of

from robotix.geometry import Array, Sphere
from robotix.human.skin.body_template import DENSITY, enclosed_volume
from robotix.human.skin.fit import girth
from robotix.human.skin.skin import Skin
from robotix.kinematics import Posture


def part_rows(skin: Skin, *names: str) -> Array:
    return np.unique(np.concatenate([p.faces for p in skin.parts if p.name in names]))


@pytest.mark.parametrize(("sex", "percentile"), FAMILY)
def test_stature_soles_and_volume_are_the_manikins(sex: str, percentile: float) -> None:
    skin = skin_of(sex, percentile)
    body = skin.manikin.anthropometry
    vertices = skin.at(Posture(skin.manikin.model)).vertices
    bare = vertices[part_rows(skin, "skin", "hair")]
    assert bare[:, 2].max() == pytest.approx(body.stature, abs=5e-3)
    soles = vertices[part_rows(skin, "soles")]
    assert soles[:, 2].min() == pytest.approx(0.0, abs=1e-3)
    assert soles[:, 0].min() == pytest.approx(skin.manikin.skeleton["left_heel"][0], abs=0.01)
    assert soles[:, 0].max() == pytest.approx(skin.manikin.skeleton["left_toe_tip"][0], abs=0.01)
    volume = enclosed_volume(skin.body.vertices, skin.body.template.body)
    assert volume == pytest.approx(body.mass / DENSITY, rel=0.05)


@pytest.mark.parametrize("name", ["waist_girth", "hip_girth"])
def test_girths_come_near_the_tape(name: str) -> None:
    skin = skin_of("m")
    old, zero = skin.body.template.joints, skin.manikin.skeleton
    share = {"waist_girth": 0.35, "hip_girth": -0.10}[name]
    assert old["left_hip"][2] < old["left_shoulder"][2]
    low, high = zero["left_hip"][2], zero["left_shoulder"][2]
    at = np.array([0.0, 0.0, low + share * (high - low)])
    trunk = skin.body.template.weight_of("pelvis", "lumbar", "thorax", "left_thigh", "right_thigh")
    faces = skin.body.template.body[(trunk > 0.5)[skin.body.template.body].all(axis=1)]
    found = girth(skin.body.vertices, faces, at=at, along=np.array([0.0, 0.0, 1.0]))
    assert found == pytest.approx(skin.manikin.anthropometry[name], rel=0.08)


def test_the_tape_around_a_ball_is_its_girth() -> None:
    from robotix.view import solid_mesh

    ball = solid_mesh(Sphere(0.3), around=96)
    tape = girth(ball.vertices, ball.faces, at=np.array([0, 0, 0.18]), along=np.array([0, 0, 1.0]))
    assert tape == pytest.approx(2 * np.pi * 0.24, rel=2e-3)
