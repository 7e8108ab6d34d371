"""Compiled rows of the tasks: errors, reference velocities and Jacobians, stacked.

First order drives a task with error e, Jacobian J, gain K and target velocity ẋ towards

    J dq = ẋ + K e,                        K e shortened to the largest speed,

second order with the stiffness K² and the damping D = 2 ζ K towards

    J ddq = ẍ + K² e + D (ẋ − J dq) − J̇ dq.

All rows are multiplied with √weight. A task is a row of integers and a row of floats; their columns
are named below. Rows of one level are contiguous, levels in order of priority.
"""

from __future__ import annotations

import math

from robotix.kernels import fast_part, inlined_part, merged_part
from robotix.kinematics.kernels.bias import (
    com_motion,
    point_bias,
    point_velocity,
    relative_motion,
)
from robotix.kinematics.kernels.forward import add_jacobian, put_point_pose
from robotix.kinematics.kernels.mass import add_com_jacobian, centre_of_mass, subtree_moments
from robotix.kinematics.kernels.rotation import (
    cross,
    exp_map,
    log_map,
    multiply,
    rotate,
    rotation_of,
    transpose,
)
from robotix.kinematics.kernels.tables import DOF, FLOATING, KIND

# Kinds of task.
POINT, RELATIVE, CENTRE, POSTURE, EXTERNAL = range(5)
# Columns of the integers. MASK: bits 0-2 the linear axes, bits 3-5 the angular ones. SLOT: row of
# its target. IS_PLAIN: its axes are those of the base frame, and its point does not slide.
TASK_KIND, LINK, LINK2, ROW, N_ROWS, MASK, SLOT, IS_PLAIN = range(8)
N_TASK_INTS = 8
# Columns of the floats.
POINT_OFFSET, POINT_OFFSET2, AXES = 0, 12, 24
TARGET_VELOCITY, TARGET_ACCELERATION, SLIDE_VELOCITY = 33, 39, 45
GAIN, GAIN_ANGULAR, SQRT_WEIGHT, SQRT_WEIGHT_ANGULAR, RATE_GAIN, RATE_GAIN_ANGULAR = range(48, 54)
MAX_SPEED, MAX_SPEED_ANGULAR = 54, 55  # largest corrective speed, or acceleration in second order
AXIS_ROOTS = 56  # square roots of the weights of the six axes, times those of the task
N_TASK_FLOATS = 62


@inlined_part
def limit_length(scale, x, y, z, max_length):
    """Return `scale * (x, y, z)`, shortened to `max_length` if longer."""
    length = scale * math.sqrt(x * x + y * y + z * z)
    if length > max_length:
        scale *= max_length / length
    return scale * x, scale * y, scale * z


@inlined_part
def along_axes(axes, bits, x, y, z):
    """Return the projection of a vector onto the chosen axes."""
    out = (0.0, 0.0, 0.0)
    for i in range(3):
        if (bits >> i) & 1:
            a, b, c = axes[i], axes[3 + i], axes[6 + i]
            s = a * x + b * y + c * z
            out = (out[0] + s * a, out[1] + s * b, out[2] + s * c)
    return out


@inlined_part
def put_rows(J6, linear, angular, v_linear, v_angular, axes, mask, f, row, A, error, velocity):
    """Write the chosen rows of a 6-row task, along its axes and scaled by its weights."""
    n = A.shape[1]
    for part in range(2):
        e = linear if part == 0 else angular
        v = v_linear if part == 0 else v_angular
        for i in range(3):
            if not (mask >> (3 * part + i)) & 1:
                continue
            root = f[SQRT_WEIGHT + part] * f[AXIS_ROOTS + 3 * part + i]
            x, y, z = root * axes[i], root * axes[3 + i], root * axes[6 + i]
            error[row] = x * e[0] + y * e[1] + z * e[2]
            velocity[row] = x * v[0] + y * v[1] + z * v[2]
            k = 3 * part
            for j in range(n):
                A[row, j] = x * J6[k, j] + y * J6[k + 1, j] + z * J6[k + 2, j]
            row += 1


@inlined_part
def reference(f, e, gain, most, feed):
    """First-order reference: target velocity plus gain times error."""
    c = limit_length(f[gain], e[0], e[1], e[2], most)
    return f[feed] + c[0], f[feed + 1] + c[1], f[feed + 2] + c[2]


@inlined_part
def reference2(f, e, v, bias, gain, rate_gain, most, feed, feed2):
    """Second-order reference: acceleration from error, velocity error and bias J̇ dq."""
    c = limit_length(f[gain], e[0], e[1], e[2], most)
    k = f[rate_gain]
    return (
        f[feed2] + c[0] + k * (f[feed] - v[0]) - bias[0],
        f[feed2 + 1] + c[1] + k * (f[feed + 1] - v[1]) - bias[1],
        f[feed2 + 2] + c[2] + k * (f[feed + 2] - v[2]) - bias[2],
    )


