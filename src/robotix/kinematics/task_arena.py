"""The arena of a solver or a search: one model and its tasks, laid out for the kernels.

`kernels/README.md` explains the blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from robotix.geometry import Array
from robotix.kinematics.kernels import task_rows as rows
from robotix.kinematics.kernels import tick
from robotix.kinematics.kernels.arena import Arena, FloatBlock, IntBlock
from robotix.kinematics.kernels.tables import Ints, Tables, tables_of
from robotix.kinematics.posture import IDENTITY_ROW, Posture
from robotix.kinematics.task_packing import PackedTask, pack_task
from robotix.kinematics.tasks import Task
from robotix.model import Model

__all__ = ["TaskArena", "make_arena"]


class ExternalRows(NamedTuple):
    """A foreign task and its rows in the external blocks."""

    first: int
    n_rows: int
    task: Task


@dataclass(frozen=True, eq=False)
class TaskViews:
    """Views of one task's numbers in the arena."""

    ints: Ints  # (N_TASK_INTS,)
    floats: Array  # (N_TASK_FLOATS,)
    goals: Array  # (k, 3), of a posture task
    span: Ints  # (n_rows,)


class TaskArena:
    """An arena filled with one model and its tasks; `make_arena` makes it."""

    def __init__(
        self, model: Model, tables: Tables, arena: Arena, packed: list[PackedTask], order: int
    ) -> None:
        """Write the model and the tasks into the blocks of `arena`."""
        self.model = model
        self.arena = arena
        self._tables, self._packed, self._order = tables, packed, order
        self._views: dict[int, TaskViews] = {}
        self._foreign: dict[int, ExternalRows] = {}
        _write_model(arena, tables)
        self._write_tasks()

    @property
    def has_foreign(self) -> bool:
        """Whether some task has to be evaluated in Python before every step."""
        return bool(self._foreign)

    def has_target(self, index: int) -> bool:
        """Return whether a task has a target position or rotation that can be moved."""
        kind = int(self._packed[index].ints[rows.TASK_KIND])
        return kind in (rows.POINT, rows.RELATIVE, rows.CENTRE)

    def evaluate_foreign(self, posture: Posture) -> None:
        """Write errors and Jacobians of the tasks that the kernels do not know."""
        jacobian = self.arena[FloatBlock.EXTERNAL_JACOBIAN]
        error = self.arena[FloatBlock.EXTERNAL_ERROR][:, 0]
        for first, n_rows, task in self._foreign.values():
            jacobian[first : first + n_rows] = task.jacobian(posture)
            error[first : first + n_rows] = task.error(posture)

    def replace(self, index: int, task: Task) -> None:
        """Replace a task by one of the same kind, axes and priority."""
        packed = pack_task(task, self.model, self._tables, order=self._order)
        if packed.structure != self._packed[index].structure:
            raise ValueError(
                f"task {index} can only be replaced by one of the same shape: {task!r}"
            )
        views = self._views[index]
        if packed.foreign is None and not len(packed.dofs):
            chosen = [rows.LINK, rows.LINK2, rows.IS_PLAIN]
            views.ints[chosen] = packed.ints[chosen]
        views.floats[:] = packed.floats
        views.goals[:] = packed.goals
        views.span[:] = _span(packed, self._tables)
        self.arena[FloatBlock.TARGET_POSITIONS][index] = packed.position
        self.arena[FloatBlock.TARGET_ROTATIONS][index] = packed.rotation
        if packed.foreign is not None:
            self._foreign[index] = self._foreign[index]._replace(task=task)
        self._packed[index] = packed

    def _write_tasks(self) -> None:
        """Write the tasks in order of priority."""
        row, goal, external = 0, 0, 0
        by_priority = sorted(range(len(self._packed)), key=lambda i: self._packed[i].priority)
        for slot, index in enumerate(by_priority):
            packed = self._packed[index]
            views = self._views[index] = self._write_task(slot, index, row=row, goal=goal)
            if packed.foreign is not None:
                views.ints[rows.LINK] = external
                self._foreign[index] = ExternalRows(external, packed.n_rows, packed.foreign)
                external += packed.n_rows
            row += packed.n_rows
            goal += len(packed.dofs)

    def _write_task(self, slot: int, index: int, *, row: int, goal: int) -> TaskViews:
        packed, arena = self._packed[index], self.arena
        views = TaskViews(
            ints=arena.int_block(IntBlock.TASK_INTS)[slot],
            floats=arena[FloatBlock.TASK_FLOATS][slot],
            goals=arena[FloatBlock.POSTURE_TARGETS][goal : goal + len(packed.dofs)],
            span=arena.int_block(IntBlock.SPAN)[0, row : row + packed.n_rows],
        )
        views.ints[:], views.floats[:] = packed.ints, packed.floats
        views.ints[[rows.ROW, rows.N_ROWS, rows.SLOT]] = row, packed.n_rows, index
        views.goals[:], views.span[:] = packed.goals, _span(packed, self._tables)
        arena[FloatBlock.TARGET_POSITIONS][index] = packed.position
        arena[FloatBlock.TARGET_ROTATIONS][index] = packed.rotation
        if len(packed.dofs):
            views.ints[rows.LINK] = goal
            dofs = arena.int_block(IntBlock.POSTURE_DOF)
            dofs[goal : goal + len(packed.dofs), 0] = packed.dofs
        return views


