"""Time laws s(t) of a move, from 0 (start) to 1 (end).

A profile is a piecewise polynomial, so every law below is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import ArrayLike

from robotix.geometry import Array

__all__ = ["Profile", "profile_limits"]


@dataclass(frozen=True, eq=False)
class Profile:
    """Scalar time law `s(t)`; it rests at 0 before its start and at 1 after its end.

    Within a piece `s = Σ coefficients[i, j] wʲ`, with `w` going from 0 to 1 in `lengths[i]`
    seconds. Times may be arrays.
    """

    lengths: Array  # (k,), s
    coefficients: Array  # (k, degree + 1)

    def __post_init__(self) -> None:
        lengths = np.array(self.lengths, dtype=float)
        coefficients = np.array(self.coefficients, dtype=float)
        if lengths.ndim != 1 or not len(lengths) or not np.isfinite(lengths.sum()):
            raise ValueError(f"a profile needs pieces of finite length, got {self.lengths!r}")
        if not (lengths > 0).all():
            raise ValueError(f"a profile must last longer than 0 s, got {self.lengths!r}")
        if coefficients.ndim != 2 or len(coefficients) != len(lengths):
            raise ValueError(f"{len(lengths)} pieces need as many rows of coefficients")
        ends = np.array([[0.0, *coefficients.sum(axis=1)], [*coefficients[:, 0], 1.0]])
        if not np.allclose(ends[0], ends[1], rtol=0, atol=1e-9):
            raise ValueError("the pieces of a profile must join up and lead from 0 to 1")
        lengths.flags.writeable = coefficients.flags.writeable = False
        object.__setattr__(self, "lengths", lengths)
        object.__setattr__(self, "coefficients", coefficients)

    # -- the laws ---------------------------------------------------------------------------

    @staticmethod
    def linear(duration: float) -> Profile:
        """Constant rate, with jumps of the rate at both ends."""
        return Profile(np.array([duration]), np.array([[0.0, 1.0]]))

    @staticmethod
    def cubic(duration: float, *, start_rate: float = 0.0, end_rate: float = 0.0) -> Profile:
        """Cubic with given rates at both ends; monotone if both are in [0, 3/T]."""
        m, n = start_rate * duration, end_rate * duration
        return Profile(np.array([duration]), np.array([[0.0, m, 3 - 2 * m - n, m + n - 2]]))

    @staticmethod
    def quintic(
        duration: float,
        *,
        start_rate: float = 0.0,
        end_rate: float = 0.0,
        start_acceleration: float = 0.0,
        end_acceleration: float = 0.0,
    ) -> Profile:
        """Quintic with given rates and accelerations at both ends."""
        m, n = start_rate * duration, end_rate * duration
        a, b = start_acceleration * duration**2, end_acceleration * duration**2
        c3 = 10 - 6 * m - 4 * n - (3 * a - b) / 2
        c4 = -15 + 8 * m + 7 * n + (3 * a - 2 * b) / 2
        c5 = 6 - 3 * (m + n) - (a - b) / 2
        return Profile(np.array([duration]), np.array([[0.0, m, a / 2, c3, c4, c5]]))

    @staticmethod
    def minimum_jerk(duration: float) -> Profile:
        """Minimum-jerk move from rest to rest, a model of human reaching [Flash1985]."""
        return Profile.quintic(duration)

    @staticmethod
    def trapezoid(*, rate: float, acceleration: float) -> Profile:
        """Fastest move from rest to rest within limits on rate and acceleration of `s`."""
        _check_limits(rate, acceleration)
        if math.isinf(acceleration):
            return Profile.linear(1 / rate)
        ramp = 0.5 * min(1.0, rate * rate / acceleration)  # distance while accelerating
        ramp_time = math.sqrt(2 * ramp / acceleration)
        up, down = [0.0, 0.0, ramp], [1 - ramp, 2 * ramp, -ramp]
        if ramp == 0.5:
            return Profile(np.array([ramp_time, ramp_time]), np.array([up, down]))
        cruise = 1 - 2 * ramp
        lengths = np.array([ramp_time, cruise / rate, ramp_time])
        return Profile(lengths, np.array([up, [ramp, cruise, 0.0], down]))

    # -- reading it -------------------------------------------------------------------------

    @property
    def duration(self) -> float:
        """Time from start to end, in s."""
        return float(self._starts[-1])

    def value(self, t: ArrayLike) -> Array:
        """`s` at time `t`."""
        time = np.asarray(t, dtype=float)
        inside = np.where(time >= self.duration, 1.0, self._evaluate(time, order=0))
        return np.where(time <= 0, 0.0, inside)

    def rate(self, t: ArrayLike) -> Array:
        """ds/dt at time `t`, in 1/s."""
        return self._evaluate(np.asarray(t, dtype=float), order=1)

    def acceleration(self, t: ArrayLike) -> Array:
        """d²s/dt² at time `t`, in 1/s²."""
        return self._evaluate(np.asarray(t, dtype=float), order=2)

    @cached_property
    def peak_rate(self) -> float:
        """Largest |ds/dt|."""
        return self._peak(1)

    @cached_property
    def peak_acceleration(self) -> float:
        """Largest |d²s/dt²| within the pieces; jumps of the rate between pieces are ignored."""
        return self._peak(2)

    # -- other speeds -----------------------------------------------------------------------

    def stretched(self, duration: float) -> Profile:
        """Return the same law over another duration."""
        return Profile(self.lengths * (duration / self.duration), self.coefficients)

    def within(self, *, rate: float, acceleration: float) -> Profile:
        """Return the same law, as short as limits on rate and acceleration of `s` allow."""
        _check_limits(rate, acceleration)
        unit = self.stretched(1.0)
        return self.stretched(
            max(unit.peak_rate / rate, math.sqrt(unit.peak_acceleration / acceleration))
        )

    # -- inside -----------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> Array:
        return np.concatenate([[0.0], np.cumsum(self.lengths)])  # one more: the end

    @cached_property
    def _derivatives(self) -> tuple[Array, Array, Array]:
        """Coefficients of s, ds/dt and d²s/dt² in each piece."""
        rows = [self.coefficients]
        for _ in range(2):
            powers = np.arange(1, rows[-1].shape[1])
            lower = rows[-1][:, 1:] * powers / self.lengths[:, None]
            rows.append(lower if lower.shape[1] else np.zeros((len(lower), 1)))
        return rows[0], rows[1], rows[2]

    def _evaluate(self, time: Array, *, order: int) -> Array:
        inside = np.clip(time, 0.0, self.duration)
        piece = np.searchsorted(self._starts[1:-1], inside, side="right")
        w = (inside - self._starts[piece]) / self.lengths[piece]
        rows = self._derivatives[order][piece]
        result = rows[..., -1]
        for power in range(rows.shape[-1] - 2, -1, -1):
            result = result * w + rows[..., power]
        return np.asarray(np.where(inside == time, result, 0.0))

    def _peak(self, order: int) -> float:
        best = 0.0
        for row in self._derivatives[order]:
            law = Polynomial(row)
            roots = law.deriv().trim().roots()
            extrema = roots.real[(abs(roots.imag) < 1e-9) & (roots.real > 0) & (roots.real < 1)]
            best = max(best, float(abs(law(np.array([0.0, 1.0, *extrema]))).max()))
        return best


def _check_limits(rate: float, acceleration: float) -> None:
    if not (rate > 0 and acceleration > 0):
        raise ValueError(f"limits must be positive, got rate {rate}, acceleration {acceleration}")
    if math.isinf(rate) and math.isinf(acceleration):
        raise ValueError("without a limit on rate or acceleration, give a profile with a duration")


def profile_limits(
    delta: ArrayLike, *, velocity: ArrayLike, acceleration: ArrayLike
) -> tuple[float, float]:
    """Return the limits on rate and acceleration of `s` when joints move together by `s · delta`.

    `Profile.trapezoid` with these is the time-optimal straight joint move. Both are infinite when
    nothing moves.
    """
    distance = abs(np.asarray(delta, dtype=float))
    moving = distance > 0
    limits = np.array([np.broadcast_to(x, distance.shape) for x in (velocity, acceleration)])
    with np.errstate(over="ignore"):  # the quotient of a tiny move overflows: no limit
        rates, gains = limits[:, moving] / distance[moving]
    return float(rates.min(initial=math.inf)), float(gains.min(initial=math.inf))
