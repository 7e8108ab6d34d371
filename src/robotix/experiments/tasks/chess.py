"""Chess (fine motion): the knight from the yellow square to the blue one, past other pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from robotix.experiments.tasks.geometry import hand_rotation, raised, task_table
from robotix.experiments.tasks.task import LabTask, Phase, TaskGoal, TaskPlace
from robotix.files.toml_table import TomlTable
from robotix.geometry import Array

__all__ = ["make_chess_task"]

KNIGHT = "knight"
BOARD_THICKNESS, TABLE_THICKNESS = 0.016, 0.04  # m
START, GOAL = (1, 6), (3, 5)  # column away from the person, row from the right: a knight's move
# Other pieces, as column and row: none beside start and goal in the direction of the fingers, whose
# opening is wider than a square.
WHITE = ((0, 0), (0, 2), (0, 4), (0, 7), (1, 1), (1, 3), (2, 2), (2, 6))
BLACK = ((4, 4), (4, 6), (5, 2), (5, 5), (6, 3), (6, 6), (7, 1), (7, 4))
TALL, SHORT = 0.06, 0.04  # m, heights of the other pieces
PIECE_RADIUS = 0.014
PIECE_MASS = 0.02


def make_chess_task() -> LabTask:
    """Return the task at the chess board."""
    table, person = task_table("chess"), task_table("person")
    side, top = table.number("square"), table.number("board_height")
    centre = np.array([person.number("chest_x") + table.number("distance"), 0.0, top])

    def square(place: tuple[int, int]) -> Array:
        """Return the middle of a square, on the board."""
        away = np.array([side * (place[0] - 3.5), side * (place[1] - 3.5), 0.0])
        return np.asarray(centre + away)

    height = table.number("knight_height")
    objects = _board(centre, square, side)
    objects |= _knight(square(START), table.number("knight_radius"), height, table)
    pieces = {f"white_{i}": at for i, at in enumerate(WHITE, 1)}
    pieces |= {f"black_{i}": at for i, at in enumerate(BLACK, 1)}
    for number, (name, at) in enumerate(pieces.items()):
        objects[name] = _piece(square(at), TALL if number % 3 == 0 else SHORT, name)
    goal = TaskPlace(
        "the blue square",
        raised(square(GOAL), height / 2),
        np.array([0.0, 0.0, 0.01]),
        table.number("tolerance"),
    )
    words = "Bring the violet knight from the yellow square to the blue one; touch no other piece."
    return LabTask(
        "chess",
        "Chess: the knight to the blue square",
        objects,
        (KNIGHT,),
        (Phase(words, (TaskGoal(KNIGHT, (goal,)),)),),
        raised(square(START), 0.25),
        hand_rotation(fingers=np.array([0, 0, -1]), opening=np.array([0, 1, 0])),
        fragile=tuple(pieces),
        grip_offset=np.array([0.0, 0.0, 0.02]),
        carry_offsets=(np.array([0.0, 0.0, 0.10]),),
        approach_offset=np.array([0.0, 0.0, 0.10]),
    )


def _board(
    centre: Array, square: Callable[[tuple[int, int]], Array], side: float
) -> dict[str, dict[str, Any]]:
    return {
        "chess_table": _table(centre),
        "chess_board": {
            "box": [8 * side + 0.02, 8 * side + 0.02, BOARD_THICKNESS],
            "at": raised(centre, -BOARD_THICKNESS / 2).tolist(),
            "material": "birch",
        },
        "chess_squares": _squares(square, side),
        "square_start": _square(square(START), side, "mark_yellow"),
        "square_goal": _square(square(GOAL), side, "mark_blue"),
    }


def _knight(at: Array, radius: float, height: float, table: TomlTable) -> dict[str, dict[str, Any]]:
    return {
        KNIGHT: {
            "cylinder": [radius, height],
            "at": raised(at, height / 2 + 0.001).tolist(),
            "material": "violet",
            "body": {"mass": table.number("knight_mass")},
        },
        "knight_head": {
            "capsule": [0.008, 0.012],
            "at": [0.012, 0, height / 2 - 0.008],
            "rpy_deg": [0, 70, 0],
            "on": KNIGHT,
            "material": "violet",
            "collidable": False,
        },
    }


def _table(centre: Array) -> dict[str, Any]:
    """Return the table: its near edge is that of the board, so that the chair fits under it."""
    top = centre[2] - BOARD_THICKNESS
    near, far, half = centre[0] - 0.21, centre[0] + 0.35, 0.27
    board = {
        "box": [far - near, 2 * half, TABLE_THICKNESS],
        "at": [(near + far) / 2, 0, top - TABLE_THICKNESS / 2],
    }
    height = top - TABLE_THICKNESS
    legs = [
        {"box": [0.05, 0.05, height], "at": [x, y, height / 2]}
        for x in (far - 0.05,)
        for y in (-half + 0.05, half - 0.05)
    ]
    return {"material": "oak", "parts": [board, *legs]}


def _squares(square: Callable[[tuple[int, int]], Array], side: float) -> dict[str, Any]:
    dark = [(i, j) for i in range(8) for j in range(8) if (i + j) % 2 == 0]
    parts = [_square(square(place), side) for place in dark if place not in (START, GOAL)]
    return {"material": "walnut", "collidable": False, "parts": parts}


def _square(at: Array, side: float, material: str = "") -> dict[str, Any]:
    shape = {"box": [side, side, 0.001], "at": at.tolist()}
    return shape | {"material": material, "collidable": False} if material else shape


def _piece(at: Array, height: float, name: str) -> dict[str, Any]:
    return {
        "cylinder": [PIECE_RADIUS, height],
        "at": raised(at, height / 2 + 0.001).tolist(),
        "material": "porcelain" if name.startswith("white") else "dark_lacquer",
        "body": {"mass": PIECE_MASS},
    }