def make_arena(
    model: Model,
    tasks: Sequence[Task],
    *,
    order: int = 1,
    has_levels: bool = False,
    max_inequalities: int = 0,
) -> TaskArena:
    """Lay out an arena for tasks of a model.

    `has_levels` makes one level of rows per priority; without it all tasks share one level.
    """
    tables = tables_of(model)
    packed = [pack_task(task, model, tables, order=order) for task in tasks]
    starts = _level_starts(packed, has_levels=has_levels)
    n_levels = max(len({task.priority for task in packed}), 1)
    arena = Arena(
        _float_shapes(tables, packed, n_levels, max_inequalities),
        _int_shapes(tables, packed, n_levels, max_inequalities),
    )
    levels = arena.int_block(IntBlock.LEVEL_START)[0]
    levels[:] = starts[-1]
    levels[: len(starts)] = starts
    return TaskArena(model, tables, arena, packed, order)


def _level_starts(packed: Sequence[PackedTask], *, has_levels: bool) -> list[int]:
    """Return the first row of every level, and the number of rows."""
    n_rows = sum(task.n_rows for task in packed)
    if not has_levels:
        return [0, n_rows]
    others = sorted({task.priority for task in packed})[1:]
    above = [sum(task.n_rows for task in packed if task.priority < p) for p in others]
    return [0, *above, n_rows]


def _span(packed: PackedTask, t: Tables) -> int:
    """Return the number of leading columns that can differ from zero in a task's rows."""
    kind = packed.ints[rows.TASK_KIND]
    if kind not in (rows.POINT, rows.RELATIVE):
        return t.n_dof
    links = packed.ints[[rows.LINK, rows.LINK2] if kind == rows.RELATIVE else [rows.LINK]]
    dofs = [
        t.column_dof[t.support[k]]
        for link in links
        if link >= 0
        for k in range(t.support_start[link], t.support_start[link + 1])
    ]
    return int(max(dofs, default=-1)) + 1


def _write_model(arena: Arena, t: Tables) -> None:
    arena[FloatBlock.LINK_FLOATS][:] = t.link_floats
    arena.flat(FloatBlock.COLUMN_RATIO)[:] = t.column_ratio
    arena[FloatBlock.PIECES][:] = t.pieces
    arena.flat(FloatBlock.FIXED_MASS)[:] = t.fixed_mass
    arena[FloatBlock.WORLD][-1] = IDENTITY_ROW
    for block, values in (
        (IntBlock.LINK_INTS, t.link_ints),
        (IntBlock.COLUMN_DOF, t.column_dof),
        (IntBlock.COLUMN_LINK, t.column_link),
        (IntBlock.SUPPORT_START, t.support_start),
        (IntBlock.SUPPORT, t.support),
    ):
        arena.int_block(block)[:] = values.reshape(arena.int_block(block).shape)


