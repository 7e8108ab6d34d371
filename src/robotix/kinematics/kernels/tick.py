"""One compiled call per tick: kinematics, task rows, limits, solve, integrate.

With the rows A (weighted Jacobian) and v (weighted reference velocities), first order finds

    dq = argmin ‖A dq − v‖² + λ²‖dq‖²  subject to  low ≤ dq ≤ high,  N dq ≥ b,

the damped least-squares step within the joint box and the inequality rows. Second order does the
same for accelerations, with J̇ dq taken off the reference. Priorities replace the one minimum by a
sequence of them (`hierarchy`, `quadratic`).
"""

from __future__ import annotations

import math

from robotix.kernels import fast_kernel, fast_part, inlined_part, merged_part, stay_apart
from robotix.kinematics.kernels.arena import FloatBlock as B
from robotix.kinematics.kernels.arena import IntBlock as I
from robotix.kinematics.kernels.arena import maps, matrix, vector
from robotix.kinematics.kernels.forward import column_rates, forward, integrate
from robotix.kinematics.kernels.hierarchy import (
    ZERO,
    add_null_space_velocity,
    dot,
    put_nested,
    solve_levels,
    strict_levels,
    worst_constraint,
)
from robotix.kinematics.kernels.least_squares import damping, gram, gram_within, solve_bounded
from robotix.kinematics.kernels.quadratic import FOUND, solve_lexicographic
from robotix.kinematics.kernels.reach_damping import damp_start_velocity, put_level_damping
from robotix.kinematics.kernels.tables import COLUMN, DOF, FLOATING, KIND, PARENT
from robotix.kinematics.kernels.task_rows import masses_for, task_rows

DLS, NESTED, STRICT, QP = range(4)  # methods
# Options: integers, then floats.
METHOD, ORDER, DAMPING_LAW, HAS_NULL_SPACE_VELOCITY, HAS_WEIGHTS, N_NORMALS = range(6)
N_INT_OPTIONS = 6
DT, DAMPING_K, DAMPING_THRESHOLD, REACH_DAMPING, NULL_SPACE_DAMPING = range(5)
N_OPTIONS = 5
# Reports: integers, then floats.
STATUS, N_ACTIVE = range(2)
DAMPING_SQUARED, RESIDUAL = range(2)
N_REPORT = 2
SOLVED, BAD_INPUT, RELAXED, STUCK = range(4)  # status


@inlined_part
def is_finite(values):
    """Return whether all numbers are finite."""
    s = 0.0
    for i in range(len(values)):
        s += abs(values[i])
    return math.isfinite(s)


@fast_part
def link_biases(link_ints, column_ratio, dq, rates, biases):
    """Write every link's spatial acceleration while `ddq` is zero; the last row is the world's."""
    for link in range(link_ints.shape[0]):
        parent, first = link_ints[link, PARENT], link_ints[link, COLUMN]
        dof = link_ints[link, DOF]
        count = 6 if link_ints[link, KIND] == FLOATING else 1
        for i in range(6):
            s = biases[parent, i]
            for c in range(first, first + count):
                s += rates[c, i] * column_ratio[c] * dq[dof + c - first]
            biases[link, i] = s


@inlined_part
def joint_box(q, dq, lower, upper, rate, acceleration, dt, low, high):
    """Write the velocities after which every joint is inside its limits and can still stop there.

    Position and rate limits come before acceleration: a joint outside its range returns at its
    rate limit, whatever acceleration that takes. From v dt + v²/(2a) ≤ d, where d is the distance
    to the limit, follows v ≤ √((a dt)² + 2 a d) − a dt; so the next tick can still brake by a dt.
    """
    per_dt = 1.0 / dt
    for j in range(len(q)):
        most, a = rate[j], acceleration[j]
        top = max(min((upper[j] - q[j]) * per_dt, most), -most)
        bottom = min(max((lower[j] - q[j]) * per_dt, -most), most)
        if a < math.inf:
            c = a * dt
            brake_up = math.sqrt(c * c + 2.0 * a * max(upper[j] - q[j], 0.0)) - c
            brake_down = math.sqrt(c * c + 2.0 * a * max(q[j] - lower[j], 0.0)) - c
            up = min(max(min(brake_up, dq[j] + c), bottom), top)
            down = min(max(max(-brake_down, dq[j] - c), bottom), top)
            if up < down:  # too fast to stop in time: brake with the largest acceleration
                up = down = down if dq[j] > 0.0 else up
            top, bottom = up, down
        low[j], high[j] = bottom, top


