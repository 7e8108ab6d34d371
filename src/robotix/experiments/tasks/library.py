"""The tasks by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from robotix.errors import UnknownName
from robotix.experiments.tasks.books import make_books_task
from robotix.experiments.tasks.chess import make_chess_task
from robotix.experiments.tasks.shelf import make_shelf_task
from robotix.experiments.tasks.tables import make_tables_task
from robotix.experiments.tasks.task import LabTask

__all__ = ["TASKS", "load_task"]

TASKS: Mapping[str, Callable[[], LabTask]] = {
    "books": make_books_task,
    "shelf": make_shelf_task,
    "chess": make_chess_task,
    "tables": make_tables_task,
}


def load_task(name: str) -> LabTask:
    """Return a task of the laboratory."""
    if name not in TASKS:
        raise UnknownName("task", name, TASKS)
    return TASKS[name]()
