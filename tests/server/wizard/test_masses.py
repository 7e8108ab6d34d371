"""Masses and inertias of shapes, against those of MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from robotix.geometry import Box, Capsule, Cylinder, Pose, Shape, Sphere
from robotix.server.wizard.masses import DENSITY, solid_mass_properties

TILTED = Pose.at(0.1, -0.2, 0.3, rpy=(0.3, -0.5, 0.7))
SHAPES: dict[str, tuple[Shape, str, str]] = {
    "box": (Box(np.array([0.1, 0.2, 0.3]), TILTED), "box", "0.05 0.1 0.15"),
    "sphere": (Sphere(0.1, TILTED), "sphere", "0.1"),
    "cylinder": (Cylinder(0.05, 0.4, TILTED), "cylinder", "0.05 0.2"),
    "capsule": (Capsule(0.05, 0.4, TILTED), "capsule", "0.05 0.2"),
}


def _in_mujoco(*geoms: tuple[str, str, Pose]) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre of mass and inertia of a body with these shapes."""
    parts = "".join(
        f'<geom type="{kind}" size="{size}" density="{DENSITY}" '
        f'pos="{" ".join(map(str, pose.translation))}" '
        f'quat="{" ".join(map(str, pose.quaternion))}"/>'
        for kind, size, pose in geoms
    )
    text = f"<mujoco><worldbody><body><freejoint/>{parts}</body></worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    entries = np.empty(9)
    mujoco.mju_quat2Mat(entries, model.body_iquat[1])
    turn = entries.reshape(3, 3)
    return model.body_mass[1], model.body_ipos[1], turn @ np.diag(model.body_inertia[1]) @ turn.T


@pytest.mark.parametrize("name", SHAPES)
def test_one_shape(name: str) -> None:
    shape, kind, size = SHAPES[name]
    _compare([shape], (kind, size, TILTED))


def test_several_shapes() -> None:
    away = Pose.at(-0.2, 0.1, 0.0)
    _compare(
        [SHAPES["box"][0], Sphere(0.07, away)],
        ("box", SHAPES["box"][2], TILTED),
        ("sphere", "0.07", away),
    )


def test_a_part_without_a_shape_has_a_little_mass() -> None:
    mass, _, inertia = solid_mass_properties([])
    assert 0 < mass < 0.01
    assert np.linalg.eigvalsh(inertia)[0] > 0


def _compare(shapes: list[Shape], *geoms: tuple[str, str, Pose]) -> None:
    mass, com, inertia = solid_mass_properties(shapes)
    expected = _in_mujoco(*geoms)
    assert mass == pytest.approx(expected[0], rel=1e-6)
    np.testing.assert_allclose(com, expected[1], atol=1e-9)
    np.testing.assert_allclose(inertia, expected[2], atol=1e-6 * abs(inertia).max())