@inlined_part
def scale_box(order, dt, dq, scales, has_weights, low, high):
    """Convert a box of velocities to accelerations (order 2) and to scaled variables."""
    for j in range(len(low)):
        if order == 2:
            low[j] = (low[j] - dq[j]) / dt
            high[j] = (high[j] - dq[j]) / dt
        if has_weights:
            low[j] /= scales[j]
            high[j] /= scales[j]


@fast_part
def scale_normals(normals, bounds, n, order, dt, dq, scales, rows, values):
    """Convert inequality rows on `dq` to rows on the scaled variables of the solver."""
    for i in range(n):
        shift = dot(normals[i], dq) if order == 2 else 0.0
        values[i] = (bounds[i] - shift) / dt if order == 2 else bounds[i]
        for j in range(normals.shape[1]):
            rows[i, j] = normals[i, j] * scales[j]


@fast_part
def gather_short(rows, values, u, is_short, P, r):
    """Copy violated rows, zeros for the others; return whether the set of them has changed."""
    changed = False
    for i in range(rows.shape[0]):
        short = 1 if dot(rows[i], u) < values[i] else 0
        changed = changed or short != is_short[i]
        is_short[i], r[i] = short, short * values[i]
        for j in range(len(u)):
            P[i, j] = short * rows[i, j]
    return changed


@fast_part
def relax(rows, values, low, high, is_short, P, G, state, L, y, r, u, best):
    """Lower bounds that cannot hold together to where the sum of squared violations is least.

    Least squares over the violated rows, repeated until the set of them stays the same.
    """
    stay_apart()
    m = rows.shape[0]
    for j in range(len(u)):
        u[j], state[j] = min(max(0.0, low[j]), high[j]), 0
    for i in range(m):
        is_short[i] = -1
    for _ in range(20):
        if not gather_short(rows, values, u, is_short, P, r):
            break
        gram(P, m, G)
        solve_bounded(P, m, r, low, high, G, 1e-8, state, L, y, u, best)
    for i in range(m):
        values[i] = min(values[i], dot(rows[i], u) - 1e-9)
    for j in range(len(u)):
        state[j] = 0


@merged_part
def solve_rows(floats, fm, ints, im, A, m, v, low, high, u):
    """Run the chosen method; write status and number of active limits."""
    options, report = vector(ints, im, I.OPTIONS), vector(ints, im, I.REPORT)
    report[STATUS] = SOLVED
    method = options[METHOD]
    is_plain = method == DLS or (method == QP and len(vector(ints, im, I.LEVEL_START)) == 2)
    if not (options[N_NORMALS] == 0 and options[HAS_NULL_SPACE_VELOCITY] == 0 and is_plain):
        solve_priorities(floats, fm, ints, im, A, v, low, high, u)
        return
    numbers, results = vector(floats, fm, B.OPTIONS), vector(floats, fm, B.REPORT)
    G, L, y = matrix(floats, fm, B.GRAM), matrix(floats, fm, B.FACTOR), vector(floats, fm, B.Y)
    state, best = vector(ints, im, I.BOUND_STATE), vector(floats, fm, B.BEST)
    gram_within(A, m, vector(ints, im, I.SPAN), G)
    square = damping(
        G, m, options[DAMPING_LAW], numbers[DAMPING_K], numbers[DAMPING_THRESHOLD], L, y
    )
    square += vector(floats, fm, B.REACH_DAMPING)[0]
    results[DAMPING_SQUARED] = square
    count = solve_bounded(A, m, v, low, high, G, square, state, L, y, u, best)
    report[N_ACTIVE] = max(count, 0)
    if count < 0:
        report[STATUS] = STUCK
        for j in range(len(u)):
            state[j] = 0


