import math

import numpy as np
import pytest

from robotix.experiments.measures.motion import (
    fitts_throughput,
    index_of_difficulty,
    log_dimensionless_jerk,
    path_length,
    spectral_arc_length,
    speeds_of,
    time_below,
)
from robotix.geometry import Array

DT = 0.01


def minimum_jerk(duration: float, dt: float = DT) -> Array:
    """Return the speed of a minimum-jerk movement over 1 m."""
    s = np.arange(0, duration + dt / 2, dt) / duration
    return np.asarray(30 * s**2 * (1 - s) ** 2 / duration)


def test_path_length_of_a_square_and_speed_of_a_line() -> None:
    assert path_length([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]]) == 4
    assert path_length([[1, 2, 3]]) == 0
    line = np.outer(np.arange(5) * 0.1, [3, 4, 0])
    np.testing.assert_allclose(speeds_of(line, 0.1), 5.0)
    with pytest.raises(ValueError, match="positive"):
        speeds_of(line, 0)


def test_minimum_jerk_has_the_known_dimensionless_jerk() -> None:
    # ∫ |d²v/dt²|² dt = 720 / T⁵ for 1 m in T, and v_max = 15 / (8 T): 720 · (8 / 15)² = 204.8.
    value = log_dimensionless_jerk(minimum_jerk(1.0, 1e-3), 1e-3)
    assert value == pytest.approx(-math.log(204.8), abs=0.02)


def test_smoothness_depends_on_shape_and_not_on_size() -> None:
    smooth = minimum_jerk(1.0)
    twice = np.concatenate([smooth, np.zeros(20), smooth])
    for measure in (spectral_arc_length, log_dimensionless_jerk):
        one, scaled, two = measure(smooth, DT), measure(3 * smooth, DT), measure(twice, DT)
        assert one is not None and two is not None
        assert one == pytest.approx(scaled)
        assert two < one < 0


def test_sparc_of_one_movement_is_near_its_published_value() -> None:
    # -1.4 to -1.6 for a single submovement, whatever its duration.
    values = [spectral_arc_length(minimum_jerk(T), DT) for T in (0.5, 1.0, 2.0)]
    assert all(value is not None and -1.6 < value < -1.3 for value in values)


def test_without_motion_there_is_no_smoothness() -> None:
    assert spectral_arc_length(np.zeros(100), DT) is None
    assert log_dimensionless_jerk(np.zeros(100), DT) is None
    assert log_dimensionless_jerk([1.0, 1.0], DT) is None


def test_throughput_is_difficulty_over_time() -> None:
    assert index_of_difficulty(0.7, 0.1) == pytest.approx(3.0)
    assert fitts_throughput([0.7, 0.3], 0.1, [1.5, 1.0]) == pytest.approx(2.0)
    assert fitts_throughput(0.7, 0.1, 0.0) is None
    with pytest.raises(ValueError, match="no difficulty"):
        index_of_difficulty(1.0, 0.0)


def test_time_below_counts_samples() -> None:
    assert time_below([0.1, 0.01, 0.02, 0.3], 0.05, 0.1) == pytest.approx(0.2)
