"""All numbers of one solver in two flat arrays, cut into named blocks.

A compiled call pays for every array it is handed; handing it dozens would cost more than the
mathematics. So a solver owns an arena: Python sees each block as an ordinary NumPy view, the kernel
cuts the same view out with `vector` and `matrix`.
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
    # the tasks (rows.py)
    TASK_FLOATS = auto()
    GOALS = auto()  # target positions, one a task, in the order given
    TURNS = auto()  # target rotations
    POSTURE_GOALS = auto()
    EXTERNAL_JACOBIAN = auto()
    EXTERNAL_ERROR = auto()
    # what the solver is given
    OPTIONS = auto()
    Q = auto()
    DQ_BEFORE = auto()
    LOWER = auto()
    UPPER = auto()
    RATE = auto()
    ACCELERATION = auto()
    EASE = auto()  # 1/sqrt(weight) of every joint
    WISH = auto()  # wanted null-space velocity
    NORMALS = auto()  # inequality rows: normals @ dq >= bounds
    BOUNDS = auto()
    # what it gives
    DQ = auto()
    DDQ = auto()
    Q_NEXT = auto()
    REPORT = auto()
    # room to work
    WORLD = auto()
    COLUMNS = auto()
    TWISTS = auto()
    RATES = auto()
    BIASES = auto()
    MOMENTS = auto()
    POINTS = auto()
    JACOBIAN6 = auto()
    A = auto()  # scaled Jacobian of all tasks
    ERROR = auto()
    VELOCITY = auto()
    CALM = auto()  # damping of each level for targets that are far
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
    SQUARE = auto()
    SQUARE2 = auto()
    SQUARE3 = auto()
    CONSTRAINTS = auto()
    CONSTRAINT_BOUNDS = auto()
    ROOMS = auto()
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
    SPAN = auto()  # columns after which a row holds only zeros
    OPTIONS = auto()
    BOUND_STATE = auto()  # -1, 0, +1: at its lower bound, free, at its upper bound
    ACTIVE = auto()
    REPORT = auto()


N_BLOCKS, N_INT_BLOCKS = len(FloatBlock), len(IntBlock)
N_MAPS = 3 * (N_BLOCKS + N_INT_BLOCKS)


class Arena:
    """Two arrays; the map of their blocks stands at the head of the integers."""

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
        """Return a view of a block in one row."""
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
    """Cut a block out as one row (through a pointer: a slice would pay for reference counting)."""
    at = values.ctypes.data + 8 * layout[block, 0]
    size = layout[block, 1] * layout[block, 2]
    return carray(_pointer(at, values[0]), (size,))  # type: ignore[call-arg]


@inlined_part
def matrix(values, layout, block):
    """Cut a block out as a matrix."""
    at = values.ctypes.data + 8 * layout[block, 0]
    shape = (layout[block, 1], layout[block, 2])
    return carray(_pointer(at, values[0]), shape)  # type: ignore[call-arg]