@inlined_part
def references(f, e, w, v_lin, v_ang, b_lin, b_ang, order):
    """Linear and angular reference of a 6-row task, of first or second order."""
    if order == 1:
        return (
            reference(f, e, GAIN, f[MAX_SPEED], TARGET_VELOCITY),
            reference(f, w, GAIN_ANGULAR, f[MAX_SPEED_ANGULAR], TARGET_VELOCITY + 3),
        )
    linear = reference2(
        f, e, v_lin, b_lin, GAIN, RATE_GAIN, f[MAX_SPEED], TARGET_VELOCITY, TARGET_ACCELERATION
    )
    angular = reference2(
        f, w, v_ang, b_ang, GAIN_ANGULAR, RATE_GAIN_ANGULAR, f[MAX_SPEED_ANGULAR],
        TARGET_VELOCITY + 3, TARGET_ACCELERATION + 3,
    )  # fmt: skip
    return linear, angular


@inlined_part
def zero_rows(A, first, count):
    """Clear rows."""
    for i in range(first, first + count):
        row = A[i]
        for j in range(A.shape[1]):
            row[j] = 0.0


@merged_part
def plain_rows(
    ints, f, target, target_rotation, column_dof, column_ratio, support, world, columns, A, error,
    velocity,
):  # fmt: skip
    """Rows of a point, orientation or pose along the base frame's axes: the most common case."""
    link, row, mask = ints[LINK], ints[ROW], ints[MASK]
    body = world[link]
    outer = rotation_of(body)
    at = rotate(outer, f[POINT_OFFSET + 9], f[POINT_OFFSET + 10], f[POINT_OFFSET + 11])
    x, y, z = at[0] + body[9], at[1] + body[10], at[2] + body[11]
    zero_rows(A, row, ints[N_ROWS])
    if mask & 7:
        root = f[SQRT_WEIGHT]
        put_errors(
            f, (target[0] - x, target[1] - y, target[2] - z), GAIN, MAX_SPEED, TARGET_VELOCITY,
            root, row, error, velocity,
        )  # fmt: skip
        for index in range(len(support)):
            c = support[index]
            j, scale = column_dof[c], root * column_ratio[c]
            ax, ay, az = columns[c, 3], columns[c, 4], columns[c, 5]
            A[row, j] += scale * (columns[c, 0] + ay * z - az * y)
            A[row + 1, j] += scale * (columns[c, 1] + az * x - ax * z)
            A[row + 2, j] += scale * (columns[c, 2] + ax * y - ay * x)
        row += 3
    if mask >> 3:
        root = f[SQRT_WEIGHT_ANGULAR]
        R = multiply(outer, rotation_of(f[POINT_OFFSET:]))
        w = log_map(multiply(rotation_of(target_rotation), transpose(R)))
        put_errors(
            f, w, GAIN_ANGULAR, MAX_SPEED_ANGULAR, TARGET_VELOCITY + 3, root, row, error, velocity
        )
        for index in range(len(support)):
            c = support[index]
            j, scale = column_dof[c], root * column_ratio[c]
            A[row, j] += scale * columns[c, 3]
            A[row + 1, j] += scale * columns[c, 4]
            A[row + 2, j] += scale * columns[c, 5]


@inlined_part
def put_errors(f, e, gain, speed, feed, root, row, error, velocity):
    """Write three errors and first-order references, scaled."""
    v = reference(f, e, gain, f[speed], feed)
    for i in range(3):
        error[row + i] = root * e[i]
        velocity[row + i] = root * v[i]


@inlined_part
def support_of(support, support_start, link):
    """Return the columns that move a link; none move the world."""
    if link < 0:
        return support[:0]
    return support[support_start[link] : support_start[link + 1]]