@fast_part
def solve_priorities(floats, fm, ints, im, A, v, low, high, u):
    """Solve level by level under inequalities; the null space admits the desired velocity."""
    stay_apart()
    options, report = vector(ints, im, I.OPTIONS), vector(ints, im, I.REPORT)
    numbers, n, reach = vector(floats, fm, B.OPTIONS), len(u), vector(floats, fm, B.REACH_DAMPING)
    G, L, y = matrix(floats, fm, B.GRAM), matrix(floats, fm, B.FACTOR), vector(floats, fm, B.Y)
    active, levels = vector(ints, im, I.ACTIVE), vector(ints, im, I.LEVEL_START)
    law, k, threshold = options[DAMPING_LAW], numbers[DAMPING_K], numbers[DAMPING_THRESHOLD]
    method, n_normals, desired = options[METHOD], options[N_NORMALS], vector(floats, fm, B.STEP)
    scales, given = (
        vector(floats, fm, B.INVERSE_SQRT_WEIGHTS),
        vector(floats, fm, B.NULL_SPACE_VELOCITY),
    )
    for j in range(n):
        desired[j] = given[j] / scales[j] if options[HAS_NULL_SPACE_VELOCITY] else 0.0
    rows = matrix(floats, fm, B.CONSTRAINTS)[:n_normals]
    values = vector(floats, fm, B.CONSTRAINT_BOUNDS)[:n_normals]
    work = matrix(floats, fm, B.PROGRAM_ROWS)
    basis, P = matrix(floats, fm, B.BASIS), matrix(floats, fm, B.PROJECTED)
    t, r = vector(floats, fm, B.COEFFICIENTS), vector(floats, fm, B.RESIDUAL)
    scale_normals(
        matrix(floats, fm, B.NORMALS), vector(floats, fm, B.BOUNDS), n_normals, options[ORDER],
        numbers[DT], vector(floats, fm, B.DQ), scales, rows, values,
    )  # fmt: skip
    count = -1
    if method == NESTED:
        put_nested(A, v, levels, ZERO, desired, law, k, threshold, reach, basis, P, G, L, r, y, u)
        if worst_constraint(u, low, high, rows, values, active, ZERO, ZERO) < 0:
            count = 0
        else:  # under the limits the first level comes first, then what the others ask for
            put_nested(
                A, v, levels, ZERO + 1, desired, law, k, threshold, reach, basis, P, G, L, r, y, t
            )
            for j in range(n):
                desired[j] = t[j]
            levels = levels[:2]
    elif method != QP:  # the closed form is the solution while it keeps all limits
        for j in range(n):
            u[j] = 0.0
        size = strict_levels(A, v, levels, law, k, threshold, reach, basis, ZERO, P, G, L, r, y, u)
        add_null_space_velocity(desired, low, high, basis, size, t, u)
        if worst_constraint(u, low, high, rows, values, active, ZERO, ZERO) < 0:
            count = 0
    if count < 0:
        count = solve_programs(
            floats, fm, ints, im, A, v, levels, desired, low, high, rows, values, u
        )
    if count < 0:
        solve_levels(
            A, v, levels, desired, law, k, threshold, reach, low, high, rows, values, active, basis,
            P, G, L, r, y, t, work[0], u,
        )  # fmt: skip
    report[N_ACTIVE] = count_active(u, low, high, rows, values)


@merged_part
def solve_programs(floats, fm, ints, im, A, v, levels, desired, low, high, rows, values, u):
    """Solve level by level as programs, relaxing inequalities in conflict; -1 on failure."""
    options, report = vector(ints, im, I.OPTIONS), vector(ints, im, I.REPORT)
    numbers, t = vector(floats, fm, B.OPTIONS), vector(floats, fm, B.COEFFICIENTS)
    G, L, y = matrix(floats, fm, B.GRAM), matrix(floats, fm, B.FACTOR), vector(floats, fm, B.Y)
    state, best = vector(ints, im, I.BOUND_STATE), vector(floats, fm, B.BEST)
    for attempt in range(2):
        found = solve_lexicographic(
            A, v, levels, desired, options[DAMPING_LAW],
            numbers[DAMPING_K], numbers[DAMPING_THRESHOLD], vector(floats, fm, B.REACH_DAMPING),
            low, high, rows, values, vector(ints, im, I.ACTIVE), matrix(floats, fm, B.BASIS),
            matrix(floats, fm, B.PROJECTED), G, L, y, matrix(floats, fm, B.PROGRAM_HESSIAN),
            matrix(floats, fm, B.PROGRAM_INVERSE_FACTOR),
            matrix(floats, fm, B.PROGRAM_ACTIVE_FACTOR), matrix(floats, fm, B.PROGRAM_ROWS),
            vector(floats, fm, B.MULTIPLIERS), t, u,
        )  # fmt: skip
        if found == FOUND:
            for j in range(len(u)):  # programs are solved to rounding
                u[j] = min(max(u[j], low[j]), high[j])
            return 0
        if attempt == 0:
            report[STATUS] = RELAXED
            relax(
                rows, values, low, high, vector(ints, im, I.ACTIVE),
                matrix(floats, fm, B.PROJECTED), G, state, L, y, vector(floats, fm, B.RESIDUAL), u,
                best,
            )  # fmt: skip
    report[STATUS] = STUCK
    return -1


