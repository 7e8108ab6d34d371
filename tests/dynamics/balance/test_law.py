"""The law of standing balance on the inverted pendulum that it was made for."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics.balance import AnkleLaw
from robotix.errors import BadField

MASS, HEIGHT, GRAVITY = 8.0, 0.28, 9.81


def swing(law: AnkleLaw, start: tuple[float, float], seconds: float) -> np.ndarray:
    """Horizontal CoM of a linear inverted pendulum under the law, (2,), after some seconds."""
    r, v, dt = np.array(start), np.zeros(2), 1e-3
    for _ in range(round(seconds / dt)):
        momentum = MASS * HEIGHT * np.array([-v[1], v[0], 0.0])
        com = np.array([r[0], r[1], HEIGHT])
        tau = law.moment(momentum, com, mass=MASS, gravity=GRAVITY)
        dL = MASS * GRAVITY * np.array([-r[1], r[0]]) + tau
        v = v + dt * np.array([dL[1], -dL[0]]) / (MASS * HEIGHT)
        r = r + dt * v
    return r


def test_both_rows_bring_the_centre_of_mass_back() -> None:
    assert abs(swing(AnkleLaw(2.0), (0.01, -0.02), 3.0)).max() < 1e-4


def test_the_printed_sign_turns_over_sideways_only() -> None:
    law = AnkleLaw(2.0, sign="printed")
    assert abs(swing(law, (0.01, 0.0), 3.0)[0]) < 1e-4
    assert abs(swing(law, (0.0, 0.01), 1.0)[1]) > 0.05


@pytest.mark.parametrize(("gain", "holds"), [(0.8, False), (0.95, False), (1.2, True), (4.0, True)])
def test_the_gain_must_exceed_the_weight(gain: float, holds: bool) -> None:
    """Below M·g the pendulum creeps away, however much the momentum is damped."""
    assert (abs(swing(AnkleLaw(gain), (0.01, 0.0), 5.0)[0]) < 0.01) == holds


def test_bad_gains_are_refused() -> None:
    with pytest.raises(BadField, match="com_gain_mg"):
        AnkleLaw(-1.0)
    with pytest.raises(BadField, match="momentum_gain"):
        AnkleLaw(momentum_gain=float("nan"))
    with pytest.raises(BadField, match="sign"):
        AnkleLaw(sign="left")  # type: ignore[arg-type]
