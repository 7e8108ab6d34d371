"""Virtual environments, compiled: the wrench f_r that is subtracted from the hand's.

f_r = K(x) x + B(x, ẋ) ẋ is summed over all elements that are touched. Solids push only, and damp
only on the way in.
"""

from __future__ import annotations

import math

from robotix.geometry import Array
from robotix.haptics.loop.layout import (
    BALL,
    BALL_SOLID,
    BOX,
    COUPLED_MASS,
    DAMPING,
    DAMPING_ZONE,
    DRY_FRICTION,
    FIRST,
    FREE_DAMPING,
    GIVEN_WRENCH,
    HYSTERESIS,
    KIND,
    LENGTH,
    MEMORY,
    PLANE,
    RUBBER_BAND,
    SECOND,
    SPRING,
    SPRING_ZONE,
    STIFFNESS,
    TURN_SPRING,
)
from robotix.kernels import part
from robotix.kinematics.kernels.rotation import log_map, multiply, rotation_of, transpose

__all__ = ["put_rendered"]


@part
def is_within(e: Array, x: Array) -> bool:
    """Whether a point lies in the box between the two corners of an element."""
    for i in range(3):
        if x[i] < e[FIRST + i] or x[i] > e[SECOND + i]:
            return False
    return True


@part
def push_out(e: Array, depth: float, n: tuple[float, float, float], v: Array, f: Array) -> float:
    """Subtract the push of a solid along its normal; return how deep the handle is in it."""
    is_inside = depth > (-e[HYSTERESIS] if e[MEMORY] > 0.0 else 0.0)
    e[MEMORY] = 1.0 if is_inside else 0.0
    if not is_inside:
        return 0.0
    rate = -(n[0] * v[0] + n[1] * v[1] + n[2] * v[2])
    force = e[STIFFNESS] * depth
    if rate > 0.0:
        force += e[DAMPING] * rate
    force = max(force, 0.0)
    for i in range(3):
        f[i] -= force * n[i]
    return max(depth, 0.0)


@part
def touch_box(e: Array, x: Array, v: Array, f: Array) -> float:
    """Touch a box with a ball: from outside at its nearest point, from inside at a face."""
    dx, dy, dz, nearest, face = 0.0, 0.0, 0.0, math.inf, 0
    for i in range(3):
        low, high = e[FIRST + i] - x[i], x[i] - e[SECOND + i]
        out = -low if low > 0.0 else (high if high > 0.0 else 0.0)
        if i == 0:
            dx = out
        elif i == 1:
            dy = out
        else:
            dz = out
        if -low < nearest:
            nearest, face = -low, 2 * i
        if -high < nearest:
            nearest, face = -high, 2 * i + 1
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    if distance > 0.0:
        n = (dx / distance, dy / distance, dz / distance)
        return push_out(e, e[BALL] - distance, n, v, f)
    sign = 1.0 if face % 2 else -1.0
    axis = face // 2
    n = (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)
    return push_out(e, e[BALL] + nearest, n, v, f)


@part
def pull(e: Array, x: Array, v: Array, f: Array) -> None:
    """Add a spring to the first point, slack up to its length."""
    dx, dy, dz = x[0] - e[FIRST], x[1] - e[FIRST + 1], x[2] - e[FIRST + 2]
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    if distance <= e[LENGTH]:
        if e[KIND] == SPRING:
            for i in range(3):
                f[i] += e[DAMPING] * v[i]
        return
    share = e[STIFFNESS] * (distance - e[LENGTH]) / distance
    f[0] += share * dx + e[DAMPING] * v[0]
    f[1] += share * dy + e[DAMPING] * v[1]
    f[2] += share * dz + e[DAMPING] * v[2]


@part
def drag(e: Array, v: Array, dt: float, f: Array) -> None:
    """Add dry friction: a bristle that bends with the motion, and slips at the force LENGTH."""
    bent = 0.0
    for i in range(3):
        e[MEMORY + i] += v[i] * dt
        bent += e[MEMORY + i] ** 2
    force = e[STIFFNESS] * math.sqrt(bent)
    share = e[LENGTH] / force if force > e[LENGTH] else 1.0
    for i in range(3):
        e[MEMORY + i] *= share
        f[i] += e[STIFFNESS] * e[MEMORY + i] + e[DAMPING] * v[i]


@part
def carry(e: Array, x: Array, v: Array, dt: float, f: Array) -> None:
    """Add a mass of LENGTH kg on a spring and damper; its place and velocity are remembered."""
    for i in range(3):
        force = e[STIFFNESS] * (x[i] - e[MEMORY + i]) + e[DAMPING] * (v[i] - e[MEMORY + 3 + i])
        e[MEMORY + 3 + i] += dt * force / e[LENGTH]
        e[MEMORY + i] += dt * e[MEMORY + 3 + i]
        f[i] += force


@part
def put_rendered(elements: Array, x: Array, R: Array, v: Array, dt: float, f: Array) -> float:
    """Write f_r, (6,), for a pose and twist of the handle; return the deepest penetration."""
    f[:] = 0.0
    deepest = 0.0
    for row in range(elements.shape[0]):
        e = elements[row]
        kind = e[KIND]
        if kind == FREE_DAMPING or (kind == DAMPING_ZONE and is_within(e, x)):
            for i in range(3):
                f[i] += e[DAMPING] * v[i]
        elif kind == PLANE:
            n = (e[FIRST], e[FIRST + 1], e[FIRST + 2])
            depth = e[LENGTH] + e[BALL] - (n[0] * x[0] + n[1] * x[1] + n[2] * x[2])
            deepest = max(deepest, push_out(e, depth, n, v, f))
        elif kind == BOX:
            deepest = max(deepest, touch_box(e, x, v, f))
        elif kind == BALL_SOLID:
            dx, dy, dz = x[0] - e[FIRST], x[1] - e[FIRST + 1], x[2] - e[FIRST + 2]
            distance = max(math.sqrt(dx * dx + dy * dy + dz * dz), 1e-12)
            n = (dx / distance, dy / distance, dz / distance)
            deepest = max(deepest, push_out(e, e[LENGTH] + e[BALL] - distance, n, v, f))
        elif kind == SPRING or kind == RUBBER_BAND:
            pull(e, x, v, f)
        elif kind == SPRING_ZONE and is_within(e, x):
            for i in range(3):
                middle = 0.5 * (e[FIRST + i] + e[SECOND + i])
                f[i] += e[STIFFNESS] * (x[i] - middle) + e[DAMPING] * v[i]
        elif kind == DRY_FRICTION:
            drag(e, v, dt, f)
        elif kind == COUPLED_MASS:
            carry(e, x, v, dt, f)
        elif kind == GIVEN_WRENCH:
            for i in range(6):
                f[i] += e[MEMORY + i]
        elif kind == TURN_SPRING:
            wanted = rotation_of(e[FIRST : FIRST + 9])
            turn = log_map(multiply(rotation_of(R), transpose(wanted)))
            for i in range(3):
                f[3 + i] += e[STIFFNESS] * turn[i] + e[DAMPING] * v[3 + i]
    return deepest