@fast_part
def count_active(u, low, high, rows, values):
    """Count the limits that are active at the solution."""
    count = 0
    for j in range(len(u)):
        if u[j] <= low[j] + 1e-10 or u[j] >= high[j] - 1e-10:
            count += 1
    for i in range(rows.shape[0]):
        if dot(rows[i], u) <= values[i] + 1e-9:
            count += 1
    return count


@fast_part
def update_rows(floats, fm, ints, im, q, dq, order):
    """Run forward kinematics at `q` and write the rows of all tasks."""
    link_ints, link_floats = matrix(ints, im, I.LINK_INTS), matrix(floats, fm, B.LINK_FLOATS)
    column_ratio, pieces = vector(floats, fm, B.COLUMN_RATIO), matrix(floats, fm, B.PIECES)
    world, columns = matrix(floats, fm, B.WORLD), matrix(floats, fm, B.COLUMNS)
    twists, biases = matrix(floats, fm, B.TWISTS), matrix(floats, fm, B.BIASES)
    moments, task_ints = matrix(floats, fm, B.MOMENTS), matrix(ints, im, I.TASK_INTS)
    forward(link_ints, link_floats, pieces, q, world, columns)
    if order == 2:
        rates = matrix(floats, fm, B.RATES)
        column_rates(
            link_ints, link_floats, column_ratio, pieces, q, dq, world, columns, twists, rates
        )
        link_biases(link_ints, column_ratio, dq, rates, biases)
    masses_for(task_ints, link_ints, link_floats, world, moments)
    task_rows(
        task_ints, matrix(floats, fm, B.TASK_FLOATS), matrix(floats, fm, B.TARGET_POSITIONS),
        matrix(floats, fm, B.TARGET_ROTATIONS), order, link_ints, link_floats,
        vector(ints, im, I.COLUMN_DOF), column_ratio, vector(ints, im, I.COLUMN_LINK),
        vector(ints, im, I.SUPPORT_START), vector(ints, im, I.SUPPORT),
        vector(floats, fm, B.FIXED_MASS), vector(ints, im, I.POSTURE_DOF),
        matrix(floats, fm, B.POSTURE_TARGETS), matrix(floats, fm, B.EXTERNAL_JACOBIAN),
        matrix(floats, fm, B.EXTERNAL_ERROR), q, dq, world, columns, twists, biases, moments,
        matrix(floats, fm, B.POINTS), matrix(floats, fm, B.JACOBIAN6), matrix(floats, fm, B.A),
        vector(floats, fm, B.ERROR), vector(floats, fm, B.VELOCITY),
    )  # fmt: skip


@inlined_part
def put_reach_damping(floats, fm, ints, im, A, v, e):
    """Write the reach damping of every level; in second order also the start velocity `dq`."""
    options, numbers = vector(ints, im, I.OPTIONS), vector(floats, fm, B.OPTIONS)
    order, dt, scales = options[ORDER], numbers[DT], vector(floats, fm, B.INVERSE_SQRT_WEIGHTS)
    factor, max_scale = numbers[REACH_DAMPING] * (dt * dt if order == 2 else dt), 0.0
    for j in range(len(scales)):
        max_scale = max(max_scale, scales[j])
    reach = put_level_damping(
        matrix(ints, im, I.TASK_INTS), matrix(floats, fm, B.TASK_FLOATS),
        vector(ints, im, I.LEVEL_START), factor * max_scale * max_scale, A, e,
        vector(ints, im, I.SPAN), vector(floats, fm, B.REACH_DAMPING),
    )  # fmt: skip
    if order == 2:
        before, dq = vector(floats, fm, B.DQ_BEFORE), vector(floats, fm, B.DQ)
        decay = numbers[NULL_SPACE_DAMPING]
        damp_start_velocity(reach, numbers[DAMPING_K], decay, dt, before, A, v, dq)