@merged_part
def task_rows(
    task_ints, task_floats, target_positions, target_rotations, order, link_ints, link_floats,
    column_dof, column_ratio, column_link, support_start, support, fixed_mass, posture_dof,
    posture_targets, external_jacobian, external_error, q, dq, world, columns, twists, biases,
    moments, points, J6, A, error, velocity,
):  # fmt: skip
    """Fill the stacked rows of all tasks: scaled Jacobian, error and reference."""
    for t in range(task_ints.shape[0]):
        ints, f = task_ints[t], task_floats[t]
        slot, kind = ints[SLOT], ints[TASK_KIND]
        target, target_rotation = target_positions[slot], target_rotations[slot]
        if kind == POSTURE:
            posture_rows(ints, f, order, link_ints, posture_dof, posture_targets, q, dq, A, error,
                         velocity)  # fmt: skip
        elif kind == EXTERNAL:
            external_rows(ints, f, external_jacobian, external_error, A, error, velocity)
        elif kind == CENTRE:
            centre_rows(ints, f, target, order, link_ints, link_floats, column_dof, column_ratio,
                        column_link, fixed_mass, world, columns, twists, biases, moments,
                        points[0], J6, A, error, velocity)  # fmt: skip
        elif ints[IS_PLAIN] and order == 1:
            plain_rows(ints, f, target, target_rotation, column_dof, column_ratio,
                       support_of(support, support_start, ints[LINK]), world, columns, A, error,
                       velocity)  # fmt: skip
        else:
            point_rows(
                ints, f, target, target_rotation, order, column_dof, column_ratio, support_start,
                support, world, columns, twists, biases, points, J6, A, error, velocity,
            )  # fmt: skip


@inlined_part
def external_rows(ints, f, jacobian, values, A, error, velocity):
    """Rows of a task that Python evaluated: error and target rate each."""
    first, row, root = ints[LINK], ints[ROW], f[SQRT_WEIGHT]
    for i in range(ints[N_ROWS]):
        e, feed = values[first + i, 0], values[first + i, 1]
        error[row + i] = root * e
        velocity[row + i] = root * (f[GAIN] * e + feed)
        for j in range(A.shape[1]):
            A[row + i, j] = root * jacobian[first + i, j]


@inlined_part
def centre_rows(
    ints, f, target, order, link_ints, link_floats, column_dof, column_ratio, column_link,
    fixed_mass, world, columns, twists, biases, moments, at, J6, A, error, velocity,
):  # fmt: skip
    """Rows of a task on the centre of mass."""
    zero = (0.0, 0.0, 0.0)
    v_lin, b_lin = zero, zero
    mass = centre_of_mass(link_ints, fixed_mass, moments, at)
    e = (target[0] - at[0], target[1] - at[1], target[2] - at[2])
    if order == 1 and ints[MASK] == 7:
        row, root = ints[ROW], f[SQRT_WEIGHT]
        zero_rows(A, row, 3)
        put_errors(f, e, GAIN, MAX_SPEED, TARGET_VELOCITY, root, row, error, velocity)
        add_com_jacobian(columns, column_dof, column_ratio, column_link, moments, mass, root,
                         A[row : row + 3])  # fmt: skip
        return
    zero_rows(J6, 0, 6)
    add_com_jacobian(columns, column_dof, column_ratio, column_link, moments, mass, 1.0, J6)
    if order == 2:
        v_lin, b_lin = com_motion(link_floats, world, twists, biases, mass)
    e = along_axes(rotation_of(f[AXES:]), ints[MASK], e[0], e[1], e[2])
    v, w = references(f, e, zero, v_lin, zero, b_lin, zero, order)
    put_rows(J6, e, zero, v, w, rotation_of(f[AXES:]), ints[MASK], f, ints[ROW], A, error, velocity)


