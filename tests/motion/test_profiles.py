"""Time laws: ends, slopes, monotony, limits."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robotix.motion import Profile, profile_limits

durations = st.floats(1e-3, 1e3)
limits = st.floats(1e-2, 1e2)
REST_TO_REST = [
    Profile.minimum_jerk(2.0),
    Profile.cubic(2.0),
    Profile.quintic(2.0),
    Profile.trapezoid(rate=1.0, acceleration=3.0),
    Profile.trapezoid(rate=9.0, acceleration=3.0),
]
ALL = [
    *REST_TO_REST,
    Profile.linear(2.0),
    Profile.cubic(2.0, start_rate=0.7, end_rate=1.1),
    Profile.quintic(
        2.0, start_rate=0.7, end_rate=-0.2, start_acceleration=0.3, end_acceleration=-1.0
    ),
]


@pytest.mark.parametrize("profile", ALL)
def test_leads_from_0_to_1_and_rests_outside(profile: Profile) -> None:
    T = profile.duration
    assert profile.value([-1.0, 0.0, T, T + 1]).tolist() == [0.0, 0.0, 1.0, 1.0]
    assert profile.rate([-1e-9, T + 1e-9]).tolist() == [0.0, 0.0]
    assert profile.acceleration([-1e-9, T + 1e-9]).tolist() == [0.0, 0.0]
    np.testing.assert_allclose(profile.value([1e-12, T - 1e-12]), [0, 1], atol=1e-9)


@pytest.mark.parametrize("profile", ALL)
@settings(max_examples=25)
@given(part=st.floats(0.001, 0.999))
def test_rate_and_acceleration_are_slopes(profile: Profile, part: float) -> None:
    t, h = part * profile.duration, 1e-6
    joints = np.cumsum(profile.lengths)
    if abs(joints - t).min() < 2 * h:  # the acceleration jumps there
        return
    slope = (profile.value(t + h) - profile.value(t - h)) / (2 * h)
    bend = (profile.rate(t + h) - profile.rate(t - h)) / (2 * h)
    np.testing.assert_allclose(profile.rate(t), slope, atol=1e-8)
    np.testing.assert_allclose(profile.acceleration(t), bend, atol=1e-7)


@pytest.mark.parametrize("profile", [*REST_TO_REST, Profile.linear(2.0)])
def test_never_goes_back(profile: Profile) -> None:
    values = profile.value(np.linspace(0, profile.duration, 1001))
    assert (np.diff(values) > -1e-15).all()


@given(duration=durations, start=st.floats(0, 3), end=st.floats(0, 3))
def test_cubic_is_monotone_for_the_rates_it_promises(
    duration: float, start: float, end: float
) -> None:
    profile = Profile.cubic(duration, start_rate=start / duration, end_rate=end / duration)
    assert (np.diff(profile.value(np.linspace(0, duration, 200))) > -1e-12).all()


@pytest.mark.parametrize("profile", REST_TO_REST)
def test_starts_and_stops_at_rest(profile: Profile) -> None:
    np.testing.assert_allclose(profile.rate([0.0, profile.duration]), 0, atol=1e-12)


@given(
    duration=durations,
    m=st.floats(-3, 3),
    n=st.floats(-3, 3),
    a=st.floats(-3, 3),
    b=st.floats(-3, 3),
)
def test_quintic_meets_its_end_conditions(
    duration: float, m: float, n: float, a: float, b: float
) -> None:
    profile = Profile.quintic(
        duration, start_rate=m, end_rate=n, start_acceleration=a, end_acceleration=b
    )
    size = (1 + duration**-2) * (1 + duration**2) * 1e-12
    np.testing.assert_allclose(profile.rate([0, duration]), [m, n], atol=size)
    np.testing.assert_allclose(profile.acceleration([0, duration]), [a, b], atol=size)


def test_minimum_jerk_is_the_law_of_flash_and_hogan() -> None:
    """Flash and Hogan 1985, eq. 3: 10 w³ − 15 w⁴ + 6 w⁵, peak speed 15/8 of the mean."""
    profile, w = Profile.minimum_jerk(4.0), np.linspace(0, 1, 11)
    np.testing.assert_allclose(profile.value(4 * w), 10 * w**3 - 15 * w**4 + 6 * w**5, atol=1e-15)
    assert profile.peak_rate == pytest.approx(15 / 8 / 4, rel=1e-12)
    assert profile.peak_acceleration == pytest.approx(10 / math.sqrt(3) / 16, rel=1e-12)


@given(rate=limits, acceleration=limits)
def test_trapezoid_keeps_its_limits_and_uses_them(rate: float, acceleration: float) -> None:
    profile = Profile.trapezoid(rate=rate, acceleration=acceleration)
    assert profile.peak_rate <= rate * (1 + 1e-9)
    assert profile.peak_acceleration == pytest.approx(acceleration, rel=1e-6)
    triangle = rate**2 >= acceleration
    best = 2 / math.sqrt(acceleration) if triangle else 1 / rate + rate / acceleration
    assert profile.duration == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("profile", ALL)
@settings(max_examples=25)
@given(rate=limits, acceleration=limits)
def test_within_touches_the_tighter_limit(
    profile: Profile, rate: float, acceleration: float
) -> None:
    fast = profile.within(rate=rate, acceleration=acceleration)
    use = max(fast.peak_rate / rate, fast.peak_acceleration / acceleration)
    assert use == pytest.approx(1, rel=1e-9)
    samples = np.linspace(0, fast.duration, 301)
    assert abs(fast.rate(samples)).max() <= rate * (1 + 1e-9)
    assert abs(fast.acceleration(samples)).max() <= acceleration * (1 + 1e-9)


def test_one_infinite_limit_is_no_limit() -> None:
    assert Profile.trapezoid(rate=2.0, acceleration=math.inf).duration == 0.5
    assert Profile.trapezoid(rate=math.inf, acceleration=4.0).duration == 1.0


def test_profile_limits_follow_the_slowest_joint() -> None:
    rate, acceleration = profile_limits([1.0, -4.0, 0.0], velocity=[1, 2, 0], acceleration=8.0)
    assert (rate, acceleration) == (0.5, 2.0)
    assert profile_limits([0.0], velocity=[1], acceleration=[1]) == (math.inf, math.inf)


NO_PROFILES: dict[str, Callable[[], Profile]] = {
    "no time": lambda: Profile.linear(0.0),
    "unknown time": lambda: Profile.cubic(math.nan),
    "endless": lambda: Profile.minimum_jerk(math.inf),
    "backwards": lambda: Profile.cubic(-1.0),
    "no rate": lambda: Profile.trapezoid(rate=0.0, acceleration=1.0),
    "no limits": lambda: Profile.trapezoid(rate=math.inf, acceleration=math.inf),
    "unknown limit": lambda: Profile.linear(1.0).within(rate=math.nan, acceleration=1.0),
    "half way": lambda: Profile(np.array([1.0]), np.array([[0.0, 0.5]])),
    "a jump": lambda: Profile(np.array([1.0, 1.0]), np.array([[0.0, 0.5], [0.6, 0.4]])),
    "a missing row": lambda: Profile(np.array([1.0, 1.0]), np.array([[0.0, 1.0]])),
    "no pieces": lambda: Profile(np.array([]), np.zeros((0, 2))),
    "squeezed": lambda: Profile.linear(1.0).stretched(0.0),
}


@pytest.mark.parametrize("case", NO_PROFILES)
def test_refuses_what_is_no_profile(case: str) -> None:
    with pytest.raises(ValueError, match=r"profile|limit|piece"):
        NO_PROFILES[case]()
