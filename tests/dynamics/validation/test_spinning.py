"""The closed form of a spinning body, against another implementation and Euler's equations."""

import numpy as np
import pytest
from scipy.special import ellipj

from robotix.dynamics.validation.spinning import INERTIAS, RATES, _jacobi, _Solution


@pytest.mark.parametrize("m", [0.01, 0.5, 0.9, 0.999])
def test_elliptic_functions(m: float) -> None:
    for u in np.linspace(-20, 20, 41).tolist():
        np.testing.assert_allclose(_jacobi(u, m), ellipj(u, m)[:3], atol=1e-12)


def test_the_solution_obeys_the_equations_of_euler() -> None:
    solution, h = _Solution(*INERTIAS, RATES[0], RATES[2]), 1e-5
    inertia = np.array(INERTIAS)
    np.testing.assert_allclose(solution.rates(0.0), RATES)
    for time in np.linspace(0.0, 2.0, 21).tolist():
        w = solution.rates(time)
        change = (solution.rates(time + h) - solution.rates(time - h)) / (2 * h)
        torque = inertia * change + np.cross(w, inertia * w)
        np.testing.assert_allclose(torque, 0.0, atol=1e-5)