def _float_shapes(
    t: Tables, packed: Sequence[PackedTask], n_levels: int, n_normals: int
) -> dict[FloatBlock, tuple[int, int]]:
    """Return (rows, columns) of every block of floats."""
    B, n, m = FloatBlock, t.n_dof, sum(task.n_rows for task in packed)
    external = sum(task.n_rows for task in packed if task.foreign is not None)
    goals, most_rows, row = sum(len(task.dofs) for task in packed), max(m, n_normals, 1), (1, n)
    return {
        B.LINK_FLOATS: t.link_floats.shape, B.COLUMN_RATIO: (1, t.n_columns),
        B.PIECES: t.pieces.shape, B.FIXED_MASS: (1, 4),
        B.TASK_FLOATS: (len(packed), rows.N_TASK_FLOATS), B.TARGET_POSITIONS: (len(packed), 3),
        B.TARGET_ROTATIONS: (len(packed), 9), B.POSTURE_TARGETS: (goals, 3),
        B.EXTERNAL_JACOBIAN: (external, n), B.EXTERNAL_ERROR: (external, 2),
        B.OPTIONS: (1, tick.N_OPTIONS), B.Q: row, B.DQ_BEFORE: row, B.LOWER: row, B.UPPER: row,
        B.RATE: row, B.ACCELERATION: row, B.INVERSE_SQRT_WEIGHTS: row, B.NULL_SPACE_VELOCITY: row,
        B.NORMALS: (n_normals, n), B.BOUNDS: (1, n_normals), B.DQ: row, B.DDQ: row, B.Q_NEXT: row,
        B.REPORT: (1, tick.N_REPORT), B.WORLD: (t.n_links + 1, 12), B.COLUMNS: (t.n_columns, 6),
        B.TWISTS: (t.n_links + 1, 6), B.RATES: (t.n_columns, 6), B.BIASES: (t.n_links + 1, 6),
        B.MOMENTS: (t.n_links, 4), B.POINTS: (2, 12), B.JACOBIAN6: (6, n), B.A: (m, n),
        B.ERROR: (1, m), B.VELOCITY: (1, m), B.REACH_DAMPING: (1, n_levels),
        B.GRAM: (most_rows, most_rows), B.FACTOR: (most_rows, most_rows), B.Y: (1, most_rows),
        B.RESIDUAL: (1, most_rows), B.LOW: row, B.HIGH: row, B.U: row, B.STEP: row,
        B.BASIS: (n + 1, n), B.PROJECTED: (most_rows, n), B.COEFFICIENTS: row,
        B.PROGRAM_HESSIAN: (n, n), B.PROGRAM_INVERSE_FACTOR: (n, n),
        B.PROGRAM_ACTIVE_FACTOR: (n, n + 1), B.CONSTRAINTS: (n_normals, n),
        B.CONSTRAINT_BOUNDS: (1, n_normals), B.PROGRAM_ROWS: (5, n), B.MULTIPLIERS: (1, n + 1),
        B.BEST: row,
    }  # fmt: skip


def _int_shapes(
    t: Tables, packed: Sequence[PackedTask], n_levels: int, n_normals: int
) -> dict[IntBlock, tuple[int, int]]:
    """Return (rows, columns) of every block of integers."""
    N, n, m = IntBlock, t.n_dof, sum(task.n_rows for task in packed)
    return {
        N.LINK_INTS: t.link_ints.shape, N.COLUMN_DOF: (1, t.n_columns),
        N.COLUMN_LINK: (1, t.n_columns), N.SUPPORT_START: (1, t.n_links + 1),
        N.SUPPORT: (1, len(t.support)), N.TASK_INTS: (len(packed), rows.N_TASK_INTS),
        N.POSTURE_DOF: (sum(len(task.dofs) for task in packed), 1),
        N.LEVEL_START: (1, n_levels + 1), N.SPAN: (1, m), N.OPTIONS: (1, tick.N_INT_OPTIONS),
        N.BOUND_STATE: (1, n), N.ACTIVE: (1, 2 * n + n_normals + 2), N.REPORT: (1, 2),
    }  # fmt: skip
