"""Links that are made longer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.experiments.design.links import long_links, stretch_link
from robotix.geometry import Capsule
from robotix.kinematics import Posture
from robotix.model import Body, Joint, Model
from robotix.model.robots import load


def test_the_long_links_of_an_arm_are_found() -> None:
    assert long_links(load("kuka_lwr")) == {"upper_arm": "link2", "forearm": "link4"}
    assert long_links(load("ur5")) == {"upper_arm": "upper_arm_link", "forearm": "forearm_link"}
    with pytest.raises(BadField, match="an upper arm and a forearm"):
        long_links(Model("stick", (Body("stick", Joint("turn", "revolute")),)))


def test_a_longer_link_moves_what_hangs_on_it() -> None:
    arm = load("kuka_lwr")
    longer = stretch_link(arm, "link2", 1.25)  # 0.40 m becomes 0.50 m
    up = np.zeros(arm.n_dof)  # at zero the arm stands straight up
    moved = Posture(longer, up).position("flange") - Posture(arm, up).position("flange")
    np.testing.assert_allclose(moved, [0.0, 0.0, 0.1], atol=1e-12)
    assert longer.body("link2").mass == pytest.approx(1.25 * arm.body("link2").mass)
    back = stretch_link(longer, "link2", 0.8)
    for name in ("mass", "com", "inertia"):
        np.testing.assert_allclose(
            getattr(back.body("link2"), name), getattr(arm.body("link2"), name), atol=1e-12
        )


def test_a_stretched_rod_has_the_inertia_of_a_longer_rod() -> None:
    arm = load("ur5")  # its upper arm lies along x
    mass, length = 3.0, 0.425
    across = mass * length**2 / 12
    rod = replace(
        arm.body("upper_arm_link"),
        mass=mass,
        com=np.array([-length / 2, 0, 0]),
        inertia=np.diag([0.0, across, across]),
    )
    arm = replace(arm, bodies=tuple(rod if b.name == rod.name else b for b in arm.bodies))
    longer = stretch_link(arm, "upper_arm_link", 2.0).body("upper_arm_link")
    twice = 2 * mass * (2 * length) ** 2 / 12
    np.testing.assert_allclose(longer.inertia, np.diag([0.0, twice, twice]), atol=1e-12)


def test_shapes_along_the_link_grow_with_it() -> None:
    arm = load("kuka_lwr")
    (before,), (after,) = (
        model.body("link2").collision for model in (arm, stretch_link(arm, "link2", 1.5))
    )
    assert isinstance(before, Capsule) and isinstance(after, Capsule)
    assert after.length == pytest.approx(1.5 * before.length)
    assert after.radius == before.radius


@pytest.mark.parametrize(("body", "factor"), [("link2", 0.0), ("link9", 1.1), ("link1", 1.1)])
def test_what_cannot_be_stretched_is_said(body: str, factor: float) -> None:
    with pytest.raises(BadField):
        stretch_link(load("kuka_lwr"), body, factor)
