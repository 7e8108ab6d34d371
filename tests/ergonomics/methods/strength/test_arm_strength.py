"""Arm Force Field, against the examples of its authors (nladelfa/Arm-Force-Field @152710f)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robotix.ergonomics import ArmExertion, ArmStrengthResult, arm_strength

# joints of the example of both programs, m: left, up, forward
JOINTS = {
    "left": [
        (0.29034, 0.91934, 0.29134),
        (0.26170, 0.96619, 0.23538),
        (0.19100, 1.11068, 0.09171),
        (0.09191, 1.30461, -0.06136),
    ],
    "right": [
        (-0.37368, 1.20097, 0.360862),
        (-0.36905, 1.20173, 0.28260),
        (-0.42676, 1.28636, 0.09280),
        (-0.21538, 1.32291, -0.06481),
    ],
}
TRUNK = np.array([-0.06385, 1.35457, -0.06182]) - [-0.06300, 0.95253, -0.07984]


def example(side: str) -> ArmStrengthResult:
    """Return the example of the programs: 50 N upwards."""
    right = np.subtract(JOINTS["right"][3], JOINTS["left"][3])
    forward = np.cross(TRUNK, right)
    up = np.cross(right, forward)
    out = right if side == "right" else -right
    axes = np.array([each / np.linalg.norm(each) for each in (forward, out, up)])

    def seen(vector: Any) -> Any:
        return tuple(axes @ np.asarray(vector))

    hand, wrist, elbow, shoulder = map(np.array, JOINTS[side])
    return arm_strength(
        ArmExertion(
            hand=seen(hand - shoulder),
            wrist=seen(wrist - shoulder),
            elbow=seen(elbow - shoulder),
            direction=seen([0, 1, 0]),
            down=seen([0, -1, 0]),
            force=50,
        )
    )


def test_right_arm_of_the_program() -> None:
    """What the Python program prints."""
    found = example("right")
    assert found.for_percent(75) == pytest.approx(61.836461340807205, rel=1e-9)
    assert found.percent_capable == pytest.approx(86.89865717082466, rel=1e-9)
    assert found.verdict.level == 1


def test_left_arm_of_the_program() -> None:
    """It prints 78.148 N and 94.80 %: it mirrors the left arm, but not gravity, which is tilted."""
    found = example("left")
    assert found.for_percent(75) == pytest.approx(78.148, abs=0.5)
    assert found.percent_capable == pytest.approx(94.80, abs=0.2)


@pytest.mark.parametrize(
    ("hand", "direction", "strength"),
    [  # forward, outward, up; "ANN Strength" of the worksheet, left and right
        (
            (0.45061862703332134, 0.15, -0.29486073487428676),
            (-0.51302236078920804, 0.44721359549995793, 0.7326718619752417),
            102.17631456793282,
        ),
        (
            (0.27030317408049215, 0.2, 0.31134577896931741),
            (0.94763170216938131, 0.27216552697590868, -0.16709303686715049),
            62.449415509308729,
        ),
    ],
)
def test_worksheet(hand: Any, direction: Any, strength: float) -> None:
    found = arm_strength(ArmExertion(hand=hand, direction=direction, force=50))
    assert found.mean == pytest.approx(strength, rel=1e-9)
    assert found.assist == 0 and found.sd == pytest.approx(0.277 * strength)


def test_half_of_women_exert_the_mean() -> None:
    ahead: dict[str, Any] = {"hand": (0.4, 0.1, -0.2), "direction": (1, 0, 0)}
    mean = arm_strength(ArmExertion(**ahead, force=0)).mean
    found = arm_strength(ArmExertion(**ahead, force=mean))
    assert found.percent_capable == pytest.approx(50) and found.verdict.level == 2
    assert found.for_percent(50) == pytest.approx(mean)


def test_the_weight_of_the_arm_helps_downwards() -> None:
    straight: dict[str, Any] = {
        "hand": (0.5, 0.0, 0.0),
        "wrist": (0.44, 0.0, 0.0),
        "elbow": (0.24, 0.0, 0.0),
    }
    down = arm_strength(ArmExertion(**straight, direction=(0, 0, -1), force=10))
    up = arm_strength(ArmExertion(**straight, direction=(0, 0, 2), force=10))
    mass = 73.5 * 9.81
    places = (0.436 * 0.24, 0.24 + 0.430 * 0.20, 0.44 + 0.740 * 0.06)
    moment = mass * sum(m * r for m, r in zip((0.028, 0.017, 0.006), places, strict=True))
    assert down.assist == pytest.approx(moment / 0.5) and up.assist == pytest.approx(-moment / 0.5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hand": (0.6, 0.0, 0.0)}, "hand, forward, must be from 0 to 0.52 m"),
        ({"hand": (0.5, 0.4, 0.0)}, "reach must be from 0.2 to 0.6 m"),
        ({"direction": (0, 0, 0)}, "direction of force"),
        ({"force": -1}, "force must be"),
        ({"elbow": (0.2, 0, 0)}, "both, or neither"),
    ],
)
def test_bad_inputs(wrong: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"hand": (0.4, 0.0, 0.0), "direction": (1, 0, 0), "force": 10}
    with pytest.raises(ValueError, match=message):
        ArmExertion(**{**usual, **wrong})