@fast_kernel
def tick(floats, ints, commit):
    """Compute one step of `dt`; with `commit`, also advance `q` and `dq`."""
    fm, im = maps(ints)
    find_step(floats, fm, ints, im)
    if commit:
        q, before = vector(floats, fm, B.Q), vector(floats, fm, B.DQ_BEFORE)
        q_next, dq = vector(floats, fm, B.Q_NEXT), vector(floats, fm, B.DQ)
        for j in range(len(q)):
            q[j], before[j] = q_next[j], dq[j]


@merged_part
def find_step(floats, fm, ints, im):
    """Write one step of `dt`; on bad input, zero velocity."""
    options, report = vector(ints, im, I.OPTIONS), vector(ints, im, I.REPORT)
    numbers, results = vector(floats, fm, B.OPTIONS), vector(floats, fm, B.REPORT)
    q, before = vector(floats, fm, B.Q), vector(floats, fm, B.DQ_BEFORE)
    dq, ddq = vector(floats, fm, B.DQ), vector(floats, fm, B.DDQ)
    q_next, u = vector(floats, fm, B.Q_NEXT), vector(floats, fm, B.U)
    n, order, dt = len(q), options[ORDER], numbers[DT]
    for j in range(n):
        dq[j], ddq[j], q_next[j] = 0.0, 0.0, q[j]
    report[STATUS], report[N_ACTIVE], results[RESIDUAL] = BAD_INPUT, 0, math.inf
    if not (
        is_finite(q) and is_finite(before) and is_finite(vector(floats, fm, B.NULL_SPACE_VELOCITY))
    ):
        return
    count = options[N_NORMALS]
    bounds, normals = vector(floats, fm, B.BOUNDS)[:count], vector(floats, fm, B.NORMALS)
    if not (is_finite(bounds) and is_finite(normals[: count * n])):
        return
    if not is_finite(vector(floats, fm, B.EXTERNAL_JACOBIAN)):
        return
    update_rows(floats, fm, ints, im, q, before, order)
    A, v, e = matrix(floats, fm, B.A), vector(floats, fm, B.VELOCITY), vector(floats, fm, B.ERROR)
    if not (is_finite(v) and is_finite(e)):
        return
    results[RESIDUAL] = math.sqrt(dot(e, e))
    scales, has_weights = vector(floats, fm, B.INVERSE_SQRT_WEIGHTS), options[HAS_WEIGHTS] == 1
    put_reach_damping(floats, fm, ints, im, A, v, e)
    if has_weights:
        for i in range(A.shape[0]):
            for j in range(n):
                A[i, j] *= scales[j]
    low, high = vector(floats, fm, B.LOW), vector(floats, fm, B.HIGH)
    lower, upper = vector(floats, fm, B.LOWER), vector(floats, fm, B.UPPER)
    joint_box(
        q, before, lower, upper, vector(floats, fm, B.RATE), vector(floats, fm, B.ACCELERATION), dt,
        low, high,
    )  # fmt: skip
    scale_box(order, dt, dq, scales, has_weights, low, high)
    solve_rows(floats, fm, ints, im, A, A.shape[0], v, low, high, u)
    if not is_finite(u):
        report[STATUS] = STUCK
        for j in range(n):
            dq[j] = 0.0
        return
    for j in range(n):
        value = u[j] * scales[j] if has_weights else u[j]
        dq[j] = dq[j] + value * dt if order == 2 else value
        ddq[j] = (dq[j] - before[j]) / dt
    integrate(matrix(ints, im, I.LINK_INTS), q, dq, dt, q_next)
    for j in range(n):  # rounding must not carry a joint over its limit
        if lower[j] <= q[j] <= upper[j]:
            q_next[j] = min(max(q_next[j], lower[j]), upper[j])
