"""Motions: postures over time with named coordinates, and operations on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.model import Model
from robotix.motion.coordinates import (
    Dof,
    blended,
    check_dofs,
    model_dofs,
    moved,
    rotation_vector_starts,
    step_between,
)

__all__ = ["LimitBreach", "Marker", "Motion", "check_time"]

MAX_TIME = 1e10  # s; later times do not fit the files' nanosecond clock
LimitKind: TypeAlias = Literal["position", "velocity", "acceleration"]
ROUNDING: dict[LimitKind, float] = {"position": 1e-9, "velocity": 1e-6, "acceleration": 1e-6}


class Marker(NamedTuple):
    """A named time of a motion."""

    time: float  # s
    label: str


class LimitBreach(NamedTuple):
    """A violation of a joint limit by a motion."""

    joint: str
    what: LimitKind
    time: float  # s
    value: float
    limit: float

    def __str__(self) -> str:
        found, limit = f"{self.what} {self.value:.6g}", f"{self.limit:.6g}"
        return f"{found} of {self.joint!r} at {self.time:.6g} s, limit {limit}"


def check_time(time: float, *, last: float | None) -> None:
    """Raise ValueError unless a time is later than the last one, and at most MAX_TIME."""
    if not 0 <= time < MAX_TIME or (last is not None and time <= last):
        after = "" if last is None else f" after {last!r} s"
        raise ValueError(f"time {time!r} s is not between 0 and {MAX_TIME:g} s{after}")


@dataclass(frozen=True, eq=False)
class Motion:
    """Postures over time: row `i` of `q` is the posture at `times[i]`. It has one row or more.

    Between rows it is interpolated linearly ("linear"), or by monotone cubics that never overshoot
    ("cubic"); before and after it is constant. A floating root takes the shorter rotation.

    Examples:
        >>> model = rx.load("planar_3r")
        >>> motion = rx.Motion.of(model, [0.0, 2.0], q=[[0, 0, 0], [0.4, 0, 0]])
        >>> float(motion.at(1.0)[0])
        0.2
    """

    dofs: tuple[Dof, ...]
    times: Array  # (k,), s, increasing, from 0 or later
    q: Array  # (k, n), rad and m
    markers: tuple[Marker, ...] = ()

    def __post_init__(self) -> None:
        dofs = tuple(Dof(*dof) for dof in self.dofs)
        check_dofs(dofs)
        times, q = np.array(self.times, dtype=float), np.array(self.q, dtype=float)
        if times.ndim != 1 or not len(times):
            raise ValueError(f"a motion needs a row of times, got {self.times!r}")
        if q.shape != (len(times), len(dofs)):
            raise ValueError(f"q must be {len(times)} rows of {len(dofs)} joints, got {q.shape}")
        if not (np.diff(times) > 0).all() or not (0 <= times[0] and times[-1] < MAX_TIME):
            raise ValueError(
                "times must increase, from 0 s or later; use a Recorder to collect them"
            )
        if not np.isfinite(q).all():
            row, column = np.argwhere(~np.isfinite(q))[0]
            raise ValueError(f"{dofs[column].name!r} is {q[row, column]} at {times[row]} s")
        markers = tuple(sorted(Marker(float(time), label) for time, label in self.markers))
        for marker in markers:
            if not 0 <= marker.time < MAX_TIME or not marker.label.isprintable():
                raise ValueError(f"{marker} needs a time from 0 s on and one line of text")
        times.flags.writeable = q.flags.writeable = False
        whole = {"dofs": dofs, "times": times, "q": q, "markers": markers}
        for name, value in whole.items():
            object.__setattr__(self, name, value)

    @staticmethod
    def of(
        model: Model, times: ArrayLike, *, q: ArrayLike, markers: Sequence[Marker] = ()
    ) -> Motion:
        """Return a motion with the coordinates of a model."""
        rows = np.asarray(q, dtype=float)
        return Motion(model_dofs(model), np.asarray(times, dtype=float), rows, tuple(markers))

    # -- reading it -------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return tuple(dof.name for dof in self.dofs)

    @property
    def duration(self) -> float:
        """Time from the first row to the last, in s."""
        return float(self.times[-1] - self.times[0])

    def at(self, t: float, *, method: Literal["linear", "cubic"] = "linear") -> Array:
        """Posture at time `t`, (n,)."""
        i = int(np.searchsorted(self.times, t, side="right")) - 1
        if i < 0 or i >= len(self.times) - 1 or t == self.times[i]:
            return np.array(self.q[max(i, 0)])
        h = self.times[i + 1] - self.times[i]
        w = float((t - self.times[i]) / h)
        if method == "linear":
            return blended(self.dofs, self.q[i], end=self.q[i + 1], part=w)
        # Bézier form by repeated blending, which also works on rotations [Shoemake1985]
        leave, arrive = self._slopes[i : i + 2] * (h / 3)
        points = [
            self.q[i],
            moved(self.dofs, self.q[i], step=leave),
            moved(self.dofs, self.q[i + 1], step=-arrive),
            self.q[i + 1],
        ]
        while len(points) > 1:
            points = [blended(self.dofs, a, end=b, part=w) for a, b in pairwise(points)]
        return np.asarray(points[0])

    @cached_property
    def velocities(self) -> Array:
        """Joint velocities at the rows, (k, n), from the rows around; rotations as in a twist."""
        rates, h = self._rates, np.diff(self.times)[:, None]
        if not len(rates):
            return np.zeros_like(self.q)
        middle = (h[1:] * rates[:-1] + h[:-1] * rates[1:]) / (h[1:] + h[:-1])
        velocities = np.concatenate([rates[:1], middle, rates[-1:]])
        velocities.flags.writeable = False
        return velocities

    # -- making new motions -----------------------------------------------------------------

    def shifted(self, seconds: float) -> Motion:
        """Return this motion with all times shifted by some seconds."""
        markers = tuple(Marker(time + seconds, label) for time, label in self.markers)
        return replace(self, times=self.times + seconds, markers=markers)

    def joined(self, later: Motion) -> Motion:
        """Return this motion and a later one concatenated, with unchanged times."""
        if later.dofs != self.dofs:
            raise ValueError(f"motions of different joints: {self.names} and {later.names}")
        if not later.times[0] > self.times[-1]:
            start, end = later.times[0], self.times[-1]
            raise ValueError(f"a motion from {start} s cannot follow one to {end} s; shift it")
        return Motion(
            self.dofs,
            np.concatenate([self.times, later.times]),
            np.concatenate([self.q, later.q]),
            self.markers + later.markers,
        )

    def then(self, other: Motion, *, gap: float = 0.0) -> Motion:
        """Return this motion followed by another one, `gap` seconds after its last row.

        Without a gap the other must begin where this one ends.
        """
        later = other.shifted(float(self.times[-1] - other.times[0] + gap))
        if gap != 0 or later.dofs != self.dofs:
            return self.joined(later)
        jump = abs(step_between(self.dofs, self.q[-1], end=other.q[0]))
        if jump.max() > 1e-9:
            name = self.names[int(jump.argmax())]
            raise ValueError(f"{name!r} jumps by {jump.max():.3g} between motions; give a gap")
        if len(later.times) == 1:
            return replace(self, markers=self.markers + later.markers)
        return self.joined(replace(later, times=later.times[1:], q=later.q[1:]))

    def resampled(self, dt: float, *, method: Literal["linear", "cubic"] = "linear") -> Motion:
        """Return this motion with a row every `dt` seconds, and at its end."""
        if not dt > 0:
            raise ValueError(f"dt must be positive, got {dt}")
        times = self.times[0] + dt * np.arange(int(np.ceil(self.duration / dt - 1e-9)))
        times = np.append(times, self.times[-1])
        q = np.array([self.at(float(t), method=method) for t in times])
        return Motion(self.dofs, times, q, self.markers)

    # -- checking ---------------------------------------------------------------------------

    def check_model(self, model: Model) -> None:
        """Raise ValueError unless the model has the motion's coordinates, in the same order."""
        expected = model_dofs(model)
        if self.dofs == expected:
            return
        missing = [dof.name for dof in expected if dof not in self.dofs]
        extra = [dof.name for dof in self.dofs if dof not in expected]
        raise ValueError(
            f"the motion does not fit model {model.name!r}: "
            + (f"it lacks {', '.join(missing)}; " if missing else "")
            + (f"the model lacks {', '.join(extra)}; " if extra else "")
            + f"the model's joints are {', '.join(model.dof_names)}"
        )

    def limit_breaches(self, model: Model) -> tuple[LimitBreach, ...]:
        """Return the worst violation per joint and limit: position, velocity, acceleration."""
        self.check_model(model)
        between = (self.times[:-1] + self.times[1:]) / 2
        bends = np.diff(self._rates, axis=0) / np.diff(between)[:, None]
        fast, strong = model.velocity, model.acceleration
        return (
            *self._breaches("position", self.times, self.q, (model.lower, model.upper)),
            *self._breaches("velocity", between, self._rates, (-fast, fast)),
            *self._breaches("acceleration", self.times[1:-1], bends, (-strong, strong)),
        )

    def check_limits(self, model: Model) -> None:
        """Raise ValueError if the motion violates limits of the model; lists joints and times."""
        breaches = self.limit_breaches(model)
        if breaches:
            raise ValueError("; ".join(map(str, breaches)))

    # -- inside -----------------------------------------------------------------------------

    @cached_property
    def _rates(self) -> Array:
        """Mean velocities between rows, (k - 1, n)."""
        steps = [step_between(self.dofs, a, end=b) for a, b in pairwise(self.q)]
        return np.reshape(steps, (-1, len(self.dofs))) / np.diff(self.times)[:, None]

    @cached_property
    def _slopes(self) -> Array:
        """Velocities at the rows, limited so that each cubic stays between its two rows.

        At most three times the smaller mean velocity of the neighbouring intervals [Fritsch1980];
        for rotations at most that velocity itself.
        """
        before, after = abs(self._rates[:-1]), abs(self._rates[1:])
        turning_back = self._rates[:-1] * self._rates[1:] <= 0
        most = np.where(turning_back, 0.0, 3 * np.minimum(before, after))
        middle = self.velocities[1:-1]
        slopes = self.velocities.copy()
        slopes[1:-1] = np.clip(middle, -most, most)
        for i in rotation_vector_starts(self.dofs):
            rotation = middle[:, i : i + 3]
            lengths = [np.linalg.norm(x[:, i : i + 3], axis=1) for x in (before, after, middle)]
            part = np.minimum(lengths[0], lengths[1]) / np.maximum(lengths[2], 1e-300)
            slopes[1:-1, i : i + 3] = rotation * np.minimum(part, 1.0)[:, None]
        return slopes

    def _breaches(
        self, what: LimitKind, times: Array, values: Array, limits: tuple[Array, Array]
    ) -> list[LimitBreach]:
        if not len(times):
            return []
        excess = np.maximum(limits[0] - values, values - limits[1])  # (rows, n)
        breaches = []
        for j, row in enumerate(excess.argmax(axis=0)):
            value = float(values[row, j])
            limit = float(limits[0][j] if value < limits[0][j] else limits[1][j])
            if excess[row, j] > ROUNDING[what] * max(1.0, abs(limit)):
                breaches.append(LimitBreach(self.names[j], what, float(times[row]), value, limit))
        return breaches