@inlined_part
def point_rows(
    ints, f, target, target_rotation, order, column_dof, column_ratio, support_start, support,
    world, columns, twists, biases, points, J6, A, error, velocity,
):  # fmt: skip
    """Rows of a task on a point: any axes, sliding, relative to another, first or second order."""
    zero = (0.0, 0.0, 0.0)
    v_lin, v_ang, b_lin, b_ang = zero, zero, zero, zero
    axes, mask = rotation_of(f[AXES:]), ints[MASK]
    link, at = ints[LINK], points[0]
    put_point_pose(world, link, f[POINT_OFFSET:], at)
    x, y, z = at[9], at[10], at[11]
    zero_rows(J6, 0, 6)
    add_jacobian(columns, column_dof, column_ratio, support_of(support, support_start, link),
                 x, y, z, 1.0, J6)  # fmt: skip
    slide = rotate(
        rotation_of(world[link]), f[SLIDE_VELOCITY], f[SLIDE_VELOCITY + 1], f[SLIDE_VELOCITY + 2]
    )
    if order == 2:
        v_lin, v_ang = point_velocity(twists[link], x, y, z)
        b_lin, b_ang = point_bias(twists[link], biases[link], x, y, z, v_lin)
        turned = cross(v_ang[0], v_ang[1], v_ang[2], slide[0], slide[1], slide[2])
        v_lin = (v_lin[0] + slide[0], v_lin[1] + slide[1], v_lin[2] + slide[2])
        b_lin = (b_lin[0] + 2 * turned[0], b_lin[1] + 2 * turned[1], b_lin[2] + 2 * turned[2])
    R, p = rotation_of(at), (x, y, z)
    frame = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    if ints[TASK_KIND] == RELATIVE:  # all quantities are relative to the base point's frame
        base, other = points[1], ints[LINK2]
        put_point_pose(world, other, f[POINT_OFFSET2:], base)
        frame = rotation_of(base)
        add_jacobian(columns, column_dof, column_ratio, support_of(support, support_start, other),
                     x, y, z, -1.0, J6)  # fmt: skip
        axes, R = multiply(frame, axes), multiply(transpose(frame), R)
        p = rotate(transpose(frame), x - base[9], y - base[10], z - base[11])
        if order == 2:
            v_lin, v_ang, b_lin, b_ang = relative_motion(
                v_lin, v_ang, b_lin, b_ang, twists[other], biases[other], x, y, z
            )
    own = rotation_of(f[AXES:])  # errors along free axes must not use up the speed limit
    e = along_axes(own, mask, target[0] - p[0], target[1] - p[1], target[2] - p[2])
    w = log_map(multiply(rotation_of(target_rotation), transpose(R))) if mask >> 3 else zero
    w = along_axes(own, mask >> 3, w[0], w[1], w[2])
    v, o = references_in(frame, f, e, w, v_lin, v_ang, b_lin, b_ang, order)
    e, w = rotate(frame, e[0], e[1], e[2]), rotate(frame, w[0], w[1], w[2])
    if order == 1:
        v = (v[0] - slide[0], v[1] - slide[1], v[2] - slide[2])
    put_rows(J6, e, w, v, o, axes, mask, f, ints[ROW], A, error, velocity)


@inlined_part
def references_in(R, f, e, w, v_lin, v_ang, b_lin, b_ang, order):
    """References of a task whose errors and target rates are given in a moving frame `R`."""
    back = transpose(R)
    v, o = references(
        f, e, w,
        rotate(back, v_lin[0], v_lin[1], v_lin[2]), rotate(back, v_ang[0], v_ang[1], v_ang[2]),
        rotate(back, b_lin[0], b_lin[1], b_lin[2]), rotate(back, b_ang[0], b_ang[1], b_ang[2]),
        order,
    )  # fmt: skip
    return rotate(R, v[0], v[1], v[2]), rotate(R, o[0], o[1], o[2])


@inlined_part
def posture_rows(
    ints, f, order, link_ints, posture_dof, posture_targets, q, dq, A, error, velocity
):
    """Rows of a posture task: one per coordinate; target, weight and target rate each."""
    first, row = ints[LINK], ints[ROW]
    for i in range(ints[N_ROWS]):
        j, target = posture_dof[first + i], posture_targets[first + i]
        root = math.sqrt(target[1]) * f[SQRT_WEIGHT]
        e = target[0] - q[j]
        for link in range(link_ints.shape[0]):
            d = link_ints[link, DOF] + 3
            if link_ints[link, KIND] == FLOATING and d <= j < d + 3:
                e = root_turn_error(posture_dof, posture_targets, first, ints[N_ROWS], q, d)[j - d]
        push = min(max(f[GAIN] * e, -f[MAX_SPEED]), f[MAX_SPEED])
        if order == 2:
            push += f[RATE_GAIN] * (target[2] - dq[j])
        else:
            push += target[2]
        for k in range(A.shape[1]):
            A[row + i, k] = 0.0
        A[row + i, j] = root
        error[row + i] = root * e
        velocity[row + i] = root * push


@fast_part
def root_turn_error(posture_dof, posture_targets, first, count, q, d):
    """Rotation vector from the root to its target, in the root's parent frame."""
    gx, gy, gz = q[d], q[d + 1], q[d + 2]
    for i in range(count):
        j = posture_dof[first + i]
        if j == d:
            gx = posture_targets[first + i, 0]
        elif j == d + 1:
            gy = posture_targets[first + i, 0]
        elif j == d + 2:
            gz = posture_targets[first + i, 0]
    return log_map(multiply(exp_map(gx, gy, gz), exp_map(-q[d], -q[d + 1], -q[d + 2])))


@fast_part
def needs_masses(task_ints):
    """Return whether a task on the centre of mass is among them."""
    for t in range(task_ints.shape[0]):
        if task_ints[t, TASK_KIND] == CENTRE:
            return True
    return False


@fast_part
def masses_for(task_ints, link_ints, link_floats, world, moments):
    """Fill the subtree moments when a task needs them."""
    if needs_masses(task_ints):
        subtree_moments(link_ints, link_floats, world, moments)
