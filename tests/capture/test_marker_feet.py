"""Stance phases and paths of feet."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin

from robotix.capture.marker_feet import follow_feet
from robotix.geometry import Array
from robotix.human.body.skeleton import Side

TOE = np.array([0.13, 0.0, -0.045])  # from the ankle, m


def stepping(rate: float = 100.0) -> tuple[Array, Array]:
    """Ankle and toe of a foot that stands, steps 0.5 m forward within 0.4 s, and stands again."""
    t = np.arange(200) / rate
    s = np.clip((t - 0.8) / 0.4, 0, 1)
    s = s**3 * (10 - 15 * s + 6 * s**2)
    ankle = np.column_stack([0.5 * s, np.zeros(200), 0.07 + 0.4 * s * (1 - s)])
    return ankle, ankle + TOE


def test_a_standing_foot_stands_still_and_a_step_joins_its_ends() -> None:
    ankle, toe = stepping()
    rng = np.random.default_rng(0)
    noisy = toe + 5e-4 * rng.normal(size=toe.shape) * [1, 1, 0]
    still = np.tile(ankle[0] + [0.0, 0.2, 0.0], (200, 1))
    paths = follow_feet(
        manikin(),
        {"right": ankle, "left": still},
        toes={"right": noisy, "left": still + TOE},
        rate=100.0,
    )
    foot = paths["right"]
    assert paths["left"].stands.all()
    assert foot.stands[:78].all() and foot.stands[125:].all() and not foot.stands[90:110].any()
    assert np.ptp(foot.positions[foot.stands & (np.arange(200) < 100)], axis=0).max() == 0
    assert np.linalg.norm(np.diff(foot.positions, axis=0), axis=1).max() < 0.04
    assert foot.positions[-1, 0] - foot.positions[0, 0] == pytest.approx(0.5, abs=2e-3)
    assert (foot.positions[:, 2] >= manikin().skeleton["right_toe"][2] - 1e-12).all()
    np.testing.assert_allclose(
        foot.rotations @ foot.rotations.transpose(0, 2, 1),
        np.tile(np.eye(3), (200, 1, 1)),
        atol=1e-12,
    )


def test_a_foot_tilted_beyond_the_vertical_does_not_turn_round() -> None:
    """Who pushes off far behind: the toe is then behind the ankle, seen from above."""
    ankle, toe = stepping()
    s = np.clip((np.arange(200) / 100 - 0.8) / 0.4, 0, 1)
    pitch = np.radians(110) * np.sin(np.pi * s) ** 2 + np.arctan2(-TOE[2], TOE[0])
    length = np.linalg.norm(TOE)
    tilted = toe - length * np.column_stack([np.cos(pitch), 0 * s, -np.sin(pitch)])
    still = np.tile(ankle[0] + [0.0, 0.2, 0.0], (200, 1))
    ankles: dict[Side, Array] = {"right": tilted, "left": still}
    toes: dict[Side, Array] = {"right": toe, "left": still + TOE}
    assert ((toe - tilted)[:, 0] < -0.02).any()
    told = follow_feet(manikin(), ankles, toes=toes, rate=100.0, headings=np.zeros(200))
    forward = told["right"].rotations[:, 0, 0]
    assert forward.min() > 0.4  # tilted by 60 degrees at most, never turned round
    blind = follow_feet(manikin(), ankles, toes=toes, rate=100.0)
    assert blind["right"].rotations[:, 0, 0].min() < forward.min()


def test_a_foot_that_is_pushed_along_the_floor_does_not_stand() -> None:
    """A step of 0.2 m within a second, at 0.3 m/s: below every threshold of speed."""
    t = np.arange(300) / 100
    x = 0.2 * np.clip(t - 1.0, 0, 1)
    ankle = np.column_stack([x, 0 * x, 0.07 + 0 * x])
    still = np.tile(ankle[0] + [0.0, 0.2, 0.0], (300, 1))
    foot = follow_feet(
        manikin(),
        {"right": ankle, "left": still},
        toes={"right": ankle + TOE, "left": still + TOE},
        rate=100.0,
    )["right"]
    assert foot.stands[:98].all() and foot.stands[202:].all() and not foot.stands[110:190].any()
    assert foot.positions[0, 0] == pytest.approx(TOE[0], abs=1e-3)
    assert foot.positions[-1, 0] == pytest.approx(TOE[0] + 0.2, abs=1e-3)
