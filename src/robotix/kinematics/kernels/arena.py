"""All numbers of one solver in two flat arrays, cut into named blocks.

Every array argument adds to the cost of a compiled call; dozens of them would cost more than the
mathematics. So a solver owns an arena: Python sees each block as an ordinary NumPy view, and the
kernel cuts the same view out of the flat array with `vector` and `matrix`. README.md in this folder
lists the blocks and follows one tick through them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, auto

import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

from robotix.geometry import Array
from robotix.kernels import inlined_part
from robotix.kinematics.kernels.tables import Ints

__all__ = ["Arena", "FloatBlock", "IntBlock", "matrix", "vector"]


class FloatBlock(IntEnum):
    """Blocks of floating-point numbers."""

    # the model (tables.py)
    LINK_FLOATS = 0
    COLUMN_RATIO = auto()
    PIECES = auto()
    FIXED_MASS = auto()
    # the tasks (task_rows.py)
    TASK_FLOATS = auto()
    TARGET_POSITIONS = auto()  # (n_tasks, 3), in the order in which the tasks were given
    TARGET_ROTATIONS = auto()  # (n_tasks, 9)
    POSTURE_TARGETS = auto()  # (k, 3): target, weight and target rate of coordinates
    EXTERNAL_JACOBIAN = auto()  # rows of the tasks that Python evaluates
    EXTERNAL_ERROR = auto()
    # inputs
    OPTIONS = auto()
    Q = auto()
    DQ_BEFORE = auto()
    LOWER = auto()
    UPPER = auto()
    RATE = auto()
    ACCELERATION = auto()
    INVERSE_SQRT_WEIGHTS = auto()  # 1/√w of every joint: u = √w dq are the scaled variables
    NULL_SPACE_VELOCITY = auto()  # desired velocity, of which the null space admits a part
    NORMALS = auto()  # inequality rows: normals @ dq >= bounds
    BOUNDS = auto()
    # results
    DQ = auto()
    DDQ = auto()
    Q_NEXT = auto()
    REPORT = auto()
    # work space: kinematics
    WORLD = auto()  # pose of every link
    COLUMNS = auto()  # spatial velocity per unit of every coordinate
    TWISTS = auto()  # spatial velocity of every link
    RATES = auto()  # time derivative of the columns
    BIASES = auto()  # spatial acceleration of every link while ddq = 0
    MOMENTS = auto()  # mass and mass times position of every subtree
    POINTS = auto()
    JACOBIAN6 = auto()
    # work space: task rows
    A = auto()  # weighted Jacobian of all tasks
    ERROR = auto()  # weighted errors e
    VELOCITY = auto()  # weighted reference velocities v (accelerations in second order)
    REACH_DAMPING = auto()  # λ² that each level adds for targets that are far
    # work space: solving
    GRAM = auto()
    FACTOR = auto()
    Y = auto()
    RESIDUAL = auto()
    LOW = auto()
    HIGH = auto()
    U = auto()
    STEP = auto()
    BASIS = auto()
    PROJECTED = auto()
    COEFFICIENTS = auto()
    PROGRAM_HESSIAN = auto()  # H = AᵀA + λ²I
    PROGRAM_INVERSE_FACTOR = auto()  # L⁻ᵀ of H = L Lᵀ, rotated by the active set
    PROGRAM_ACTIVE_FACTOR = auto()  # R of the active normals
    CONSTRAINTS = auto()
    CONSTRAINT_BOUNDS = auto()
    PROGRAM_ROWS = auto()  # five work rows, see `quadratic.solve_program`
    MULTIPLIERS = auto()
    BEST = auto()


class IntBlock(IntEnum):
    """Blocks of integers."""

    LINK_INTS = 0
    COLUMN_DOF = auto()
    COLUMN_LINK = auto()
    SUPPORT_START = auto()
    SUPPORT = auto()
    TASK_INTS = auto()
    POSTURE_DOF = auto()
    LEVEL_START = auto()
    SPAN = auto()  # (n_rows,): from this column on a row of A is zero
    OPTIONS = auto()
    BOUND_STATE = auto()  # -1, 0, +1: at its lower bound, free, at its upper bound
    ACTIVE = auto()
    REPORT = auto()


N_BLOCKS, N_INT_BLOCKS = len(FloatBlock), len(IntBlock)
N_MAPS = 3 * (N_BLOCKS + N_INT_BLOCKS)


class Arena:
    """Two flat arrays; the maps of their blocks (start, rows, columns) head the integers."""

    def __init__(
        self,
        floats: Mapping[FloatBlock, tuple[int, int]],
        ints: Mapping[IntBlock, tuple[int, int]],
    ) -> None:
        """Lay out blocks of the given (rows, columns)."""
        float_map = _layout([floats.get(block, (0, 0)) for block in FloatBlock])
        int_map = _layout([ints.get(block, (0, 0)) for block in IntBlock], first=N_MAPS)
        self.floats = np.zeros(_size(float_map))
        self.ints = np.zeros(_size(int_map), dtype=np.int64)
        self.float_map = self.ints[: float_map.size].reshape(-1, 3)
        self.int_map = self.ints[float_map.size : N_MAPS].reshape(-1, 3)
        self.float_map[:], self.int_map[:] = float_map, int_map

    def __getitem__(self, block: FloatBlock) -> Array:
        """Return a view of a block, (rows, columns)."""
        start, rows, columns = self.float_map[block]
        return self.floats[start : start + rows * columns].reshape(rows, columns)

    def flat(self, block: FloatBlock) -> Array:
        """Return a view of a block as a vector."""
        start, rows, columns = self.float_map[block]
        return self.floats[start : start + rows * columns]

    def int_block(self, block: IntBlock) -> Ints:
        """Return a view of a block of integers, (rows, columns)."""
        start, rows, columns = self.int_map[block]
        return self.ints[start : start + rows * columns].reshape(rows, columns)


def _layout(shapes: list[tuple[int, int]], *, first: int = 0) -> Ints:
    starts = np.cumsum([first, *(rows * columns for rows, columns in shapes)])
    layout = [(start, *shape) for start, shape in zip(starts, shapes, strict=False)]
    return np.array(layout, dtype=np.int64)


def _size(layout: Ints) -> int:
    start, rows, columns = layout[-1]
    return int(start + rows * columns)


@intrinsic
def _pointer(_context, address, like):
    """Return an address as a pointer to the same kind of number as `like`."""
    kind = types.CPointer(like)  # type: ignore[no-untyped-call]

    def generate(context, builder, _signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(kind))

    return kind(types.uintp, like), generate


@inlined_part
def maps(ints):
    """Return the maps of the floating-point and of the integer blocks."""
    at = ints.ctypes.data
    float_map = carray(_pointer(at, ints[0]), (N_BLOCKS, 3))  # type: ignore[call-arg]
    at += 24 * N_BLOCKS
    return float_map, carray(_pointer(at, ints[0]), (N_INT_BLOCKS, 3))


@inlined_part
def vector(values, layout, block):
    """Return a block as a vector (through a pointer: a slice would count references)."""
    at = values.ctypes.data + 8 * layout[block, 0]
    size = layout[block, 1] * layout[block, 2]
    return carray(_pointer(at, values[0]), (size,))  # type: ignore[call-arg]


@inlined_part
def matrix(values, layout, block):
    """Return a block as a matrix."""
    at = values.ctypes.data + 8 * layout[block, 0]
    shape = (layout[block, 1], layout[block, 2])
    return carray(_pointer(at, values[0]), shape)  # type: ignore[call-arg]
