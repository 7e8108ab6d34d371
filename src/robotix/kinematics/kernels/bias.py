"""Compiled velocities, and the bias accelerations J̇ dq (those while `ddq` is zero)."""

from __future__ import annotations

from robotix.kernels import inlined_part
from robotix.kinematics.kernels.rotation import cross, rotate, rotation_of
from robotix.kinematics.kernels.tables import COM, MASS


@inlined_part
def point_velocity(twist, x, y, z):
    """Linear and angular velocity of a point that moves with a spatial velocity."""
    c = cross(twist[3], twist[4], twist[5], x, y, z)
    return (
        (twist[0] + c[0], twist[1] + c[1], twist[2] + c[2]),
        (twist[3], twist[4], twist[5]),
    )


@inlined_part
def point_bias(twist, bias, x, y, z, v):
    """Acceleration of a point while `ddq` is zero: linear and angular part."""
    a = cross(bias[3], bias[4], bias[5], x, y, z)
    b = cross(twist[3], twist[4], twist[5], v[0], v[1], v[2])
    return (
        (bias[0] + a[0] + b[0], bias[1] + a[1] + b[1], bias[2] + a[2] + b[2]),
        (bias[3], bias[4], bias[5]),
    )


@inlined_part
def relative_motion(v_lin, v_ang, b_lin, b_ang, twist, bias, x, y, z):
    """Velocity and bias acceleration of a point as seen from a moving body."""
    u_lin, u_ang = point_velocity(twist, x, y, z)
    c_lin, c_ang = point_bias(twist, bias, x, y, z, u_lin)
    v = (v_lin[0] - u_lin[0], v_lin[1] - u_lin[1], v_lin[2] - u_lin[2])
    o = (v_ang[0] - u_ang[0], v_ang[1] - u_ang[1], v_ang[2] - u_ang[2])
    coriolis = cross(u_ang[0], u_ang[1], u_ang[2], v[0], v[1], v[2])
    turning = cross(u_ang[0], u_ang[1], u_ang[2], o[0], o[1], o[2])
    a = (
        b_lin[0] - c_lin[0] - 2 * coriolis[0],
        b_lin[1] - c_lin[1] - 2 * coriolis[1],
        b_lin[2] - c_lin[2] - 2 * coriolis[2],
    )
    return (
        v,
        o,
        a,
        (
            b_ang[0] - c_ang[0] - turning[0],
            b_ang[1] - c_ang[1] - turning[1],
            b_ang[2] - c_ang[2] - turning[2],
        ),
    )


@inlined_part
def com_motion(link_floats, world, twists, biases, mass):
    """Velocity and bias acceleration of the centre of mass."""
    v, b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for link in range(link_floats.shape[0]):
        f, row = link_floats[link], world[link]
        fraction = f[MASS] / mass if mass > 0.0 else 0.0
        at = rotate(rotation_of(row), f[COM], f[COM + 1], f[COM + 2])
        x, y, z = row[9] + at[0], row[10] + at[1], row[11] + at[2]
        u, _ = point_velocity(twists[link], x, y, z)
        a, _ = point_bias(twists[link], biases[link], x, y, z, u)
        v = (v[0] + fraction * u[0], v[1] + fraction * u[1], v[2] + fraction * u[2])
        b = (b[0] + fraction * a[0], b[1] + fraction * a[1], b[2] + fraction * a[2])
    return v, b
